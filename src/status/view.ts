// The message of /status: the verdict first, then each part with what to do about it.
import { bold, channelMention, TimestampStyles, time } from 'discord.js';
import { type Accent, type CardMessage, card, cards, limits, readTexts, separator, text } from '../discord/cards.ts';
import type { Words } from '../locales/index.ts';
import type { BotProcess, WholeBot } from '../processes/processes.ts';
import { asCode, truncate } from '../text/untrusted-text.ts';
import type { Facts, OperatorFacts, Verdict } from './facts.ts';

/** Shown beside the facts. */
export interface StatusDetails {
  /** The bot's permissions in the channel of the command. */
  here: { viewChannel: boolean; sendMessages: boolean };
  /** Null unless an operator asks. */
  operator: OperatorFacts | null;
  /** The shard that this server is on. */
  shardId: number;
}

const ACCENTS: Record<Verdict['state'], Accent> = { good: 'done', wait: 'waiting', bad: 'failed' };

const SEPARATOR = ' · ';

/** The verdict, each of six parts and at least as much of the whole bot, together within `limits.cardText`. */
const MAX_VERDICT = 700;
const MIN_WHOLE = 600;
const MAX_PART = Math.floor((limits.cardText - MAX_VERDICT - MIN_WHOLE) / 6);

export function statusMessage(
  t: Words,
  facts: Facts,
  { state, sentence }: Verdict,
  { here, operator, shardId }: StatusDetails,
): CardMessage {
  const words = t.status;
  const { inGuild, service, spending } = facts;
  const part = (title: keyof typeof words.titles, ...lines: string[]) =>
    text(truncate([bold(words.titles[title]), ...lines].join('\n'), MAX_PART));
  const check = checkLine.bind(null, t);
  const message = cards(
    card(
      ACCENTS[state],
      text(truncate(sentence, MAX_VERDICT)),
      separator(),
      ...(inGuild
        ? [
            part('voice', ...channelLines(t, facts)),
            part('you', ...memberLines(t, facts)),
            part('connection', ...connectionLines(t, facts)),
            part(
              'here',
              ...(here.viewChannel && here.sendMessages
                ? [words.good([words.viewChannel, words.sendMessages].join(SEPARATOR))]
                : [
                    check(here.viewChannel, words.viewChannel, words.permissionNext),
                    check(here.sendMessages, words.sendMessages, words.sendMessagesNext),
                  ]),
            ),
          ]
        : []),
      part('service', serviceLine(t, service), ...(spending.credit === null ? [] : [`✗ ${spending.credit}`])),
      operator && part('credit', balanceLine(t, operator.balance)),
    ),
  );
  if (operator?.whole !== undefined) {
    const title = bold(words.titles.whole);
    const left = limits.cardText - readTexts(message.components).reduce((sum, { length }) => sum + length, title.length + 1);
    const lines = operator.whole ? wholeBotLines(words, operator.whole, shardId, left) : [`✗ ${words.wholeBot.unknown}`];
    message.components[0]?.components.push(text(truncate([title, ...lines].join('\n'), left + title.length + 1)));
  }
  return message;
}

function serviceLine({ status: t }: Words, service: Facts['service']): string {
  if ('ms' in service) return t.good(t.answered(Math.round(service.ms)));
  return 'problem' in service ? `✗ ${service.problem}` : `· ${service.unknown}`;
}

/** @param balance as the service returns it, or why it can't be read */
function balanceLine({ credit: t }: Words, balance: string): string {
  const amount = Number(balance);
  return Number.isFinite(amount) && balance.trim() !== '' ? t.left(amount) : truncate(balance.trim() || '?', 200);
}

function checkLine({ status: t }: Words, isGood: boolean, what: string, next: string): string {
  return isGood ? t.good(what) : t.bad(what, next);
}

function channelLines(t: Words, { channel, me }: Facts): string[] {
  if (!channel) return [t.status.noChannel];
  if (channel.isStage) return [channelMention(channel.id), t.status.isStage];
  const permissions = Object.values(t.voiceChannels.permissionNames);
  return [
    channelMention(channel.id),
    // In Discord's order, and on a line each only if one of them needs attention.
    ...(channel.missing.length === 0
      ? [t.status.good(permissions.join(SEPARATOR))]
      : permissions.map((name) => checkLine(t, !channel.missing.includes(name), name, t.status.permissionNext))),
    me.serverMute ? t.status.bad(t.status.muted, t.status.mutedNext) : t.status.good(t.status.notMuted),
    channel.isFull ? t.status.bad(t.status.isFull, t.status.fullNext) : t.status.good(t.status.room),
  ];
}

function memberLines({ status: t }: Words, { member: { selfDeaf, serverDeaf, refusal }, spending }: Facts): string[] {
  const reason = refusal ?? spending.budget;
  return [
    serverDeaf || selfDeaf ? t.bad(t.deaf, serverDeaf ? t.serverDeafNext : t.selfDeafNext) : t.good(t.hears),
    reason === null ? t.good(t.allowed) : t.bad(t.notAllowed, reason),
  ];
}

