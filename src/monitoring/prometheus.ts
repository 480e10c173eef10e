// The metrics in Prometheus' format. Loaded only if they are served, because the library has 130 files.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { resourcesInUse } from '../audio/index.ts';
import { countHeardPackets } from '../voice-session/hearing.ts';
import { countPackets } from '../voice-session/player.ts';
import type { Session, SessionState } from '../voice-session/types.ts';
import type { Metrics, ShardFigures } from './observers.ts';

export interface Prometheus extends Metrics {
  registry: Registry;
}

/** Seconds, dense around what members notice. */
const BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 120];
const STATES: SessionState['status'][] = ['connecting', 'encrypting', 'ready', 'reconnecting', 'closed'];

export function createPrometheus(): Prometheus {
  const registry = new Registry();
  const registers = [registry];
  let listed: () => Session[] = () => [];
  let shards: () => ShardFigures | null = () => null;
  let credit: Gauge | null = null;

  const commands = new Counter({
    name: 'parley_commands_total',
    help: 'Commands, buttons, menus and forms answered',
    registers,
    labelNames: ['command', 'outcome'],
  });
  const calls = new Counter({
    name: 'parley_service_calls_total',
    help: 'Calls to the voice service',
    registers,
    labelNames: ['call', 'outcome'],
  });
  const callSeconds = new Histogram({
    name: 'parley_service_call_seconds',
    help: 'Time until the voice service answers',
    registers,
    buckets: BUCKETS,
    labelNames: ['call'],
  });
  const stages = new Histogram({
    name: 'parley_stage_seconds',
    help: 'Time per stage, of those that succeeded',
    registers,
    buckets: BUCKETS,
    labelNames: ['stage'],
  });
  const firstSound = new Histogram({
    name: 'parley_first_sound_seconds',
    help: 'Time from queued to the first packet, if nothing was queued before it',
    registers,
    buckets: BUCKETS,
  });
  const joins = new Counter({
    name: 'parley_joins_total',
    help: 'Voice channels joined (ready), or why they could not be',
    registers,
    labelNames: ['outcome'],
  });
  const utterances = new Counter({
    name: 'parley_utterances_total',
    help: 'Utterances by how they ended',
    registers,
    labelNames: ['ended'],
  });
  const down = new Gauge({ name: 'parley_service_down', help: '1 while the voice service is considered down', registers });
  new Gauge({
    name: 'parley_queue_depth',
    help: 'Utterances queued or playing',
    registers,
    collect() {
      this.set(listed().reduce((sum, { length }) => sum + length, 0));
    },
  });
  new Gauge({
    name: 'parley_audio_resources',
    help: 'Decoders, encoders and audio processes in use; 0 when nothing plays',
    registers,
    labelNames: ['resource'],
    collect() {
      for (const [resource, count] of Object.entries(resourcesInUse())) this.set({ resource }, count);
    },
  });
  new Gauge({
    name: 'parley_voice_sessions',
    help: 'Voice sessions by state',
    registers,
    labelNames: ['state'],
    collect() {
      const states = listed().map(({ state }) => state.status);
      for (const state of STATES) this.set({ state }, states.filter((status) => status === state).length);
    },
  });

  new Gauge({
    name: 'parley_servers_speaking',
    help: 'Servers in which something is playing',
    registers,
    collect() {
      this.set(listed().filter((session) => session.items()[0]?.playing).length);
    },
  });
  new Counter({
    name: 'parley_frames_total',
    help: 'Frames of 20 ms sent: on time, or late by a frame or more',
    registers,
    labelNames: ['arrival'],
    collect() {
      const { sent, delayed } = countPackets();
      this.reset();
      this.inc({ arrival: 'on_time' }, sent - delayed);
      this.inc({ arrival: 'late' }, delayed);
    },
  });
  const undecryptable = new Counter({
    name: 'parley_undecryptable_total',
    help: 'Sound that could not be decrypted for 3 seconds: the channel was joined again (rejoined), or that did not help (unheard)',
    registers,
    labelNames: ['consequence'],
  });
  new Counter({
    name: 'parley_heard_packets_total',
    help: 'Packets of members who speak where the bot hears: arrived, decrypted, failed, concealed, late',
    registers,
    labelNames: ['outcome'],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(countHeardPackets())) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'parley_servers_heard',
    help: 'Servers in which members are heard',
    registers,
    collect() {
      this.set(listed().filter(({ hearing }) => hearing).length);
    },
  });
  new Gauge({
    name: 'parley_members_unheard',
    help: 'Members whose sound cannot be decrypted at present',
    registers,
    collect() {
      this.set(listed().reduce((sum, { hearing }) => sum + (hearing?.unheard.length ?? 0), 0));
    },
  });
  new Gauge({
    name: 'parley_shards_held',
    help: 'Shards that this process acts on',
    registers,
    collect() {
      this.set(shards()?.held ?? 0);
    },
  });
  new Gauge({
    name: 'parley_shards',
    help: 'Shards of the whole bot; 0 before this process has one',
    registers,
    collect() {
      this.set(shards()?.all ?? 0);
    },
  });

  return {
    registry,
    commandEnded: (command, outcome) => commands.inc({ command, outcome }),
    callEnded(call, outcome, ms) {
      calls.inc({ call, outcome });
      callSeconds.observe({ call }, ms / 1000);
    },
    creditSeen(amount) {
      const value = Number(amount);
      if (!Number.isFinite(value)) return;
      // Created with the first balance: until then it is unknown, not 0.
      credit ??= new Gauge({ name: 'parley_credit_left', help: 'The balance at the voice service, when it was last seen', registers });
      credit.set(value);
    },
    serviceDown: (isDown) => down.set(Number(isDown)),
    firstSound: (ms) => firstSound.observe(ms / 1000),
    stage: (stage, ms) => stages.observe({ stage }, ms / 1000),
    joinEnded: (outcome) => joins.inc({ outcome }),
    utteranceEnded: (ended) => utterances.inc({ ended }),
    undecryptable: (consequence) => undecryptable.inc({ consequence }),
    list(sessions) {
      listed = sessions;
    },
    listShards(shardList) {
      shards = shardList;
    },
  };
}
