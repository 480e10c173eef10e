// The buttons and menus of a transcript, and the answers to questions. What they need is in their custom_id and the message's file or
// texts, so that they work after a restart.
import { AttachmentBuilder, type ButtonInteraction, MessageFlags, type StringSelectMenuInteraction } from 'discord.js';
import { asEdit, asPrivate, card, cards, file, notice, readFiles, type ShownFile } from '../discord/cards.ts';
import type { SlashCommand } from '../discord/command.ts';
import { on } from '../discord/custom-ids.ts';
import { UserError } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import { createPressLock } from '../discord/press-lock.ts';
import { loadSealingKey, unseal } from '../store/index.ts';
import type { TranscribeOptions, TranscriptionContext } from './context.ts';
import {
  AUTO_DETECT,
  againId,
  cancelId,
  cancelledMessage,
  fileId,
  MAX_FILE_BYTES,
  readDeleteId,
  readWordsReply,
  transcriptFile,
  transcriptPage,
  turnId,
} from './message.ts';
import { agreedId, otherLanguageId } from './questions.ts';
import { fromLink, type Recording, readRecordings } from './recording.ts';
import { cancelTranscription, checkJobLimit, questionFor, transcribeAgain, transcribeAll } from './transcribe.ts';
import { readTranscript, type TranscriptDocument, transcriptFormats } from './transcript-file.ts';
import { voiceMessageButtons } from './voice-messages/buttons.ts';

const answerLock = createPressLock();

export const transcriptionButtons = {
  components: [
    ...voiceMessageButtons,

    on(turnId, {
      async run(interaction, context, { page, owner, timestamps }) {
        if (interaction.user.id !== owner) throw new UserError((t) => t('general.notYourButtons', { command: '/transcribe' }));
        await interaction.deferUpdate();
        const files = readFiles(interaction.message.components);
        const document = await readAttachedTranscript(files, context);
        const languages = context.transcriptionLanguages.offered();
        const t = interaction.message.flags.has(MessageFlags.Ephemeral) ? context.t : context.publicT;
        const reply = readWordsReply(interaction.message.components);
        const deleteId = readDeleteId(interaction.message.components);
        const view = { page, owner, timestamps, languages, reply, deleteId };
        const names = files.map(({ name }) => name);
        await interaction.editReply({
          ...asEdit(transcriptPage(document, view, names, t)),
          // Discord keeps a file by its id, and finds it for the card by its name.
          attachments: files.map(({ id, name }) => ({ id, filename: name })),
        });
      },
    }),

    on(fileId, {
      async run(interaction, context, { timestamps }) {
        if (!interaction.isStringSelectMenu()) throw new UserError((t) => t('general.expiredMessage'));
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        const format = transcriptFormats.find((name) => name === interaction.values[0]);
        if (!format) throw new UserError((t) => t('general.expiredMessage'));
        const document = await readAttachedTranscript(readFiles(interaction.message.components), context);
        const { name, bytes } = transcriptFile(document, format, timestamps);
        const limit = interaction.attachmentSizeLimit;
        if (bytes.length > limit) throw new UserError((t) => t('transcription.transcriptTooLarge', { limit }));
        await interaction.editReply({ ...asEdit(cards(card('done', file(name)))), files: [new AttachmentBuilder(bytes, { name })] });
      },
    }),

    // A second transcript, so that the two can be compared; below a voice message, in place of the first.
    on(againId, {
      spends: 'transcription',
      async run(interaction, context, { owner, timestamps }) {
        if (interaction.user.id !== owner) throw new UserError((t) => t('general.notYourButtons', { command: '/transcribe' }));
        if (!interaction.isStringSelectMenu()) throw new UserError((t) => t('general.expiredMessage'));
        const language = chosenLanguage(interaction);
        checkJobLimit(interaction);
        await interaction.deferUpdate();
        const { recording: sealed, transcript } = await readAttachedTranscript(readFiles(interaction.message.components), context);
        const recording = fromLink(unseal(sealed ?? '', await loadSealingKey(context.store, 'recordings')) ?? '');
        if (!recording) throw new UserError((t) => t('transcription.transcriptGone'));
        const options: TranscribeOptions = {
          language,
          timestamps,
          format: null,
          isPrivate: isGuest(interaction) || interaction.message.flags.has(MessageFlags.Ephemeral),
        };
        const measured: Recording = { ...recording, duration: transcript.duration > 0 ? transcript.duration : recording.duration };
        const reply = readWordsReply(interaction.message.components);
        if (reply) return transcribeAgain(interaction, context, measured, language, reply);
        const question = questionFor(context, [measured], options);
        if (question) await interaction.followUp(asPrivate(question));
        else await transcribeAll(interaction, context, [measured], options);
      },
    }),

    on(otherLanguageId, {
      spends: 'transcription',
      async run(interaction, context, options) {
        if (!interaction.isStringSelectMenu()) throw new UserError((t) => t('general.expiredMessage'));
        const language = chosenLanguage(interaction);
        const recordings = readRecordings(interaction.message);
        const question = questionFor(context, recordings, { ...options, language });
        if (question) await interaction.update(asEdit(question));
        else await answer(interaction, context, recordings, { ...options, language });
      },
    }),

    on(cancelId, {
      whileDraining: true,
      async run(interaction, context, { tag, owner }) {
        if (interaction.user.id !== owner) throw new UserError((t) => t('general.notYourButtons', { command: '/transcribe' }));
        const ended = cancelTranscription(tag);
        const { message } = interaction;
        const t = message.flags.has(MessageFlags.Ephemeral) ? context.t : context.publicT;
        await interaction.deferUpdate();
        await interaction.editReply(asEdit(cancelledMessage(message, await ended, t)));
      },
    }),

    on(agreedId, {
      spends: 'transcription',
      async run(interaction, context, { language, ...options }) {
        if (!interaction.isButton()) throw new UserError((t) => t('general.expiredMessage'));
        await answer(interaction, context, readRecordings(interaction.message), { ...options, language: language || null });
      },
    }),
  ],
} satisfies Partial<SlashCommand<TranscriptionContext>>;

/** Replaces a question and does what it was about. */
async function answer(
  interaction: ButtonInteraction | StringSelectMenuInteraction,
  context: TranscriptionContext,
  recordings: Recording[],
  options: TranscribeOptions,
): Promise<void> {
  if (recordings.length === 0) throw new UserError((t) => t('general.expiredMessage'));
  await answerLock(interaction, async () => {
    checkJobLimit(interaction);
    await interaction.update(asEdit(notice(context.t('general.started'), 'done')));
    await transcribeAll(interaction, context, recordings, { ...options, isPrivate: options.isPrivate || isGuest(interaction) });
  });
}

/** Null = detected by the service. */
function chosenLanguage({ values: [language] }: StringSelectMenuInteraction): string | null {
  return language === undefined || language === AUTO_DETECT ? null : language;
}

/** @param files the one that the buttons read comes last @throws UserError if it is gone */
export async function readAttachedTranscript(
  files: readonly ShownFile[],
  context: Pick<TranscriptionContext, 'attachments' | 'signal'>,
): Promise<TranscriptDocument> {
  const state = files.findLast(({ name }) => name.endsWith('.json'));
  const document = state ? readTranscript(await context.attachments.readText(state, context.signal, MAX_FILE_BYTES)) : null;
  if (!document) throw new UserError((t) => t('transcription.transcriptGone'));
  return document;
}
