// The buttons below the panel of captions, and the one below their transcript.
import { MessageFlags } from 'discord.js';
import { asEdit, notice, readFiles } from '../discord/cards.ts';
import type { ComponentInteraction, SlashCommand } from '../discord/command.ts';
import { on } from '../discord/custom-ids.ts';
import { UserError } from '../discord/errors.ts';
import { languageName } from '../locales/language-names.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { readAttachedTranscript } from '../transcription/buttons.ts';
import { AUTO_DETECT, deleteWordsId } from '../transcription/message.ts';
import type { CaptionsContext, OpenCaptions } from './context.ts';
import { captionsId } from './panel.ts';
import { createMessages } from './run.ts';
import { captionsMessage, createLineFinder, withoutSpeaker } from './transcript.ts';
import { removeLines } from './writer.ts';

/** Messages that are read from Discord at a time. */
const PAGE = 100;

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
          // It must always work, also on an old panel.
          const isStored = interaction.guildId === null || (await captions.withdraw(interaction.guildId, id));
          await interaction.editReply(isStored ? notice(t('captions.isOff'), 'done') : notice(t('captions.isOffUnstored'), 'waiting'));
          return;
        }
        const found = findOpen(interaction, captions.in(interaction.guildId));
        if (action === 'on') {
          await found.agree(id);
          await interaction.editReply(notice(t('captions.isOn', { isKept: found.isKept }), 'done'));
        } else if (interaction.isStringSelectMenu()) {
          const [chosen = AUTO_DETECT] = interaction.values;
          const language = chosen === AUTO_DETECT ? null : chosen;
          await found.setLanguage(id, language);
          const name = language === null ? null : asMarkdown(languageName(language, t.locale), 60);
          await interaction.editReply(
            notice(name === null ? t('captions.languageDetected') : t('captions.languageChosen', { name }), 'done'),
          );
        } else throw new UserError((one) => one('general.expiredMessage'));
      },
    }),

    on(deleteWordsId, {
      whileDraining: true,
      async run(interaction, context, { owner, first, last }) {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        const { captions, t } = context;
        const count =
          owner === undefined || first === undefined || last === undefined
            ? await findOpen(interaction, captions.in(interaction.guildId)).deleteWords(interaction.user.id)
            : await oneByOne(() => deleteFromTranscript(interaction, context, { owner, first, last }));
        await interaction.editReply(notice(t('captions.wordsDeleted', { count }), count > 0 ? 'done' : 'neutral'));
      },
    }),
  ],
} satisfies Partial<SlashCommand<CaptionsContext>>;

/** @throws UserError if the captions that the panel is about have ended */
function findOpen({ message }: ComponentInteraction, found: OpenCaptions | undefined): OpenCaptions {
  if (!found || found.panelId !== message.id) throw new UserError((t) => t('captions.endedAlready'));
  return found;
}

/** Two members who delete their words from the same transcript at once: the second finds what the first has left. */
let last: Promise<unknown> = Promise.resolve();
function oneByOne<T>(act: () => Promise<T>): Promise<T> {
  const done = last.then(act);
  last = done.catch(() => {});
  return done;
}

/**
 * Removes a member's words from a transcript, and from the captions it was made of. Resolves with how many lines that was.
 * @throws DiscordAPIError; UserError if the transcript's file is gone
 */
async function deleteFromTranscript(
  interaction: ComponentInteraction,
  context: CaptionsContext,
  range: { owner: string; first: string; last: string },
): Promise<number> {
  const { channel, client, user } = interaction;
  if (!channel?.isTextBased() || channel.isDMBased()) throw new UserError((t) => t('general.expiredMessage'));
  // Somebody else may have deleted theirs since the button was pressed.
  const message = await channel.messages.fetch({ message: interaction.message.id, force: true });
  const document = await readAttachedTranscript(readFiles(message.components), context);
  const left = withoutSpeaker(document.transcript, user.id);
  const count = document.transcript.segments.length - (left?.segments.length ?? 0);
  if (count === 0) return 0;
  const messages = createMessages(client, channel);
  const isTheirs = createLineFinder(document.transcript, user.id);
  for (let after = String(BigInt(range.first) - 1n); ; ) {
    const page = [...(await channel.messages.fetch({ after, limit: PAGE })).values()].sort((a, b) =>
      BigInt(a.id) < BigInt(b.id) ? -1 : 1,
    );
    const written = page.filter(({ id, author }) => author.id === client.user.id && BigInt(id) <= BigInt(range.last));
    for (const { id, content } of written) if (content !== '') await removeLines(messages, id, isTheirs);
    after = page.at(-1)?.id ?? range.last;
    if (page.length < PAGE || BigInt(after) >= BigInt(range.last)) break;
  }
  if (left === null) await message.delete();
  else
    await message.edit({
      ...asEdit(captionsMessage({ name: document.name, transcript: left }, range.owner, range, context.publicT)),
      attachments: [],
    });
  return count;
}
