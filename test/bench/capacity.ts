// node test/bench/capacity.ts: how cost grows with the number of servers, from figures measured on one machine, and what breaks first. The
// table in docs/figures.md is what it prints.

/** Measured on 2 cores of an Intel Xeon, 22 November 2026. */
const MEASURED = {
  /** Milliseconds of processor time for a second of sound, the whole bot in 50 servers: `npm run bench`. */
  cpuPerSecondOfSound: 6.9,
  /** Steps of the store for a command of any kind: 200 a second at 20 commands a second, `npm run load -- --processes 3`. */
  stepsPerCommand: 10,
  /** Milliseconds of a core that the store takes for a step: the same run. */
  cpuPerStep: 0.072,
};

/** Guesses for a busy evening, not measured. */
const ASSUMED = {
  /** The share of all servers that speak at once. */
  speakingShare: 0.01,
  /** How long a text is heard; as long as a server speaks, one follows the other. */
  secondsPerText: 5,
  /** How long a call to the voice service takes. */
  secondsPerCall: 1.5,
  /** Requests to Discord for a text: the answer, "Speaking now", how it ended. */
  requestsPerText: 3,
  /** Joins and leaves of a server that speaks. */
  voiceSendsPerMinute: 0.2,
  /** The share of a core that may be used while frames stay on time and the store answers at once. */
  busy: 0.7,
};

/** https://docs.discord.com/developers/events/gateway; heartbeats count as sends. */
const DISCORD = { serversPerShard: 1_000, sendsPerMinute: 120, heartbeatSeconds: 41.25, identifySeconds: 5.5 };
/** VOICE_API_CONCURRENCY, and Discord's `max_concurrency` for bots of each size. */
const CALLS = 5;
const SIZES = [
  { servers: 1e3, maxConcurrency: 1 },
  { servers: 1e5, maxConcurrency: 1 },
  { servers: 1e6, maxConcurrency: 16 },
];

console.log(
  '| servers | speaking | shards | processes | store, steps/s | sends/min of a shard | replies/s | calls at once | start | breaks first |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|');
for (const { servers, maxConcurrency } of SIZES) {
  const speaking = servers * ASSUMED.speakingShare;
  const texts = speaking / ASSUMED.secondsPerText;
  const shards = Math.ceil(servers / DISCORD.serversPerShard);
  const processes = Math.ceil((speaking * MEASURED.cpuPerSecondOfSound) / 1000 / ASSUMED.busy);
  // Every 3 s each shard's lease; and of each process its note, the list of all, and a look at what was handed over.
  const steps = texts * MEASURED.stepsPerCommand + (shards + 3 * processes) / 3;
  const sends = (speaking / shards) * ASSUMED.voiceSendsPerMinute + 60 / DISCORD.heartbeatSeconds;
  const calls = texts * ASSUMED.secondsPerCall;
  const start = (shards * DISCORD.identifySeconds) / 60 / maxConcurrency;
  const used = {
    'the store’s core': (steps * MEASURED.cpuPerStep) / 1000 / ASSUMED.busy,
    '`VOICE_API_CONCURRENCY`': calls / CALLS,
    'a shard’s sends': sends / DISCORD.sendsPerMinute,
  };
  const [first, share] = Object.entries(used).toSorted(([, a], [, b]) => b - a)[0] as [string, number];
  const figures = [servers, speaking, shards, processes, steps, sends, texts * ASSUMED.requestsPerText, calls].map((one) =>
    one < 10 ? Number(one.toFixed(1)) : Math.round(one),
  );
  console.log(
    `| ${figures.join(' | ')} | ${start.toFixed(1)} min | ${share < 1 ? 'nothing; next' : ''} ${first}, ${Math.round(share * 100)} % |`.replace(
      '|  ',
      '| ',
    ),
  );
}
