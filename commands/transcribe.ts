// /transcribe, and Transcribe on a message: turns recordings into text with timestamps. Recordings are streamed and never stored.
import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord.js';
import { RECORDING_TYPES } from '../src/discord/attachments.ts';
import { limits } from '../src/discord/cards.ts';
import { EVERYWHERE, type MessageCommand, type SlashCommand } from '../src/discord/command.ts';
import { UserError } from '../src/discord/errors.ts';
import { isGuest } from '../src/discord/permissions.ts';
import { described, named } from '../src/locales/command-texts.ts';
import { findLanguages } from '../src/locales/language-names.ts';
import { transcriptionButtons } from '../src/transcription/buttons.ts';
import type { TranscriptionContext } from '../src/transcription/context.ts';
import { AUTO_DETECT } from '../src/transcription/message.ts';
import { recordingOf, recordingsIn } from '../src/transcription/recording.ts';
import { startTranscription } from '../src/transcription/transcribe.ts';
import { type TranscriptFormat, transcriptFormats } from '../src/transcription/transcript-file.ts';

export const transcribe = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'transcribe',
    ...described('commands.transcribe.description'),
    ...EVERYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.Attachment,
        name: 'audio',
        ...described('commands.transcribe.audio'),
        file_types: [...RECORDING_TYPES],
        required: true,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'language',
        ...described('commands.transcribe.language'),
        max_length: 20,
        autocomplete: true,
      },
      { type: ApplicationCommandOptionType.Boolean, name: 'timestamps', ...described('commands.transcribe.timestamps') },
      {
        type: ApplicationCommandOptionType.String,
        name: 'format',
        ...described('commands.transcribe.format'),
        choices: transcriptFormats.map((format) => ({ ...named(`commands.transcribe.formats.${format}`), value: format })),
      },
      { type: ApplicationCommandOptionType.Boolean, name: 'private', ...described('commands.transcribe.private') },
    ],
  },

  spends: 'transcription',

  complete(interaction, { transcriptionLanguages, t }) {
    const languages = findLanguages(transcriptionLanguages.offered(), interaction.options.getFocused(), t.locale);
    return languages.slice(0, limits.choices).map(({ code, name }) => ({ name, value: code }));
  },

  async run(interaction, context) {
    const { options } = interaction;
    const language = options.getString('language')?.trim();
    await startTranscription(interaction, context, [recordingOf(options.getAttachment('audio', true), null)], {
      language: !language || language.toLowerCase() === AUTO_DETECT ? null : language,
      timestamps: options.getBoolean('timestamps') ?? true,
      format: options.getString('format') as TranscriptFormat | null,
      isPrivate: isGuest(interaction) || (options.getBoolean('private') ?? false),
    });
  },

  ...transcriptionButtons,
} satisfies SlashCommand<TranscriptionContext>;

export const transcribeMessage = {
  data: { type: ApplicationCommandType.Message, name: 'Transcribe', ...EVERYWHERE },
  spends: 'transcription',
  async run(interaction, context) {
    const recordings = recordingsIn(interaction.targetMessage);
    if (recordings.length === 0) throw new UserError((t) => t('transcription.noAudioInMessage'));
    await startTranscription(interaction, context, recordings, {
      language: null,
      timestamps: true,
      format: null,
      isPrivate: isGuest(interaction),
    });
  },
} satisfies MessageCommand<TranscriptionContext>;
