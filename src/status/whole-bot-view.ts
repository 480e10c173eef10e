// The whole bot for its operators: what is wrong, and as many of its processes as there is room for.
import { TimestampStyles, time } from 'discord.js';
import type { Words } from '../locales/index.ts';
import type { BotProcess, WholeBot } from '../processes/index.ts';
import { truncate } from '../text/truncate.ts';
import { asCode } from '../text/untrusted-text.ts';

/** Limit for a name or a list of shards. */
const MAX_NAME = 60;
const MAX_LIST = 80;
/** Processes about which there is nothing to say; whoever has more looks at the dashboard. */
const MAX_SHOWN = 10;
/** Room for a line that says how many more there are. */
const MORE = 60;

type WholeBotWords = Words['status']['wholeBot'];

/** @param shardId of the server where this is asked @param length of all lines together, at least a few hundred */
export function wholeBotLines({ wholeBot: t, bad }: Words['status'], whole: WholeBot, shardId: number, length: number): string[] {
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

/** The one that answers comes first, then those about which there is something to say. */
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
