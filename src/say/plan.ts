// From a wish to what is asked of the voice service: the text made speakable and cut, the voice, the speed, the volume.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatInputCommandInteraction, ModalSubmitInteraction } from 'discord.js';
import type { ComponentInteraction } from '../bot/command.ts';
import { UserError } from '../bot/user-error.ts';
import { ASK_FROM_SHARE, type Spending } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';
import { LONGEST_TEXT } from '../settings/index.ts';
import { makeSpeakable, type Pin, type SoundScope, type SpeechRequest, truncateSpeech } from '../speech/index.ts';
import type { SayContext } from './context.ts';
import { type Voice, voicesFor } from './voices.ts';
import { roundSpeed, type Wish } from './wish.ts';

/** Milliseconds: Discord waits 3 s for the answer, and members wait for the sound. */
const MEET_MS = 500;
const MOST_TO_MEET = 5;
/** A volume, as a factor: what is 20 dB quieter can be raised again in a file without being heard to be so. */
const QUIETEST_FILE = 0.1;

/** What a member can ask with: the command itself, a button of its answers, or the form behind one. */
export type Asked = ChatInputCommandInteraction | ComponentInteraction | ModalSubmitInteraction;

export interface Plan {
  wish: Wish;
  /** As it is asked of the service. */
  spoken: string;
  /** Characters that are asked of the service; 0 if the sound is pinned. */
  characters: number;
  /** The sound in the first of the voices, if it has been said here before and is kept; to be released by whoever has the plan. */
  pin: Pin | null;
  /** Who may find out that it has been said before. */
  scope: SoundScope;
  /** Longer as it is spoken than is allowed, so that its end is left out. */
  isCut: boolean;
  /** Tried in this order while the service does not have one. */
  voices: [Voice, ...Voice[]];
  speed: number;
  volume: number;
  /** Whether the reply shows the text. */
  showText: boolean;
  /** Whether to stay in the channel when all has been said. */
  stay: boolean;
}

/** @param channelId of the voice channel, null for a file. @throws UserError where nothing of the text has a sound */
export async function makePlan(interaction: Asked, context: SayContext, wish: Wish, channelId: string | null): Promise<Plan> {
  const [member, guild] = await Promise.all([
    context.settings.member(interaction.user.id),
    interaction.inCachedGuild() ? context.settings.guild(interaction.guildId) : null,
    meetMentioned(interaction, wish.text),
  ]);
  const whole = speakable(interaction, wish.text);
  const spoken = truncateSpeech(whole, guild?.lengthCap ?? LONGEST_TEXT, en.say.andSoOn);
  const { id: userId } = interaction.user;
  const scope = interaction.inCachedGuild() ? { guildId: interaction.guildId } : { userId };
  const plan = {
    ...{ wish, spoken, isCut: spoken !== whole, scope },
    voices: voicesFor(wish, { member, guild, channelId }, context),
    speed: roundSpeed(wish.speed ?? member.speed),
    volume: guild?.volume ?? 1,
    showText: guild?.showText ?? true,
    stay: guild?.stay ?? false,
  };
  // What was made too quiet is no good as a file.
  const canBeKept = channelId !== null || plan.volume >= QUIETEST_FILE;
  const pin = canBeKept ? await context.speech.pin(requestOf(plan, plan.voices[0]), userId) : null;
  return { ...plan, pin, characters: pin ? 0 : spoken.length };
}

export function requestOf(plan: Pick<Plan, 'spoken' | 'speed' | 'volume' | 'scope'>, voice: Voice): SpeechRequest {
  const { spoken, speed, volume, scope } = plan;
  return { text: spoken, referenceId: voice?.id ?? null, speed, volume, scope };
}

/** A server that I am no member of has no budget: what is used there counts as outside of servers. */
export function spendingOf(interaction: Asked, { characters }: Plan): Spending {
  const guildId = interaction.inCachedGuild() ? interaction.guildId : null;
  return { kind: 'speech', amount: characters, guildId, memberId: interaction.user.id };
}

/** The share of the balance, 0 to 1, that the member is to be asked about first; null if it costs little, or nobody knows how much. */
export function shareToAsk({ characters }: Plan, { credit }: Pick<SayContext, 'credit'>): number | null {
  if (characters === 0) return null;
  const share = credit.shareOfBalance({ kind: 'speech', amount: characters });
  return share === null || share < ASK_FROM_SHARE ? null : share;
}

/**
 * Members are known here once they did something that I saw. Those who are mentioned and not known are asked for, so that they are
 * called by their names; who is not there in time is "someone".
 */
async function meetMentioned({ client, guild }: Asked, text: string): Promise<void> {
  const ids = [...text.matchAll(/<@!?(\d{17,20})>/g)].map(([, id = '']) => id);
  const unknown = [...new Set(ids)].filter((id) => !guild?.members.cache.has(id) && !client.users.cache.has(id)).slice(0, MOST_TO_MEET);
  if (unknown.length === 0) return;
  const met = unknown.map((id) => (guild ? guild.members.fetch(id) : client.users.fetch(id)));
  await Promise.race([Promise.allSettled(met), sleep(MEET_MS, undefined, { ref: false })]);
}

function speakable({ client, guild }: Asked, text: string): string {
  if (text === '') throw new UserError(en.say.noText);
  const spoken = makeSpeakable(text, {
    user: (id) => guild?.members.cache.get(id)?.displayName ?? client.users.cache.get(id)?.displayName,
    role: (id) => guild?.roles.cache.get(id)?.name,
    channel: (id) => guild?.channels.cache.get(id)?.name,
  });
  if (spoken === null) throw new UserError(en.say.nothingSpeakable);
  return spoken;
}
