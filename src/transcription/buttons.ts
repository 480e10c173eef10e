// The buttons and the menu of a transcript, and the button that confirms a costly one. What they need is in their custom_id and the
// message's files and embeds, so that they work after a restart.
import { AttachmentBuilder, MessageFlags } from 'discord.js';
import type { ComponentInteraction, SlashCommand } from '../bot/command.ts';
import { isGuest } from '../bot/permissions.ts';
import { createPressLock } from '../bot/press-lock.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import { loadSealingKey, unseal } from '../store/index.ts';
import { confirmationFor, readConfirmation } from './confirmation.ts';
import type { TranscriptionContext } from './context.ts';
import { AUTO_DETECT, transcriptFile, transcriptPage } from './message.ts';
import { fromLink, type Recording } from './recording.ts';
import { checkJobLimit, type TranscribeOptions, transcribeAll } from './transcribe.ts';
import { readTranscript, type TranscriptDocument, transcriptFormats } from './transcript-file.ts';

/** Discord's limit for files of bots, and so for a transcript's own file. */
const MAX_TRANSCRIPT_BYTES = 10 * 1024 * 1024;

const confirmLock = createPressLock();

export const transcriptionButtons = {
  components: {
    /** `transcript:button:page:owner:timestamps` */
    transcript: {
      async run(interaction, context, [, page, owner = '', timestamps]) {
        if (interaction.user.id !== owner) throw new UserError((t) => t.general.notYourButtons('/transcribe'));
        await interaction.deferUpdate();
        const document = await readAttachedTranscript(interaction, context);
        await interaction.editReply(transcriptPage(document, { page: Number(page), owner, timestamps: timestamps === '1' }));
      },
    },

    /** `transcript-file:format:timestamps` */
    'transcript-file': {
      async run(interaction, context, [wantedFormat, timestamps]) {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        const format = transcriptFormats.find((one) => one === wantedFormat);
        if (!format) throw new UserError((t) => t.general.expiredMessage);
        const { name, bytes } = transcriptFile(await readAttachedTranscript(interaction, context), format, timestamps === '1');
        const limit = interaction.attachmentSizeLimit;
        if (bytes.length > limit) throw new UserError((t) => t.transcription.transcriptTooLarge(limit));
        await interaction.editReply({ files: [new AttachmentBuilder(bytes, { name })] });
      },
    },

    /** `transcript-again:owner:timestamps`: a second transcript, so that the two can be compared. */
    'transcript-again': {
      spends: 'transcription',
      async run(interaction, context, [owner, timestamps]) {
        if (interaction.user.id !== owner) throw new UserError((t) => t.general.notYourButtons('/transcribe'));
        if (!interaction.isStringSelectMenu()) throw new UserError((t) => t.general.expiredMessage);
        const [language = AUTO_DETECT] = interaction.values;
        checkJobLimit(interaction);
        await interaction.deferUpdate();
        const { recording: sealed, transcript } = await readAttachedTranscript(interaction, context);
        const recording = fromLink(unseal(sealed ?? '', await loadSealingKey(context.store, 'recordings')) ?? '');
        if (!recording) throw new UserError((t) => t.transcription.transcriptGone);
        const options: TranscribeOptions = {
          language: language === AUTO_DETECT ? null : language,
          timestamps: timestamps === '1',
          format: null,
          isPrivate: isGuest(interaction) || interaction.message.flags.has(MessageFlags.Ephemeral),
        };
        const measured: Recording = { ...recording, duration: transcript.duration > 0 ? transcript.duration : recording.duration };
        const question = confirmationFor(context, [measured], options);
        if (question) await interaction.followUp(question);
        else await transcribeAll(interaction, context, [measured], options);
      },
    },

    /** `transcribe-agreed:private:timestamps:format:language` */
    'transcribe-agreed': {
      spends: 'transcription',
      async run(interaction, context, args) {
        if (!interaction.isButton()) throw new UserError((t) => t.general.expiredMessage);
        const { recordings, options } = readConfirmation(interaction.message, args);
        if (recordings.length === 0) throw new UserError((t) => t.general.expiredMessage);
        await confirmLock(interaction, async () => {
          checkJobLimit(interaction);
          await interaction.update({ content: en.transcription.confirmed, embeds: [], components: [] });
          await transcribeAll(interaction, context, recordings, { ...options, isPrivate: options.isPrivate || isGuest(interaction) });
        });
      },
    },
  },
} satisfies Partial<SlashCommand<TranscriptionContext>>;

/** The transcript from the message's own file. @throws UserError if it is gone */
async function readAttachedTranscript(interaction: ComponentInteraction, context: TranscriptionContext): Promise<TranscriptDocument> {
  const file = interaction.message.attachments.find(({ name }) => name.endsWith('.json'));
  const document = file ? readTranscript(await context.attachments.readText(file, context.signal, MAX_TRANSCRIPT_BYTES)) : null;
  if (!document) throw new UserError((t) => t.transcription.transcriptGone);
  return document;
}
