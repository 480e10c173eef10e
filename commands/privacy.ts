// /privacy: says what is stored, for how long and who receives it, and deletes it on request.
import { ApplicationCommandType, MessageFlags } from 'discord.js';
import type { Captions } from '../src/captions/context.ts';
import { asEdit, type CardMessage, notice } from '../src/discord/cards.ts';
import { EVERYWHERE, type InteractionContext, type SlashCommand } from '../src/discord/command.ts';
import { on } from '../src/discord/custom-ids.ts';
import { UserError } from '../src/discord/errors.ts';
import type { IsOperator } from '../src/discord/operators.ts';
import { described } from '../src/locales/command-texts.ts';
import { deleteMemberData, type MemberData } from '../src/privacy/deletion.ts';
import { deletedNotice, deleteQuestion, emptyQuestion, type PrivacyFacts, privacyId, privacyMessage } from '../src/privacy/view.ts';
import type { Reading } from '../src/reading/types.ts';
import { chooseTranscribed } from '../src/transcription/voice-messages/buttons.ts';
import type { VoiceMessages } from '../src/transcription/voice-messages/types.ts';

interface PrivacyContext extends InteractionContext, MemberData {
  captions: Pick<Captions, 'agreedIn' | 'withdraw' | 'forget'>;
  voiceMessages: VoiceMessages;
  reading: Reading;
  privacyFacts: PrivacyFacts;
  isOperator: IsOperator;
}

export const privacy = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'privacy',
    ...described('commands.privacy.description'),
    ...EVERYWHERE,
  },

  async run(interaction, context) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply(asEdit(await overview(interaction.user.id, context)));
  },

  components: [
    // The message is ephemeral, so only its member can press.
    on(privacyId, {
      async run(interaction, context, { action }) {
        const { t, privacyFacts, settings, voiceOwners, captions } = context;
        const { user } = interaction;
        if (action === 'delete') {
          const [{ readAloud, transcribed }, voices, agreed] = await Promise.all([
            settings.member(user.id),
            voiceOwners.concerning(user.id),
            captions.agreedIn(user.id),
          ]);
          const agreedIn = agreed.length;
          await interaction.update(asEdit(deleteQuestion(t, privacyFacts, { readAloud, transcribed, agreedIn, voices })));
          return;
        }
        await interaction.deferUpdate();
        const show = (message: CardMessage) => interaction.editReply(asEdit(message));
        if (action === 'opt-out' || action === 'opt-in') await allowReading(user.id, action === 'opt-in', context);
        const isAboutTranscripts = action === 'transcribe' || action === 'dont-transcribe';
        if (isAboutTranscripts) await chooseTranscribed(user.id, action === 'transcribe', context);
        const isUnstored = action === 'dont-caption' && !(await captions.withdraw(null, user.id));
        if (isUnstored) await show(notice(t('captions.isOffUnstored'), 'waiting'));
        else if (isAboutTranscripts || action === 'dont-caption' || action === 'keep' || action === 'opt-out' || action === 'opt-in')
          await show(await overview(user.id, context));
        else if (action === 'delete-now') await show(deletedNotice(t, await deleteMemberData(context, user.id)));
        else if (action === 'empty' || action === 'empty-now') await show(await emptyCache(user.id, context, action));
        else throw new UserError((t) => t('general.expiredMessage'));
      },
    }),
  ],
} satisfies SlashCommand<PrivacyContext>;

async function overview(memberId: string, context: PrivacyContext): Promise<CardMessage> {
  const { t, privacyFacts, dictionaries, settings, voiceOwners } = context;
  const [isOperator, entries, { readAloud, transcribed }, voices, agreed, wordsLeft] = await Promise.all([
    context.isOperator(memberId),
    dictionaries.entries({ userId: memberId }),
    settings.member(memberId),
    voiceOwners.concerning(memberId),
    context.captions.agreedIn(memberId),
    context.words.removals.leftOf(memberId),
  ]);
  const counts = { entries: entries.length, agreedIn: agreed.length };
  return privacyMessage(t, privacyFacts, { memberId, isOperator, readAloud, transcribed, ...counts, voices, wordsLeft });
}

/** Opting out takes effect at once, in every server. @throws StoreError */
async function allowReading(userId: string, readAloud: boolean, { settings, reading }: PrivacyContext): Promise<void> {
  await settings.changeMember(userId, (before) => ({ ...before, readAloud }));
  if (!readAloud) await reading.end({ memberId: userId }, { guildId: null, everywhere: true });
}

/** Asks for confirmation, then empties the sound cache. @throws UserError unless an operator asks */
async function emptyCache(userId: string, { t, speech, isOperator, store }: PrivacyContext, action: 'empty' | 'empty-now') {
  if (!(await isOperator(userId))) throw new UserError((t) => t('privacy.operatorsOnly'));
  if (action === 'empty') return emptyQuestion(t);
  const bytes = await speech.clearCache();
  await store.scrub();
  return notice(t('privacy.emptied', { bytes }), 'done');
}
