// The message of /status: the verdict first, then each part with what to do about it.
import { bold, channelMention, TimestampStyles, time } from 'discord.js';
import { type Accent, type CardMessage, card, cards, limits, readTexts, separator, text } from '../discord/cards.ts';
import { NEEDED_PERMISSIONS, nameInDiscord } from '../discord/voice-channels.ts';
import type { KeyIn, Translator } from '../locales/index.ts';
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
  t: Translator,
  facts: Facts,
  { state, sentence }: Verdict,
  { here, operator, shardId }: StatusDetails,
): CardMessage {
  const { inGuild, service, spending } = facts;
  const part = (title: KeyIn<'status.titles'>, ...lines: string[]) =>
    text(truncate([bold(t(`status.titles.${title}`)), ...lines].join('\n'), MAX_PART));
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
                ? [t('status.good', { what: [t('status.viewChannel'), t('status.sendMessages')].join(SEPARATOR) })]
                : [
                    check(here.viewChannel, t('status.viewChannel'), t('status.permissionNext')),
                    check(here.sendMessages, t('status.sendMessages'), t('status.sendMessagesNext')),
                  ]),
            ),
          ]
        : []),
      part('service', serviceLine(t, service), ...(spending.credit === null ? [] : [`✗ ${spending.credit}`])),
      operator && part('credit', balanceLine(t, operator.balance)),
    ),
  );
  if (operator?.whole !== undefined) {
    const title = bold(t('status.titles.whole'));
    const left = limits.cardText - readTexts(message.components).reduce((sum, { length }) => sum + length, title.length + 1);
    const lines = operator.whole ? wholeBotLines(t, operator.whole, shardId, left) : [`✗ ${t('status.wholeBot.unknown')}`];
    message.components[0]?.components.push(text(truncate([title, ...lines].join('\n'), left + title.length + 1)));
  }
  return message;
}

function serviceLine(t: Translator, service: Facts['service']): string {
  if ('ms' in service) return t('status.good', { what: t('status.answered', { ms: Math.round(service.ms) }) });
  return 'problem' in service ? `✗ ${service.problem}` : `· ${service.unknown}`;
}

/** @param balance as the service returns it, or why it can't be read */
function balanceLine(t: Translator, balance: string): string {
  const amount = Number(balance);
  return Number.isFinite(amount) && balance.trim() !== '' ? t('credit.left', { credit: amount }) : truncate(balance.trim() || '?', 200);
}

function checkLine(t: Translator, isGood: boolean, fact: string, next: string): string {
  return isGood ? t('status.good', { what: fact }) : t('status.bad', { what: fact, next });
}

function channelLines(t: Translator, { channel, me }: Facts): string[] {
  if (!channel) return [t('status.noChannel')];
  if (channel.isStage) return [channelMention(channel.id), t('status.isStage')];
  const permissions = nameInDiscord(NEEDED_PERMISSIONS, t);
  return [
    channelMention(channel.id),
    // In Discord's order, and on a line each only if one of them needs attention.
    ...(channel.missing.length === 0
      ? [t('status.good', { what: permissions.join(SEPARATOR) })]
      : permissions.map((name) => checkLine(t, !channel.missing.includes(name), name, t('status.permissionNext')))),
    me.serverMute
      ? t('status.bad', { what: t('status.muted'), next: t('status.mutedNext') })
      : t('status.good', { what: t('status.notMuted') }),
    channel.isFull
      ? t('status.bad', { what: t('status.isFull'), next: t('status.fullNext') })
      : t('status.good', { what: t('status.room') }),
  ];
}

function memberLines(t: Translator, { member: { selfDeaf, serverDeaf, refusal }, spending }: Facts): string[] {
  const reason = refusal ?? spending.budget;
  return [
    serverDeaf || selfDeaf
      ? t('status.bad', { what: t('status.deaf'), next: serverDeaf ? t('status.serverDeafNext') : t('status.selfDeafNext') })
      : t('status.good', { what: t('status.hears') }),
    reason === null ? t('status.good', { what: t('status.allowed') }) : t('status.bad', { what: t('status.notAllowed'), next: reason }),
  ];
}

