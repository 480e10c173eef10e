// The buttons below the panel of captions, and the one below their transcript.
import { MessageFlags } from 'discord.js';
import { notice } from '../discord/cards.ts';
import type { ComponentInteraction, SlashCommand } from '../discord/command.ts';
import { on } from '../discord/custom-ids.ts';
import { UserError } from '../discord/errors.ts';
import { languageName } from '../locales/language-names.ts';
import { leftSentence } from '../posted-words/removals.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { AUTO_DETECT, deleteWordsId } from '../transcription/message.ts';
import type { CaptionsContext, OpenCaptions } from './context.ts';
import { captionsId } from './panel.ts';

export const captionsButtons = {
  components: [
    on(captionsId, {
      checksFor: ({ customId }) =>
        captionsId.read(customId)?.action === 'on' ? { leadsToSpending: 'transcription' } : { whileDraining: true },
      async run(interaction, context, { action }) {
        const { t, captions } = context;
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        const { id } = interaction.user;

        if (action === 'off') {
          // Withdrawing must always work, also on an old panel.
          const isStored = interaction.guildId === null || (await captions.withdraw(interaction.guildId, id));
          await interaction.editReply(isStored ? notice(t('captions.isOff'), 'done') : notice(t('captions.isOffUnstored'), 'waiting'));
          return;
        }
        const run = findOpen(interaction, captions.in(interaction.guildId));
        if (action === 'on') {
          await run.agree(id);
          await interaction.editReply(notice(t('captions.isOn', { isKept: run.isKept }), 'done'));
        } else if (interaction.isStringSelectMenu()) {
          const [chosen = AUTO_DETECT] = interaction.values;
          const language = chosen === AUTO_DETECT ? null : chosen;
          await run.setLanguage(id, language);
          const name = language === null ? null : asMarkdown(languageName(language, t.locale), 60);
          await interaction.editReply(
            notice(name === null ? t('captions.languageDetected') : t('captions.languageChosen', { name }), 'done'),
          );
        } else throw new UserError((t) => t('general.expiredMessage'));
      },
    }),

    on(deleteWordsId, {
      whileDraining: true,
      async run(interaction, context, { owner, first, last }) {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        const { captions, words, t } = context;
        const { channelId, guildId, message, user } = interaction;
        const isOfTranscript = [owner, first, last].every((part) => part !== undefined) && channelId !== null && guildId !== null;
        const { count, left } = isOfTranscript
          ? await words.removals.remove([{ kind: 'transcript', guildId, channelId, id: message.id, memberId: user.id }])
          : await findOpen(interaction, captions.in(guildId)).deleteWords(user.id);
        await interaction.editReply(
          left.length > 0
            ? notice(leftSentence(t, left), 'waiting')
            : notice(t('captions.wordsDeleted', { count }), count > 0 ? 'done' : 'neutral'),
        );
      },
    }),
  ],
} satisfies Partial<SlashCommand<CaptionsContext>>;

/** @throws UserError if the captions that the panel is about have ended */
function findOpen({ message }: ComponentInteraction, run: OpenCaptions | undefined): OpenCaptions {
  if (!run?.hasPanel(message.id)) throw new UserError((t) => t('captions.endedAlready'));
  return run;
}
