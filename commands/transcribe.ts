// /transcribe and Transcribe on a message: recordings become text with times. The file is passed on as it is read and never stored.
import {
  type APIEmbed,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type Attachment,
  AttachmentBuilder,
  type BaseMessageOptions,
  ButtonStyle,
  type ChatInputCommandInteraction,
  ComponentType,
  escapeMarkdown,
  type Message,
  type MessageContextMenuCommandInteraction,
  MessageFlags,
} from 'discord.js';
import { ApiError, type Transcript } from '../src/api/index.ts';
import { type Context, type MessageCommand, type SlashCommand, UserError } from '../src/command.ts';
import { COLOR, customId, limits, truncate } from '../src/embed.ts';
import { sentences } from '../src/sentences/index.ts';
import { fromJson, hasSpeech, makePages, type TranscriptFormat, writeFile } from '../src/transcript/index.ts';

/** Discord takes answers for 15 minutes; the last one is left for saying so. */
const ANSWERABLE_MS = 14 * 60_000;

interface Wish {
  language: string | null;
  timestamps: boolean;
  /** Null: text, and as a file only when it is long. */
  format: TranscriptFormat | null;
}

type Asked = ChatInputCommandInteraction | MessageContextMenuCommandInteraction;

export const transcribe = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'transcribe',
    description: 'Turn a recording into text with times',
    options: [
      { type: ApplicationCommandOptionType.Attachment, name: 'audio', description: 'The recording, 20 MB at most', required: true },
      { type: ApplicationCommandOptionType.String, name: 'language', description: 'Language spoken, such as en', max_length: 20 },
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
  async run(interaction, context) {
    const { options } = interaction;
    await transcribeAll(interaction, context, [options.getAttachment('audio', true)], options.getBoolean('private') ?? false, {
      language: options.getString('language')?.trim() || null,
      timestamps: options.getBoolean('timestamps') ?? true,
      format: options.getString('format') as TranscriptFormat | null,
    });
  },
  components: {
    /** `transcript:button:page:owner:timestamps`: the whole of it is the message's own .json file. */
    async transcript(interaction, context, [, number, owner, timestamps]) {
      if (interaction.user.id !== owner) throw new UserError(sentences.notYours('/transcribe'));
      await interaction.deferUpdate();
      const file = interaction.message.attachments.find(({ name }) => name.endsWith('.json'));
      if (!file) throw new UserError(sentences.pageGone);
      const transcript = fromJson(await context.attachments.readText(file, context.signal));
      if (!transcript) throw new UserError(sentences.pageGone);
      const title = interaction.message.embeds[0]?.title ?? '';
      await interaction.editReply(pageMessage(transcript, title, Number(number), owner, timestamps === '1'));
    },
  },
} satisfies SlashCommand;

export const transcribeMessage = {
  data: { type: ApplicationCommandType.Message, name: 'Transcribe' },
  async run(interaction, context) {
    const audio = audioOf(interaction.targetMessage);
    if (audio.length === 0) throw new UserError(sentences.noAudioInMessage);
    await transcribeAll(interaction, context, audio, false, { language: null, timestamps: true, format: null });
  },
} satisfies MessageCommand;

/** Voice messages and attached audio or video, forwarded ones too. */
function audioOf(message: Message): Attachment[] {
  const attachments = [message, ...message.messageSnapshots.values()].flatMap((one) => [...(one.attachments?.values() ?? [])]);
  return attachments.filter(
    ({ contentType, name, duration }) =>
      duration !== null ||
      /^(audio|video)\//.test(contentType ?? '') ||
      /\.(mp3|wav|ogg|oga|opus|flac|m4a|mp4|webm|aac|aiff?|wma)$/i.test(name),
  );
}

