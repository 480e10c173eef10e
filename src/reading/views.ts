// The messages of /read: the question before others would hear what they can't see, the notice that reading is on, and its status.
import {
  ButtonStyle,
  bold,
  channelMention,
  type Guild,
  PermissionFlagsBits,
  type RepliableInteraction,
  roleMention,
  userMention,
} from 'discord.js';
import { type Accent, button, type CardMessage, card, cards, row, separator, text } from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import type { Exposed } from '../discord/exposure.ts';
import { READING_PERMISSIONS } from '../discord/permissions.ts';
import type { KeyIn, Translator } from '../locales/index.ts';
import { asMarkdown, truncate } from '../text/untrusted-text.ts';
import { MAX_TITLE_LENGTH, type Voice, voiceName } from '../voice-catalogue/voice-name.ts';
import type { ReadChannel, ReadingCommandContext, ReadingStatus } from './types.ts';

/** Roles and members that are named in the question. */
const MAX_NAMED = 15;
/** Channels in a list. */
const MAX_CHANNELS = 10;
/** Limit for the text of the last problem. */
const MAX_PROBLEM = 500;

/** The buttons below that question. Only `start` has channels. */
export const readId = customId('read', {
  action: part.oneOf('start', 'keep'),
  textChannelId: part.optional(part.text),
  voiceChannelId: part.optional(part.text),
});

/** Asks the member who wants to start. @param text_ @param voice ids of channels */
export function exposedQuestion(t: Translator, { everyone, roleIds, memberIds }: Exposed, text_: string, voice: string): CardMessage {
  const readers = everyone ? [t('reading.everyone')] : [...roleIds.map(roleMention), ...memberIds.map(userMention)];
  const more = readers.length - MAX_NAMED;
  const who = more > 0 ? [...readers.slice(0, MAX_NAMED), t('reading.others', { count: more })] : readers;
  return cards(
    card(
      'waiting',
      text(t('reading.exposed', { voiceChannel: voice, textChannel: text_, who })),
      row(
        button(
          t('reading.startAnyway'),
          readId.write({ action: 'start', textChannelId: text_, voiceChannelId: voice }),
          ButtonStyle.Danger,
        ),
        button(t('reading.cancel'), readId.write({ action: 'keep' })),
      ),
    ),
  );
}

interface Started {
  how: 'started' | 'resumed';
  memberId: string;
  textChannelId: string;
  voiceChannelId: string;
  ignorePrefix: string;
  /** Nobody is in the voice channel yet. */
  isEmpty: boolean;
}

/** Tells everybody in the channel that it is read, and how to opt out. */
export function startedMessage(
  t: Translator,
  { how, memberId, textChannelId, voiceChannelId, ignorePrefix, isEmpty }: Started,
): CardMessage {
  const skipOne = ignorePrefix === '' ? [] : [t('reading.skipOne', { prefix: ignorePrefix })];
  return cards(
    card(
      'speaking',
      text(t(`reading.${how}`, { member: memberId, textChannel: textChannelId, voiceChannel: voiceChannelId })),
      text([t('reading.optOut'), ...skipOne].map((line) => `-# ${line}`).join('\n')),
      isEmpty ? text(`-# ${t('say.nobodyThere', { channel: voiceChannelId })}`) : null,
    ),
  );
}

/** Tells everybody that these channels are no longer read. */
export function stoppedMessage(t: Translator, memberId: string, stopped: readonly ReadChannel[]): CardMessage {
  const ids = [...new Set(stopped.map(({ textChannelId }) => textChannelId))].slice(0, MAX_CHANNELS);
  const isAlways = stopped.some(({ startedBy }) => startedBy === null);
  return cards(
    card(
      'neutral',
      text(t('reading.stopped', { member: memberId, textChannels: ids })),
      isAlways ? text(`-# ${t('reading.stoppedAlways')}`) : null,
    ),
  );
}

type Permission = KeyIn<'reading.status.optional'>;

/** A channel that is read, and the permissions that the bot lacks there. */
interface Lacking {
  channelId: string;
  /** Whether the bot can't see it; then it gets no messages. */
  isHidden: boolean;
  permissions: Permission[];
}

export interface StatusFacts {
  status: ReadingStatus;
  /** Whether Discord refuses the intent. */
  isRefused: boolean;
  lacking: Lacking[];
  /** Characters left for the server today, null = no limit; `resetsAt` in milliseconds since 1970. */
  left: number | null;
  resetsAt: number;
  /** The choices of the member who asks; `slowVoice` is the chosen voice if nothing is read in it. */
  member: { readAloud: boolean; isMuted: boolean; slowVoice: Voice };
}

