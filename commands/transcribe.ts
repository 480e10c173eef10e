// /transcribe, and Transcribe on a message: turns recordings into text with times. Recordings are streamed and never stored.
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  AttachmentBuilder,
  type ChatInputCommandInteraction,
  InteractionContextType,
  type MessageComponentInteraction,
  type MessageContextMenuCommandInteraction,
  MessageFlags,
} from 'discord.js';
import type { MessageCommand, SlashCommand } from '../src/bot/command.ts';
import { isGuest } from '../src/bot/permissions.ts';
import { createPressLock } from '../src/bot/press-lock.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { loadSealingKey, unseal } from '../src/store/index.ts';
import {
  AUTO_DETECT,
  checkJobLimit,
  checkRecording,
  confirmationFor,
  correctAfterRestart,
  findLanguages,
  fromLink,
  type Recording,
  readConfirmation,
  readTranscript,
  recordingOf,
  recordingsIn,
  type TranscribeOptions,
  type TranscriptDocument,
  type TranscriptFormat,
  type TranscriptionContext,
  transcribeAll,
  transcriptFile,
  transcriptFormats,
  transcriptPage,
} from '../src/transcription/index.ts';

/** In servers with the app, in direct messages, and wherever members have installed it for themselves. */
const EVERYWHERE = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
};

/** Discord's limit for files of bots, and so for a transcript's own file. */
const MAX_TRANSCRIPT_BYTES = 10 * 1024 * 1024;

const agree = createPressLock();

export const transcribe = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'transcribe',
    description: 'Turn a recording into text with times',
    ...EVERYWHERE,
    options: [
      { type: ApplicationCommandOptionType.Attachment, name: 'audio', description: 'The recording, 20 MB at most', required: true },
      {
        type: ApplicationCommandOptionType.String,
        name: 'language',
        description: 'Language spoken (found out, unless you say)',
        max_length: 20,
        autocomplete: true,
      },
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'timestamps',
        description: 'Show when each part was said (yes, unless you say no)',
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'format',
        description: 'Also as a file: subtitles or data',
        choices: [
          { name: 'Text (.txt)', value: 'text' },
          { name: 'Subtitles (.srt)', value: 'srt' },
          { name: 'Subtitles (.vtt)', value: 'vtt' },
          { name: 'Data (.json)', value: 'json' },
        ],
      },
      { type: ApplicationCommandOptionType.Boolean, name: 'private', description: 'Only you see the answer' },
    ],
  },

  spends: 'transcription',

  complete: (interaction) => findLanguages(interaction.options.getFocused()).map(({ code, name }) => ({ name, value: code })),

  async run(interaction, context) {
    const given = interaction.options;
    const language = given.getString('language')?.trim();
    await start(interaction, context, [recordingOf(given.getAttachment('audio', true))], {
      language: !language || language.toLowerCase() === AUTO_DETECT ? null : language,
      timestamps: given.getBoolean('timestamps') ?? true,
      format: given.getString('format') as TranscriptFormat | null,
      isPrivate: isGuest(interaction) || (given.getBoolean('private') ?? false),
    });
  },

  afterRestart: ({ embeds, components = [], attachments }) => (attachments.length > 0 ? null : correctAfterRestart({ embeds, components })),

  components: {
    /** `transcript:button:page:owner:timestamps` */
    transcript: {
      async run(interaction, context, [, page, owner = '', timestamps]) {
        if (interaction.user.id !== owner) throw new UserError(en.general.notYourButtons('/transcribe'));
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
        if (!format) throw new UserError(en.general.expiredMessage);
        const { name, bytes } = transcriptFile(await readAttachedTranscript(interaction, context), format, timestamps === '1');
        const limit = interaction.attachmentSizeLimit;
        if (bytes.length > limit) throw new UserError(en.transcription.transcriptTooLarge(limit));
        await interaction.editReply({ files: [new AttachmentBuilder(bytes, { name })] });
      },
    },

    /** `transcript-again:owner:timestamps`: a second transcript, so that the two can be compared. */
    'transcript-again': {
      spends: 'transcription',
      async run(interaction, context, [owner, timestamps]) {
        if (interaction.user.id !== owner) throw new UserError(en.general.notYourButtons('/transcribe'));
        if (!interaction.isStringSelectMenu()) throw new UserError(en.general.expiredMessage);
        const [language = AUTO_DETECT] = interaction.values;
        checkJobLimit(interaction);
        await interaction.deferUpdate();
        const { recording: sealed, transcript } = await readAttachedTranscript(interaction, context);
        const recording = fromLink(unseal(sealed ?? '', await loadSealingKey(context.store, 'recordings')) ?? '');
        if (!recording) throw new UserError(en.transcription.transcriptGone);
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
        if (!interaction.isButton()) throw new UserError(en.general.expiredMessage);
        const { recordings, options } = readConfirmation(interaction.message, args);
        if (recordings.length === 0) throw new UserError(en.general.expiredMessage);
        await agree(interaction, async () => {
          checkJobLimit(interaction);
          await interaction.update({ content: en.transcription.confirmed, embeds: [], components: [] });
          await transcribeAll(interaction, context, recordings, { ...options, isPrivate: options.isPrivate || isGuest(interaction) });
        });
      },
    },
  },
} satisfies SlashCommand<TranscriptionContext>;

export const transcribeMessage = {
  data: { type: ApplicationCommandType.Message, name: 'Transcribe', ...EVERYWHERE },
  spends: 'transcription',
  async run(interaction, context) {
    const recordings = recordingsIn(interaction.targetMessage);
    if (recordings.length === 0) throw new UserError(en.transcription.noAudioInMessage);
    await start(interaction, context, recordings, { language: null, timestamps: true, format: null, isPrivate: isGuest(interaction) });
  },
} satisfies MessageCommand<TranscriptionContext>;

/** Asks first if much of the credit would be spent. */
async function start(
  interaction: ChatInputCommandInteraction | MessageContextMenuCommandInteraction,
  context: TranscriptionContext,
  recordings: Recording[],
  options: TranscribeOptions,
): Promise<void> {
  const [first] = recordings;
  if (recordings.length === 1 && first) checkRecording(context, first);
  checkJobLimit(interaction);
  const question = confirmationFor(context, recordings, options);
  if (question) {
    await interaction.reply(question);
    return;
  }
  const flags = options.isPrivate ? { flags: MessageFlags.Ephemeral as const } : {};
  const { interaction: callback } = await interaction.deferReply({ ...flags, withResponse: true });
  context.noteReply(callback.responseMessageId, options.isPrivate);
  await transcribeAll(interaction, context, recordings, options);
}

/** The transcript from the message's own file. @throws UserError if it is gone */
async function readAttachedTranscript(
  interaction: MessageComponentInteraction,
  context: TranscriptionContext,
): Promise<TranscriptDocument> {
  const file = interaction.message.attachments.find(({ name }) => name.endsWith('.json'));
  const document = file ? readTranscript(await context.attachments.readText(file, context.signal, MAX_TRANSCRIPT_BYTES)) : null;
  if (!document) throw new UserError(en.transcription.transcriptGone);
  return document;
}