/** One answer for each recording: the first is the reply, the others follow it. One that fails does not stop the others. */
async function transcribeAll(
  interaction: Asked,
  context: Context,
  recordings: Attachment[],
  isPrivate: boolean,
  wish: Wish,
): Promise<void> {
  const [first] = recordings;
  if (recordings.length === 1 && first) context.attachments.check(first);
  await interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {});
  const problems: unknown[] = [];
  let answered = false;
  for (const recording of recordings) {
    try {
      const message = await transcriptMessage(interaction, context, recording, wish);
      if (answered) await interaction.followUp({ ...message, ...(interaction.ephemeral ? { flags: MessageFlags.Ephemeral } : {}) });
      else await interaction.editReply(message);
      answered = true;
    } catch (error) {
      if (recordings.length === 1) throw error;
      problems.push(error);
    }
  }
  if (!answered) throw problems[0];
  for (const problem of problems) await context.tell(interaction, problem);
}

/** The signal, and the end of the time in which Discord lets the interaction be answered. */
function whileAnswerable({ createdTimestamp }: Asked, signal: AbortSignal) {
  const limit = AbortSignal.timeout(Math.max(0, createdTimestamp + ANSWERABLE_MS - Date.now()));
  return { signal: AbortSignal.any([signal, limit]), limit };
}

async function transcriptMessage(interaction: Asked, context: Context, recording: Attachment, wish: Wish): Promise<BaseMessageOptions> {
  const { api, attachments } = context;
  const { signal, limit } = whileAnswerable(interaction, context.signal);
  const audio = await attachments.openAudio(recording, signal);
  const withTimes = wish.timestamps || wish.format === 'srt' || wish.format === 'vtt';
  const transcript = await api
    .transcribe(
      {
        audio,
        filename: recording.name,
        ...(recording.contentType ? { contentType: recording.contentType } : {}),
        language: wish.language,
        ignoreTimestamps: !withTimes,
      },
      { signal },
    )
    .catch((error: unknown) => {
      if (limit.aborted) throw new UserError(sentences.tookTooLong(recording.name), { cause: error });
      if (!(error instanceof ApiError) || error.kind !== 'validation') throw error;
      const sentence = error.status === 413 ? sentences.tooLargeForService : sentences.unreadable;
      throw new UserError(sentence(recording.name), { cause: error });
    });
  const title = truncate(escapeMarkdown(recording.name), 200);
  if (!hasSpeech(transcript)) return { embeds: [{ color: COLOR, title, description: sentences.noSpeech }] };
  const message = pageMessage(transcript, title, 1, interaction.user.id, wish.timestamps);
  const isLong = message.components.length > 0;
  const formats = new Set<TranscriptFormat>(isLong ? [wish.format ?? 'text', 'json'] : wish.format ? [wish.format] : []);
  const files = [...formats].map((format) => writeFile(transcript, format, recording.name, wish.timestamps));
  return { ...message, files: files.map(({ name, text }) => new AttachmentBuilder(Buffer.from(text), { name })) };
}

/** One page of a transcript, with buttons where there are more. */
export function pageMessage(transcript: Transcript, title: string, wanted: number, owner: string, timestamps: boolean) {
  // The title and the footer count towards the 6,000 of all embeds, and there is only this one.
  const pages = makePages(transcript, { limit: limits.embedDescription, timestamps });
  const number = Math.min(Math.max(1, wanted), pages.length);
  const embed: APIEmbed = {
    color: COLOR,
    title: truncate(title.trim() || 'Transcript', limits.embedTitle),
    description: pages[number - 1] ?? sentences.noSpeech,
    ...(pages.length > 1 ? { footer: { text: `Page ${number} of ${pages.length} · the whole is in the attached file` } } : {}),
  };
  const button = (name: string, label: string, to: number, disabled: boolean) => ({
    type: ComponentType.Button as const,
    style: ButtonStyle.Secondary as const,
    label,
    custom_id: customId('transcript', name, to, owner, timestamps ? 1 : 0),
    disabled,
  });
  const row = {
    type: ComponentType.ActionRow as const,
    components: [
      button('previous', '‹ Previous', Math.max(1, number - 1), number <= 1),
      button('next', 'Next ›', number + 1, number >= pages.length),
    ],
  };
  return { embeds: [embed], components: pages.length > 1 ? [row] : [] };
}
