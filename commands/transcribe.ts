// /transcribe and Transcribe on a message: recordings become text with times. The file is passed on as it is read and never stored.
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
import { readDocument, type TranscriptDocument, type TranscriptFormat, transcriptFormats } from '../src/transcript/index.ts';
import type { TranscriptionContext } from '../src/transcription/context.ts';
import {
  askFirst,
  checkJobs,
  checkRecording,
  DETECT,
  findLanguages,
  type Recording,
  readAgreed,
  readLink,
  recordingOf,
  recordingsIn,
  transcribeAll,
  transcriptFile,
  transcriptPage,
  type Wish,
} from '../src/transcription/index.ts';
import { stageAfterRestart } from '../src/transcription/view.ts';

/** In servers with the app, in direct messages, and wherever a member brings it along. */
const EVERYWHERE = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
};

/** Of a transcript's own file: what Discord takes from a bot. */
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

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
    const { options } = interaction;
    const language = options.getString('language')?.trim();
    const wish: Wish = {
      language: !language || language.toLowerCase() === DETECT ? null : language,
      timestamps: options.getBoolean('timestamps') ?? true,
      format: options.getString('format') as TranscriptFormat | null,
    };
    await begin(interaction, context, [recordingOf(options.getAttachment('audio', true))], wish, options.getBoolean('private') ?? false);
  },

  afterRestart: ({ embeds, components = [], attachments }) => (attachments.length > 0 ? null : stageAfterRestart({ embeds, components })),

  components: {
    /** `transcript:button:page:owner:timestamps` */
    transcript: {
      async run(interaction, context, [, page, owner = '', timestamps]) {
        if (interaction.user.id !== owner) throw new UserError(en.general.notYourButtons('/transcribe'));
        await interaction.deferUpdate();
        const document = await readBack(interaction, context);
        await interaction.editReply(transcriptPage(document, { page: Number(page), owner, timestamps: timestamps === '1' }));
      },
    },

    /** `transcript-file:format:timestamps` */
    'transcript-file': {
      async run(interaction, context, [wanted, timestamps]) {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        const format = transcriptFormats.find((one) => one === wanted);
        if (!format) throw new UserError(en.general.expiredMessage);
        const { name, bytes } = transcriptFile(await readBack(interaction, context), format, timestamps === '1');
        const limit = interaction.attachmentSizeLimit;
        if (bytes.length > limit) throw new UserError(en.transcription.transcriptTooLarge(limit));
        await interaction.editReply({ files: [new AttachmentBuilder(bytes, { name })] });
      },
    },

    /** `transcript-again:owner:timestamps`: beside the transcript that is there, so that the two can be compared. */
    'transcript-again': {
      spends: 'transcription',
      async run(interaction, context, [owner, timestamps]) {
        if (interaction.user.id !== owner) throw new UserError(en.general.notYourButtons('/transcribe'));
        if (!interaction.isStringSelectMenu()) throw new UserError(en.general.expiredMessage);
        const [language = DETECT] = interaction.values;
        checkJobs(interaction);
        await interaction.deferUpdate();
        const { recording: sealed, transcript } = await readBack(interaction, context);
        const recording = readLink(unseal(sealed ?? '', await loadSealingKey(context.store, 'recordings')) ?? '');
        if (!recording) throw new UserError(en.transcription.transcriptGone);
        const wish: Wish = { language: language === DETECT ? null : language, timestamps: timestamps === '1', format: null };
        const isPrivate = isGuest(interaction) || interaction.message.flags.has(MessageFlags.Ephemeral);
        const measured = { ...recording, duration: transcript.duration > 0 ? transcript.duration : recording.duration };
        const question = askFirst(context, [measured], wish, isPrivate);
        if (question) await interaction.followUp(question);
        else await transcribeAll(interaction, context, [measured], wish, { isPrivate, isDeferred: false });
      },
    },

    /** `transcribe-agreed:private:wish` */
    'transcribe-agreed': {
      spends: 'transcription',
      async run(interaction, context, args) {
        if (!interaction.isButton()) throw new UserError(en.general.expiredMessage);
        const { recordings, wish, isPrivate } = readAgreed(interaction.message, args);
        if (recordings.length === 0) throw new UserError(en.general.expiredMessage);
        await agree(interaction, async () => {
          checkJobs(interaction);
          await interaction.update({ content: en.transcription.confirmed, embeds: [], components: [] });
          await transcribeAll(interaction, context, recordings, wish, { isPrivate: isPrivate || isGuest(interaction), isDeferred: false });
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
    await begin(interaction, context, recordings, { language: null, timestamps: true, format: null }, false);
  },
} satisfies MessageCommand<TranscriptionContext>;

/** Asks first where much would be spent; otherwise answers. */
async function begin(
  interaction: ChatInputCommandInteraction | MessageContextMenuCommandInteraction,
  context: TranscriptionContext,
  recordings: Recording[],
  wish: Wish,
  wantsPrivate: boolean,
): Promise<void> {
  const [first] = recordings;
  if (recordings.length === 1 && first) checkRecording(context, first);
  checkJobs(interaction);
  const isPrivate = wantsPrivate || isGuest(interaction);
  const question = askFirst(context, recordings, wish, isPrivate);
  if (question) {
    await interaction.reply(question);
    return;
  }
  const flags = isPrivate ? { flags: MessageFlags.Ephemeral as const } : {};
  const { interaction: callback } = await interaction.deferReply({ ...flags, withResponse: true });
  context.noteReply(callback.responseMessageId, isPrivate);
  await transcribeAll(interaction, context, recordings, wish, { isPrivate, isDeferred: true });
}

/** The transcript from the message's own file. @throws UserError where it is not there any more */
async function readBack(interaction: MessageComponentInteraction, context: TranscriptionContext): Promise<TranscriptDocument> {
  const file = interaction.message.attachments.find(({ name }) => name.endsWith('.json'));
  const document = file ? readDocument(await context.attachments.readText(file, context.signal, MAX_DOCUMENT_BYTES)) : null;
  if (!document) throw new UserError(en.transcription.transcriptGone);
  return document;
}