function connectionLines(t: Translator, { session, movingFrom, volume }: Facts): string[] {
  const queue = [
    t('status.queueLength', { length: session?.length ?? 0 }),
    ...(volume === null ? [] : [t('status.volumeIs', { volume })]),
  ].join(SEPARATOR);
  if (movingFrom !== null) return [t('status.movingFrom', { voiceChannel: movingFrom }), queue];
  if (!session) return [t('status.notConnected'), queue];
  const { channelId, state, unheard, captioned } = session;
  const ping = 'ping' in state ? (state.ping.udp ?? state.ping.ws) : null;
  return [
    t(`status.connection.${state.status}`, {
      voiceChannel: channelId,
      since: time(Math.floor(state.since / 1000), TimestampStyles.RelativeTime),
    }),
    ...(state.status === 'ready'
      ? [checkLine(t, state.encrypted, state.encrypted ? t('status.encrypted') : t('status.notEncrypted'), t('status.notEncryptedNext'))]
      : []),
    ...(captioned === null ? [] : [t('captions.status', { channel: channelId, count: captioned })]),
    ...(unheard > 0 ? [t('status.bad', { what: t('status.unheard', { count: unheard }), next: t('status.unheardNext') })] : []),
    ...(ping === null ? [] : [t('status.ping', { ms: Math.round(ping) })]),
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

/** @param shardId of the server where this is asked @param length of all lines together, at least a few hundred */
function wholeBotLines(t: Translator, whole: WholeBot, shardId: number, length: number): string[] {
  const { processes, free, handoffs } = whole;
  const sum = (countOf: (process: BotProcess) => number) => processes.reduce((total, process) => total + countOf(process), 0);
  const lines = [
    [
      t('status.wholeBot.processes', { count: processes.length }),
      t('status.wholeBot.shards', { count: whole.shardCount }),
      ...serverFacts(t, { guilds: sum(({ guilds }) => guilds), speaking: sum(({ speaking }) => speaking) }),
    ].join(SEPARATOR),
    ...(free.length > 0
      ? [
          t('status.bad', {
            what: t('status.wholeBot.free', { count: free.length, list: rangesOf(free) }),
            next: t('status.wholeBot.freeNext'),
          }),
        ]
      : []),
    ...(handoffs.length > 0 ? [t('status.wholeBot.moving', { count: handoffs.length, list: rangesOf(handoffs) })] : []),
  ];
  const hosts = processes.map(({ host }) => host);
  const isShared = (host: string) => hosts.indexOf(host) !== hosts.lastIndexOf(host);
  const listed = processes
    .toSorted((a, b) => weightOf(b) - weightOf(a) || (a.shards[0] ?? 0) - (b.shards[0] ?? 0))
    .map((process) => {
      const name = isShared(process.host) ? `${process.host} ${process.pid}` : process.host;
      return [
        [asCode(name, MAX_NAME), ...remarksOn(t, process, shardId)].join(SEPARATOR),
        `-# ${factsOf(t, process).join(SEPARATOR)}`,
      ].join('\n');
    });
  let left = length - lines.join('\n').length - MORE;
  const most = Math.max(MAX_SHOWN, processes.filter((process) => weightOf(process) > 0).length);
  const tooMany = listed.findIndex((line, index) => {
    left -= line.length + 1;
    return left < 0 || index === most;
  });
  if (tooMany === -1) return [...lines, ...listed];
  return [...lines, ...listed.slice(0, tooMany), t('status.wholeBot.more', { count: listed.length - tooMany })];
}

/** Sorts the process that answers first, then those that need attention. */
function weightOf({ isOwn, isLeaving, outage, shards }: BotProcess): number {
  return isOwn ? 2 : Number(isLeaving || outage !== null || shards.length === 0);
}

function remarksOn(t: Translator, { outage, isLeaving, isOwn }: BotProcess, shardId: number): string[] {
  return [
    ...(outage === null ? [] : [`✗ ${t('status.wholeBot.serviceDown')}`]),
    ...(isLeaving ? [t('status.wholeBot.leaving')] : []),
    ...(isOwn ? [t('status.wholeBot.answersHere', { shard: shardId })] : []),
  ];
}

function factsOf(t: Translator, { shards, startedAt, ...process }: BotProcess): string[] {
  return [
    shards.length === 0 ? t('status.wholeBot.noShards') : t('status.wholeBot.shardList', { count: shards.length, list: rangesOf(shards) }),
    ...serverFacts(t, process),
    t('status.wholeBot.started', { since: time(Math.floor(startedAt / 1000), TimestampStyles.RelativeTime) }),
  ];
}

function serverFacts(t: Translator, { guilds, speaking }: Pick<BotProcess, 'guilds' | 'speaking'>): string[] {
  return [t('status.wholeBot.servers', { count: guilds }), ...(speaking > 0 ? [t('status.wholeBot.speakingIn', { count: speaking })] : [])];
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
