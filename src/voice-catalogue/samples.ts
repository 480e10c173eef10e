// "Hear…": plays a sample in the member's voice channel, or attaches it if the member is in none.
import { AttachmentBuilder, MessageFlags, type VoiceBasedChannel } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { VoiceModel } from '../api/index.ts';
import { containerOf, looksLikeAudio } from '../audio/containers/formats.ts';
import { createVoiceLoudness, detectFormat, PACKET_MS, toOpusPackets } from '../audio/index.ts';
import { checkVoiceRules } from '../discord/access.ts';
import { asEdit, asPrivate, type CardMessage, card, cards, file, notice, text } from '../discord/cards.ts';
import type { ComponentInteraction } from '../discord/command.ts';
import { UserError } from '../discord/errors.ts';
import { playPaid } from '../discord/playback.ts';
import { checkVoiceChannel } from '../discord/voice-channels.ts';
import type { Utterance } from '../voice-session/types.ts';
import type { VoicesContext } from './catalogue.ts';
import { FetchError, type SafeFetch } from './safe-fetch.ts';
import { titleOf } from './voice-name.ts';

/** Milliseconds: Discord takes changes of a reply for 15 minutes. */
const EDITABLE_MS = 14 * 60_000;

type Reply = CardMessage & { files?: AttachmentBuilder[] };

/** Changes the reply in which a member heard the last sample below a message, by both their ids: the next sample takes its place. */
const lastReplies = new LRUCache<string, (reply: Reply) => Promise<unknown>>({ max: 1_000, ttl: EDITABLE_MS });

/**
 * Replies privately, in place of the sample before.
 * @param find returns the voice as it is now
 * @param choose returns the index of the sample
 * @throws UserError, VoiceError, AudioError, StoreError, whatever `find` throws
 */
export async function playSample(
  interaction: ComponentInteraction,
  context: VoicesContext,
  find: () => Promise<VoiceModel>,
  choose: (voice: VoiceModel) => number,
): Promise<void> {
  const channel = await channelOf(interaction, context);
  const show = await beginReply(interaction);
  const voice = await find();
  const sample = await readSample(context.safeFetch, voice, choose(voice), context.signal);
  if (channel) {
    await play(interaction, context, { channel, title: titleOf(voice), sample, show });
  } else {
    const reply = cards(card('done', text(context.t('voices.sampleAttached', { title: titleOf(voice) })), file(sample.fileName)));
    const files = [new AttachmentBuilder(Buffer.from(sample.bytes), { name: sample.fileName })];
    await show({ ...reply, files });
  }
}

const withoutLastFile = (reply: Reply) => ({ ...asEdit(reply), attachments: [] });

/** Returns what shows the reply. */
async function beginReply(interaction: ComponentInteraction): Promise<(reply: Reply) => Promise<void>> {
  const key = `${interaction.message.id}:${interaction.user.id}`;
  const editLast = lastReplies.get(key);
  if (!editLast) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    lastReplies.set(key, (reply) => interaction.editReply(withoutLastFile(reply)));
    return async (reply) => void (await interaction.editReply(asEdit(reply)));
  }
  await interaction.deferUpdate();
  return async (reply) => {
    try {
      await editLast(reply);
    } catch {
      // If the member has dismissed the earlier reply, a new one follows.
      const { id } = await interaction.followUp(asPrivate(reply));
      lastReplies.set(key, (next) => interaction.webhook.editMessage(id, withoutLastFile(next)));
    }
  };
}

/** The member's voice channel; null if they are in none. @throws UserError if the member or the bot may not speak there */
async function channelOf(interaction: ComponentInteraction, { settings, isServerMuted }: VoicesContext): Promise<VoiceBasedChannel | null> {
  if (!interaction.inCachedGuild()) return null;
  const { channel } = interaction.member.voice;
  if (!channel) return null;
  checkVoiceRules(channel, interaction.member, await settings.guild(interaction.guildId));
  checkVoiceChannel(channel, interaction.member, isServerMuted(interaction.member));
  return channel;
}

async function play(
  interaction: ComponentInteraction,
  { sessions, settings, t }: VoicesContext,
  { channel, title, sample, show }: { channel: VoiceBasedChannel; title: string; sample: Sample; show: (reply: Reply) => Promise<void> },
): Promise<void> {
  const { volume, stay } = await settings.guild(channel.guildId);
  const playback = await playPaid(sessions, {
    id: interaction.id,
    memberId: interaction.user.id,
    label: { voice: title, text: null, seconds: null },
    channel,
    stay,
    utterance: sampleUtterance(sample, volume),
  });
  await show(notice(t('voices.samplePlays', { before: playback.position, title, channel: channel.id }), 'speaking'));
  const outcome = await playback.finished;
  if (outcome.ended === 'failed') throw outcome.cause;
}

// Samples of voices: recordings that the service links to, to be played or attached. They cost no credit.

/** Three minutes of MP3 at 192 kbit/s. */
const MAX_BYTES = 4 * 1024 * 1024;
/** One minute. */
const MAX_PACKETS = 60_000 / PACKET_MS;

export interface Sample {
  bytes: Uint8Array;
  contentType: string;
  /** Named by its format. */
  fileName: string;
}

/** @throws UserError if there is none (any more), or it cannot be played */
export async function readSample(safeFetch: SafeFetch, voice: VoiceModel, index: number, signal: AbortSignal): Promise<Sample> {
  const title = titleOf(voice);
  const address = voice.samples[index]?.audio.trim();
  if (!address) throw new UserError((t) => t('voices.noSample', { title }));
  const { bytes, contentType } = await safeFetch.read(address, { maxBytes: MAX_BYTES, signal }).catch((error: unknown) => {
    if (!(error instanceof FetchError)) throw error;
    const topic = error.kind === 'too-large' ? 'sampleTooLarge' : 'sampleUnreadable';
    throw new UserError((t) => t(`voices.${topic}`, { title }), { cause: error });
  });
  if (!looksLikeAudio(bytes)) throw new UserError((t) => t('voices.sampleNotAudio', { title }));
  return { bytes, contentType, fileName: `sample-${index + 1}.${extensionOf(bytes)}` };
}

function extensionOf(bytes: Uint8Array): string {
  const detected = detectFormat(bytes, true);
  if (detected?.format === 'mp3' || detected?.format === 'wav') return detected.format;
  const kind = containerOf(bytes)?.kind;
  return kind === 'mp4' ? 'm4a' : (kind ?? 'bin');
}

/** The recording at the common loudness, at most a minute of it. @param volume factor, 0 to 2 */
export function sampleUtterance({ bytes, contentType }: Sample, volume: number): Utterance {
  async function* open(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let left = MAX_PACKETS;
    for await (const packet of toOpusPackets(whole(bytes), { contentType, signal, volume, loudness: createVoiceLoudness() })) {
      yield packet;
      if (--left <= 0) return;
    }
  }
  // The bytes are in memory: there is nothing to prepare or release.
  return { prepare() {}, ready: Promise.resolve(), open, cancel() {} };
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
