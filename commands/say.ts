// /say: speaks a text in a voice channel, or gives it as a file.
import {
  type APIEmbed,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  AttachmentBuilder,
  ChannelType,
  type ChatInputCommandInteraction,
} from 'discord.js';
import { ApiError } from '../src/api/index.ts';
import { type Context, type SlashCommand, UserError } from '../src/command.ts';
import { COLOR, limits, truncate } from '../src/embed.ts';
import { checkVoiceChannel } from '../src/permissions.ts';
import { sentences } from '../src/sentences/index.ts';
import { makeSpeakable, type SpeechRequest, SpeechTooLargeError } from '../src/speech/index.ts';
import type { Outcome } from '../src/voice/types.ts';

/** As long as a message may be. */
const MAX_TEXT = 2000;

interface Wish {
  text: string;
  voice: { id: string; title: string | null } | null;
}

export const say = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'say',
    description: 'Speak a text in your voice channel',
    options: [
      { type: ApplicationCommandOptionType.String, name: 'text', description: 'What to say', required: true },
      { type: ApplicationCommandOptionType.String, name: 'voice', description: 'Voice to speak in', autocomplete: true },
      {
        type: ApplicationCommandOptionType.Channel,
        name: 'channel',
        description: 'Voice channel to speak in (yours, unless you choose another)',
        channel_types: [ChannelType.GuildVoice],
      },
      { type: ApplicationCommandOptionType.Boolean, name: 'as_file', description: 'Answer with the sound as a file instead' },
    ],
  },

  spends: 'speech',

  complete(interaction, { voiceTitles }) {
    const found = voiceTitles.find(interaction.options.getFocused(), limits.choices);
    return found.filter(({ id }) => id.length <= limits.choiceValue).map(({ id, title }) => ({ name: title, value: id }));
  },

  async run(interaction, context) {
    const { options } = interaction;
    const typed = options.getString('voice')?.trim();
    const wish = { text: readText(interaction), voice: typed ? context.voiceTitles.resolve(typed) : null };
    if (options.getBoolean('as_file')) await sendFile(interaction, context, wish);
    else await speak(interaction, context, wish);
  },
} satisfies SlashCommand;

/** @throws UserError where there is nothing to speak, or too much. */
function readText(interaction: ChatInputCommandInteraction): string {
  const text = interaction.options.getString('text', true).trim();
  if (text === '') throw new UserError(sentences.noText);
  if (text.length > MAX_TEXT) throw new UserError(sentences.textTooLong(text.length, MAX_TEXT));
  return text;
}

async function speak(interaction: ChatInputCommandInteraction, context: Context, wish: Wish): Promise<void> {
  if (!interaction.inCachedGuild()) throw new UserError(sentences.notInGuild);
  const { member, options } = interaction;
  const channel = options.getChannel('channel', false, [ChannelType.GuildVoice]) ?? member.voice.channel;
  if (!channel) throw new UserError(sentences.notInVoice);
  checkVoiceChannel(channel, member);
  const utterance = context.speech.utterance(requestOf(interaction, wish), { signal: context.signal });

  // All three at once: the connection, the synthesis (the queue asks for the first sound as soon as it may) and the answer.
  const session = context.sessions.join(channel);
  const playback = session.enqueue(utterance, { id: interaction.id, memberId: interaction.user.id, label: wish.text });
  await interaction.deferReply();

  const show = (status: string) => interaction.editReply({ embeds: [sayEmbed(interaction, wish, status)] });
  // Once the answer stands, a change of it that fails (deleted by a moderator, older than 15 minutes) is nobody's problem.
  const update = (status: string) => show(status).catch(() => {});
  if (playback.position > 0) await show(sentences.waitingTurn(playback.position));
  if ((await playback.started) !== null) await (playback.position > 0 ? update : show)(sentences.speaking);
  const outcome = await playback.finished;
  const cause = outcome.ended === 'failed' ? withVoice(outcome.cause, wish) : null;
  if (cause !== null && outcome.seconds === 0) throw cause;
  await update(statusOf(outcome));
  if (cause !== null) await context.tell(interaction, cause);
}

async function sendFile(interaction: ChatInputCommandInteraction, context: Context, wish: Wish): Promise<void> {
  const request = requestOf(interaction, wish);
  await interaction.deferReply();
  const maxBytes = interaction.attachmentSizeLimit;
  const file = await context.speech.file(request, { signal: context.signal, maxBytes }).catch((error: unknown) => {
    throw error instanceof SpeechTooLargeError ? new UserError(sentences.fileTooLarge(maxBytes)) : withVoice(error, wish);
  });
  const name = `${fileName(wish.text)}.${file.extension}`;
  await interaction.editReply({
    embeds: [sayEmbed(interaction, wish, name)],
    files: [new AttachmentBuilder(Buffer.from(file.bytes), { name })],
  });
}

function statusOf(outcome: Outcome): string {
  if (outcome.ended === 'played') return sentences.spoken(outcome.seconds);
  if (outcome.ended === 'failed') return sentences.brokenOff(outcome.seconds);
  return outcome.ended === 'skipped' ? sentences.skipped : sentences.stopped;
}

/** A voice that the service does not have is the member's to change, not the operator's. */
function withVoice(error: unknown, { voice }: Wish): unknown {
  if (!voice || !(error instanceof ApiError)) return error;
  const isVoice = error.kind === 'not-found' || error.details.some(({ loc }) => loc.includes('reference_id'));
  return isVoice ? new UserError(sentences.unknownVoice(voice.title ?? voice.id), { cause: error }) : error;
}

/** Who says what, in which voice, and how it stands. */
function sayEmbed(interaction: ChatInputCommandInteraction, { text, voice }: Wish, status: string): APIEmbed {
  const { user } = interaction;
  const name = interaction.inCachedGuild() ? interaction.member.displayName : user.displayName;
  const picture = user.avatarURL();
  return {
    color: COLOR,
    author: { name: truncate(name, limits.embedAuthor), ...(picture ? { icon_url: picture } : {}) },
    description: truncate(text, limits.embedDescription),
    footer: {
      text: truncate(`${truncate(voice ? (voice.title ?? voice.id) : sentences.defaultVoice, 100)} · ${status}`, limits.embedFooter),
    },
  };
}

/** The first words, in characters that every file system takes. */
function fileName(text: string): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return Array.from(words.join('-')).slice(0, 40).join('').toLowerCase() || 'speech';
}

/** What is asked of the service. @throws UserError where nothing of the text has a sound. */
function requestOf(interaction: ChatInputCommandInteraction, { text, voice }: Wish): SpeechRequest {
  const { client, guild } = interaction;
  const spoken = makeSpeakable(text, {
    user: (id) => guild?.members.cache.get(id)?.displayName ?? client.users.cache.get(id)?.displayName,
    role: (id) => guild?.roles.cache.get(id)?.name,
    channel: (id) => guild?.channels.cache.get(id)?.name,
  });
  if (spoken === null) throw new UserError(sentences.noLetters);
  return { text: spoken, referenceId: voice?.id ?? null };
}
