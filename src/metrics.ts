// Figures of what happens, for /metrics: counted where calls, commands and sounds pass by. No label grows with members or servers.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Api, ApiError } from './api/index.ts';
import { resourcesInUse } from './audio/index.ts';
import { describe } from './failures.ts';
import type { Log } from './log.ts';
import type { Session, SessionState, Sessions } from './voice/types.ts';

/** How a command ended: `refused` with a sentence that is the member's to act on, `failed` by a cause that is known, `broken` by none. */
export type CommandOutcome = 'done' | 'refused' | 'failed' | 'broken' | 'late';

export interface Metrics {
  /** In the text format of Prometheus. */
  registry: Registry;
  commandEnded(command: string, outcome: CommandOutcome): void;
  /** @param outcome `ok`, or the kind of an ApiError; `ms` until the answer, of speech until its first byte */
  callEnded(call: Call, outcome: string, ms: number): void;
  /** A decimal, as the service gives it. */
  creditSeen(credit: string): void;
  serviceDown(isDown: boolean): void;
  /** From queued to the first packet, in ms, of what had nothing before it. */
  firstSound(ms: number): void;
  /** One stage on the way to an answer, in ms. */
  stage(stage: Stage, ms: number): void;
  /** Where sessions and queues are read from when somebody asks. */
  list(sessions: () => Session[]): void;
}

type Call = 'models' | 'speech' | 'transcription' | 'credit';
/** Joining a voice channel; a speech until its first byte; from queued to the first frame ready, where nothing was before it; a transcription. */
type Stage = 'join' | 'speech' | 'first_frame' | 'transcription';

/** Seconds; around what members notice. */
const BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 120];
const STATES: SessionState['status'][] = ['connecting', 'encrypting', 'ready', 'reconnecting', 'closed'];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let listed: () => Session[] = () => [];
  let credit: Gauge | null = null;

  const commands = new Counter({
    ...{ name: 'parley_commands_total', help: 'Commands, buttons, menus and forms answered', registers },
    labelNames: ['command', 'outcome'],
  });
  const calls = new Counter({
    ...{ name: 'parley_service_calls_total', help: 'Calls to the voice service', registers },
    labelNames: ['call', 'outcome'],
  });
  const callSeconds = new Histogram({
    ...{ name: 'parley_service_call_seconds', help: 'Time to the answer of the voice service', registers, buckets: BUCKETS },
    labelNames: ['call'],
  });
  const stages = new Histogram({
    ...{ name: 'parley_stage_seconds', help: 'Time per stage of those that succeeded', registers, buckets: BUCKETS },
    labelNames: ['stage'],
  });
  const firstSound = new Histogram({
    ...{ name: 'parley_first_sound_seconds', help: 'From queued to the first packet, where nothing was before it', registers },
    buckets: BUCKETS,
  });
  const down = new Gauge({ name: 'parley_service_down', help: '1 while the voice service is taken to be down', registers });
  new Gauge({
    ...{ name: 'parley_queue_depth', help: 'Utterances that wait or play', registers },
    collect() {
      this.set(listed().reduce((sum, { length }) => sum + length, 0));
    },
  });
  new Gauge({
    ...{ name: 'parley_audio_resources', help: 'Decoders, encoders and processes of sound in use; 0 when nothing plays', registers },
    labelNames: ['resource'],
    collect() {
      for (const [resource, count] of Object.entries(resourcesInUse())) this.set({ resource }, count);
    },
  });
  new Gauge({
    ...{ name: 'parley_voice_sessions', help: 'Voice sessions by state', registers },
    labelNames: ['state'],
    collect() {
      const found = listed().map(({ state }) => state.status);
      for (const state of STATES) this.set({ state }, found.filter((one) => one === state).length);
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
      // There from the first balance on: until then it is not 0 but unknown.
      credit ??= new Gauge({ name: 'parley_credit_left', help: 'The balance at the voice service, when it was last seen', registers });
      credit.set(value);
    },
    serviceDown: (isDown) => down.set(Number(isDown)),
    firstSound: (ms) => firstSound.observe(ms / 1000),
    stage: (stage, ms) => stages.observe({ stage }, ms / 1000),
    list(sessions) {
      listed = sessions;
    },
  };
}

/** Memory, CPU and the delay of the event loop of this process, from now on. */
export function collectProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}

/** The same API; its calls are counted, and the balance noted whenever it is seen. */
export function countCalls(api: Api, metrics: Metrics): Api {
  async function count<T>(call: Call, answer: Promise<T>): Promise<T> {
    const begun = performance.now();
    const ended = (outcome: string) => metrics.callEnded(call, outcome, performance.now() - begun);
    try {
      const value = await answer;
      ended('ok');
      if (call === 'speech' || call === 'transcription') metrics.stage(call, performance.now() - begun);
      return value;
    } catch (error) {
      ended(error instanceof ApiError ? error.kind : 'unexpected');
      throw error;
    }
  }
  return {
    listModels: (query, options) => count('models', api.listModels(query, options)),
    speak: (request, options) => count('speech', api.speak(request, options)),
    transcribe: (request, options) => count('transcription', api.transcribe(request, options)),
    async getCredit(options) {
      const record = await count('credit', api.getCredit(options));
      metrics.creditSeen(record.credit);
      return record;
    },
    close: () => api.close(),
  };
}

/** The same sessions; joins and first sounds are timed, and the log follows each utterance to its last packet by its command's id. */
export function watchSessions(sessions: Sessions, metrics: Metrics, log: Log): Sessions {
  metrics.list(() => sessions.all());

  const enqueue =
    (session: Session): Session['enqueue'] =>
    (utterance, options) => {
      const begun = performance.now();
      const playback = session.enqueue(utterance, options);
      if (playback.position === 0)
        utterance.ready.then(
          () => metrics.stage('first_frame', performance.now() - begun),
          () => {},
        );
      const command = options.id;
      void playback.started.then((ms) => {
        if (ms === null) return;
        if (playback.position === 0) metrics.firstSound(ms);
        log.info({ command, ms: Math.round(ms), before: playback.position }, 'the first packet has left');
      });
      void playback.finished.then((outcome) => {
        const cause = outcome.ended === 'failed' ? describe(outcome.cause) : {};
        log.info({ command, ended: outcome.ended, seconds: outcome.seconds, ...cause }, 'the last packet has left');
      });
      return playback;
    };

  return {
    get: (guildId) => sessions.get(guildId),
    all: () => sessions.all(),
    join(channel) {
      const before = sessions.get(channel.guildId);
      const begun = performance.now();
      const session = sessions.join(channel);
      if (session !== before)
        session.ready.then(
          () => metrics.stage('join', performance.now() - begun),
          () => {},
        );
      // What it has are getters of values that change: it stands behind, and only this one is put before it.
      return Object.create(session, { enqueue: { value: enqueue(session) } }) as Session;
    },
    close: (options) => sessions.close(options),
  };
}