export function statusMessage(t: Translator, facts: StatusFacts): CardMessage {
  const { status, isRefused, lacking, member } = facts;
  const isReading = status.channels.length > 0;
  const listed = status.channels.slice(0, MAX_CHANNELS).map((channel) => channelLine(t, channel));
  if (status.stopped.length > 0)
    listed.push(
      t('reading.status.stopped', { textChannels: status.stopped.slice(0, MAX_CHANNELS).map((channel) => channel.textChannelId) }),
    );
  const own = [
    member.readAloud ? null : t('reading.status.optedOut'),
    member.isMuted ? t('reading.mutedHere') : null,
    member.slowVoice === null
      ? null
      : t('reading.status.slowVoice', { voice: bold(asMarkdown(voiceName(member.slowVoice, t), MAX_TITLE_LENGTH)) }),
  ].filter((line) => line !== null);
  return cards(
    card(
      accentOf(facts),
      text(`### ${t('reading.status.title')}`),
      isRefused ? text(t('reading.noAccess')) : null,
      text(listed.length > 0 ? listed.join('\n') : t('reading.status.nothing')),
      ...(isReading ? [separator(), section(t('reading.status.titles.now'), nowLines(t, facts))] : []),
      ...lacking
        .slice(0, MAX_CHANNELS)
        .map((place) => section(`${t('reading.status.titles.here')} ${channelMention(place.channelId)}`, lackingLines(t, place))),
      own.length > 0 ? section(t('reading.status.titles.you'), own) : null,
    ),
  );
}

function section(title: string, lines: readonly string[]) {
  // A mention also works in bold.
  return text([bold(title), ...lines].join('\n'));
}

function accentOf({ status, isRefused, lacking, left }: StatusFacts): Accent {
  if (isRefused || left === 0 || lacking.some(({ isHidden }) => isHidden)) return 'failed';
  if (status.problem !== null || status.pausedBy !== null || status.stopped.length > 0) return 'waiting';
  return status.channels.length > 0 ? 'done' : 'neutral';
}

function channelLine(t: Translator, { textChannelId, voiceChannelId, startedBy }: ReadChannel): string {
  const key = startedBy === null ? 'reading.status.readsAlways' : 'reading.status.reads';
  return t(key, { textChannel: textChannelId, voiceChannel: voiceChannelId });
}

function nowLines(t: Translator, { status, left, resetsAt }: StatusFacts): string[] {
  const { waiting, delay, speed, isNameless, skipped, pausedBy, problem } = status;
  return [
    pausedBy ? t(`reading.status.paused.${pausedBy}`) : null,
    problem ? t('reading.status.problem', { at: problem.at, sentence: truncate(problem.sentence(t), MAX_PROBLEM) }) : null,
    waiting === 0 ? t('reading.status.nothingWaits') : t('reading.status.waiting', { messages: waiting, delay }),
    speed > 1 ? t('reading.status.faster', { factor: speed }) : null,
    isNameless ? t('reading.status.nameless') : null,
    skipped > 0 ? t('reading.status.skipped', { count: skipped }) : null,
    left === 0
      ? t('reading.status.usedUp', { resetsAt })
      : left === null
        ? t('reading.status.unlimited')
        : t('reading.status.left', { characters: left, resetsAt }),
  ].filter((line) => line !== null);
}

function lackingLines(t: Translator, { isHidden, permissions }: Lacking): string[] {
  if (isHidden) return [t('status.bad', { what: t('status.viewChannel'), next: t('reading.status.viewChannelNext') })];
  return permissions.map((name) => t('status.bad', { what: t(`permissions.${name}`), next: t(`reading.status.optional.${name}`) }));
}

// Gathers what /read status shows.

const DAY_MS = 24 * 3600_000;

/** @throws StoreError */
export async function gatherStatus(
  { guild, user }: RepliableInteraction<'cached'>,
  { reading, settings, credit, slowVoices, messageAccess }: ReadingCommandContext,
): Promise<StatusFacts> {
  const status = reading.status(guild.id);
  const [{ readAloud, voice }, { muted }, budgets] = await Promise.all([
    settings.member(user.id),
    settings.guild(guild.id),
    credit.todaysBudgets('speech', { guildId: guild.id, memberId: user.id }),
  ]);
  const { used, cap } = budgets.guild ?? { used: 0, cap: Number.POSITIVE_INFINITY };
  return {
    status,
    isRefused: messageAccess() === 'refused',
    lacking: [...new Set(status.channels.map(({ textChannelId }) => textChannelId))].flatMap((id) => findLacking(guild, id) ?? []),
    left: Number.isFinite(cap) ? Math.max(0, Math.floor(cap - used)) : null,
    // Days are in UTC.
    resetsAt: (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS,
    member: { readAloud, isMuted: muted.includes(user.id), slowVoice: voice && slowVoices().includes(voice.id) ? voice : null },
  };
}

/** Null if nothing is missing. */
function findLacking(guild: Guild, channelId: string): Lacking | null {
  const { me } = guild.members;
  const ownPermissions = me && guild.channels.cache.get(channelId)?.permissionsFor(me);
  const isHidden = !ownPermissions?.has(PermissionFlagsBits.ViewChannel);
  const permissions = READING_PERMISSIONS.filter((name) => !ownPermissions?.has(PermissionFlagsBits[name]));
  return isHidden || permissions.length > 0 ? { channelId, isHidden, permissions: [...permissions] } : null;
}