function connectionLines(t: Words, { session, movingFrom, volume }: Facts): string[] {
  const queue = [t.status.queueLength(session?.length ?? 0), ...(volume === null ? [] : [t.status.volumeIs(volume)])].join(SEPARATOR);
  if (movingFrom !== null) return [t.status.movingFrom(channelMention(movingFrom)), queue];
  if (!session) return [t.status.notConnected, queue];
  const { channelId, state, unheard, captioned } = session;
  const ping = 'ping' in state ? (state.ping.udp ?? state.ping.ws) : null;
  return [
    t.status.connection[state.status](channelMention(channelId), time(Math.floor(state.since / 1000), TimestampStyles.RelativeTime)),
    ...(state.status === 'ready'
      ? [checkLine(t, state.encrypted, state.encrypted ? t.status.encrypted : t.status.notEncrypted, t.status.notEncryptedNext)]
      : []),
    ...(captioned === null ? [] : [t.captions.status(channelId, captioned)]),
    ...(unheard > 0 ? [t.status.bad(t.status.unheard(unheard), t.status.unheardNext)] : []),
    ...(ping === null ? [] : [t.status.ping(Math.round(ping))]),
    queue,
  ];
}

// The whole bot, for its operators: what is wrong, and as many of its processes as there is room for.

/** Limit for a name or a list of shards. */
const MAX_NAME = 60;
const MAX_LIST = 80;
/** How many healthy processes are shown; operators with more have a dashboard. */
const MAX_SHOWN = 10;
/** Room for a line that says how many more there are. */
const MORE = 60;

type WholeBotWords = Words['status']['wholeBot'];

/** @param shardId of the server where this is asked @param length of all lines together, at least a few hundred */
function wholeBotLines({ wholeBot: t, bad }: Words['status'], whole: WholeBot, shardId: number, length: number): string[] {
  const { processes, free, handoffs } = whole;
  const sum = (countOf: (one: BotProcess) => number) => processes.reduce((total, one) => total + countOf(one), 0);
  const lines = [
    [
      t.processes(processes.length),
      t.shards(whole.shardCount),
      ...serverFacts(t, { guilds: sum(({ guilds }) => guilds), speaking: sum(({ speaking }) => speaking) }),
    ].join(SEPARATOR),
    ...(free.length > 0 ? [bad(t.free(rangesOf(free), free.length), t.freeNext)] : []),
    ...(handoffs.length > 0 ? [t.moving(rangesOf(handoffs), handoffs.length)] : []),
  ];
  const hosts = processes.map(({ host }) => host);
  const isShared = (host: string) => hosts.indexOf(host) !== hosts.lastIndexOf(host);
  const listed = processes
    .toSorted((a, b) => weightOf(b) - weightOf(a) || (a.shards[0] ?? 0) - (b.shards[0] ?? 0))
    .map((one) => {
      const name = isShared(one.host) ? `${one.host} ${one.pid}` : one.host;
      return [[asCode(name, MAX_NAME), ...remarksOn(t, one, shardId)].join(SEPARATOR), `-# ${factsOf(t, one).join(SEPARATOR)}`].join('\n');
    });
  let left = length - lines.join('\n').length - MORE;
  const most = Math.max(MAX_SHOWN, processes.filter((one) => weightOf(one) > 0).length);
  const tooMany = listed.findIndex((line, index) => {
    left -= line.length + 1;
    return left < 0 || index === most;
  });
  if (tooMany === -1) return [...lines, ...listed];
  return [...lines, ...listed.slice(0, tooMany), t.more(listed.length - tooMany)];
}

/** Sorts the process that answers first, then those that need attention. */
function weightOf({ isOwn, isLeaving, outage, shards }: BotProcess): number {
  return isOwn ? 2 : Number(isLeaving || outage !== null || shards.length === 0);
}

function remarksOn(t: WholeBotWords, { outage, isLeaving, isOwn }: BotProcess, shardId: number): string[] {
  return [
    ...(outage === null ? [] : [`✗ ${t.serviceDown}`]),
    ...(isLeaving ? [t.leaving] : []),
    ...(isOwn ? [t.answersHere(shardId)] : []),
  ];
}

function factsOf(t: WholeBotWords, { shards, startedAt, ...process }: BotProcess): string[] {
  return [
    shards.length === 0 ? t.noShards : t.shardList(rangesOf(shards), shards.length),
    ...serverFacts(t, process),
    t.started(time(Math.floor(startedAt / 1000), TimestampStyles.RelativeTime)),
  ];
}

function serverFacts(t: WholeBotWords, { guilds, speaking }: Pick<BotProcess, 'guilds' | 'speaking'>): string[] {
  return [t.servers(guilds), ...(speaking > 0 ? [t.speakingIn(speaking)] : [])];
}

/** "0–3, 7". @param shards in order */
function rangesOf(shards: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const shard of shards) {
    const range = ranges.at(-1);
    if (range && range[1] === shard - 1) range[1] = shard;
    else ranges.push([shard, shard]);
  }
  return truncate(
    ranges.map(([first, last]) => (first === last ? `${first}` : `${first}${last - first === 1 ? ', ' : '–'}${last}`)).join(', '),
    MAX_LIST,
  );
}
