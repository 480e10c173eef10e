// The whole bot for its operators: what is wrong, and as many of its processes as there is room for.
import { TimestampStyles, time } from 'discord.js';
import type { Words } from '../locales/index.ts';
import type { BotProcess, WholeBot } from '../processes/index.ts';
import { truncate } from '../text/truncate.ts';
import { asCode } from '../text/untrusted-text.ts';

const SEPARATOR = ' · ';
/** Of a name or a list of shards. */
const MAX_NAME = 60;
const MAX_LIST = 80;
/** For a line that says how many more there are. */
const MORE = 60;

type WholeBotWords = Words['status']['wholeBot'];

/** @param shardId of the server where this is asked @param length of all lines together, at least a few hundred */
export function wholeBotLines(t: WholeBotWords, whole: WholeBot, shardId: number, length: number): string[] {
  const { processes, free, moving } = whole;
  const sum = (countOf: (one: BotProcess) => number) => processes.reduce((total, one) => total + countOf(one), 0);
  const lines = [
    [
      t.processes(processes.length),
      t.shards(whole.shardCount),
      t.servers(
        sum(({ guilds }) => guilds),
        sum(({ speaking }) => speaking),
      ),
    ].join(SEPARATOR),
    ...(free.length > 0 ? [`✗ ${t.free(rangesOf(free), free.length)}: ${t.freeNext}`] : []),
    ...(moving.length > 0 ? [t.moving(rangesOf(moving), moving.length)] : []),
  ];
  const hosts = processes.map(({ host }) => host);
  const isShared = (host: string) => hosts.indexOf(host) !== hosts.lastIndexOf(host);
  const listed = processes.toSorted(byWeight).map((one) => {
    const name = isShared(one.host) ? `${one.host} ${one.pid}` : one.host;
    return `${asCode(name, MAX_NAME)} ${factsOf(t, one, shardId).join(SEPARATOR)}`;
  });
  let left = length - lines.join('\n').length - MORE;
  const tooMany = listed.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  if (tooMany === -1) return [...lines, ...listed];
  return [...lines, ...listed.slice(0, tooMany), t.more(listed.length - tooMany)];
}

/** The one that answers first, then those about which there is something to say. */
function byWeight(a: BotProcess, b: BotProcess): number {
  const weight = ({ isOwn, isLeaving, outage, shards }: BotProcess) =>
    isOwn ? 2 : Number(isLeaving || outage !== null || shards.length === 0);
  return weight(b) - weight(a) || (a.shards[0] ?? 0) - (b.shards[0] ?? 0);
}

function factsOf(t: WholeBotWords, { shards, guilds, speaking, startedAt, ...process }: BotProcess, shardId: number): string[] {
  return [
    ...(process.outage === null ? [] : [`✗ ${t.serviceDown}`]),
    ...(process.isLeaving ? [t.leaving] : []),
    shards.length === 0 ? t.noShards : t.shardList(rangesOf(shards), shards.length),
    t.servers(guilds, speaking),
    t.started(time(Math.floor(startedAt / 1000), TimestampStyles.RelativeTime)),
    ...(process.isOwn ? [t.answersHere(shardId)] : []),
  ];
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
