// /transcribe, and Transcribe on a message: turns recordings into text with times. Recordings are streamed and never stored.
import { ApplicationCommandOptionType, ApplicationCommandType, ApplicationIntegrationType, InteractionContextType } from 'discord.js';
import type { MessageCommand, SlashCommand } from '../src/bot/command.ts';
import { isGuest } from '../src/bot/permissions.ts';
import { UserError } from '../src/bot/user-error.ts';
import { transcriptionButtons } from '../src/transcription/buttons.ts';
import type { TranscriptionContext } from '../src/transcription/context.ts';
import { startTranscription } from '../src/transcription/index.ts';
import { findLanguages } from '../src/transcription/languages.ts';
import { AUTO_DETECT, correctAfterRestart } from '../src/transcription/message.ts';
import { recordingOf, recordingsIn } from '../src/transcription/recording.ts';
import type { TranscriptFormat } from '../src/transcription/transcript-file.ts';

/** In servers with the app, in direct messages, and wherever members have installed it for themselves. */
const EVERYWHERE = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
};

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
    await startTranscription(interaction, context, [recordingOf(given.getAttachment('audio', true))], {
      language: !language || language.toLowerCase() === AUTO_DETECT ? null : language,
      timestamps: given.getBoolean('timestamps') ?? true,
      format: given.getString('format') as TranscriptFormat | null,
      isPrivate: isGuest(interaction) || (given.getBoolean('private') ?? false),
    });
  },

  afterRestart: ({ embeds, components = [], attachments }) => (attachments.length > 0 ? null : correctAfterRestart({ embeds, components })),

  ...transcriptionButtons,
} satisfies SlashCommand<TranscriptionContext>;

export const transcribeMessage = {
  data: { type: ApplicationCommandType.Message, name: 'Transcribe', ...EVERYWHERE },
  spends: 'transcription',
  async run(interaction, context) {
    const recordings = recordingsIn(interaction.targetMessage);
    if (recordings.length === 0) throw new UserError((t) => t.transcription.noAudioInMessage);
    await startTranscription(interaction, context, recordings, {
      language: null,
      timestamps: true,
      format: null,
      isPrivate: isGuest(interaction),
    });
  },
} satisfies MessageCommand<TranscriptionContext>;
