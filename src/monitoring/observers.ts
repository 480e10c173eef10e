// What operators can see of calls, commands and sounds: figures for /metrics (prometheus.ts), and traces (open-telemetry.ts).
import type { CallReport } from '../api/index.ts';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import { type Outcome, type Session, type SessionObserver, VoiceError, type VoiceErrorKind } from '../voice-session/types.ts';

// Figures, counted where calls, commands and sounds pass. No label grows with members or servers.

/** How a command ended: `refused` if the member can act on it, `failed` with a known cause, `broken` with an unknown one. */
export type CommandOutcome = 'done' | 'refused' | 'failed' | 'broken' | 'late';

export interface Metrics {
  commandEnded(command: string, outcome: CommandOutcome): void;
  /** @param ms until the answer; for speech, until its first byte */
  callEnded(call: Call, outcome: CallReport['outcome'], ms: number): void;
  /** A decimal, as the service returns it. */
  creditSeen(credit: string): void;
  serviceDown(isDown: boolean): void;
  /** The time from queued to the first packet, in ms, if the queue was empty. */
  firstSound(ms: number): void;
  /** One stage on the way to speech or a transcript, in ms. */
  stage(stage: Stage, ms: number): void;
  /** Whether a voice channel could be joined, or why not. */
  joinEnded(outcome: JoinOutcome): void;
  utteranceEnded(ended: Outcome['ended']): void;
  /** What had to be done because sound of members could not be decrypted. */
  undecryptable(consequence: Undecryptable): void;
  /** Sessions and queues are read from here when metrics are requested. */
  list(sessions: () => Session[]): void;
  /** How many shards this process has, of how many, is read from here when metrics are requested. */
  listShards(shards: () => ShardFigures): void;
}

export interface ShardFigures {
  /** Shards that this process may act on now. */
  held: number;
  /** Shards of the whole bot. */
  all: number;
}

/** As in SessionObserver. */
type Undecryptable = Parameters<SessionObserver['undecryptable']>[1];

type JoinOutcome = 'ready' | 'unknown' | VoiceErrorKind;

type Call = 'models' | Exclude<CallReport['operation'], 'catalogue'>;
/** Joining a voice channel; a speech until its first byte; from queued to the first frame ready, where nothing was before it; a transcription. */
type Stage = 'join' | 'speech' | 'first_frame' | 'transcription';

/** Counts nothing, because nobody can read it. */
export const noMetrics: Metrics = {
  commandEnded() {},
  callEnded() {},
  creditSeen() {},
  serviceDown() {},
  firstSound() {},
  stage() {},
  joinEnded() {},
  utteranceEnded() {},
  undecryptable() {},
  list() {},
  listShards() {},
};

/** Counts and times the calls of an API client. */
export function observeCalls(metrics: Metrics, traces: Traces = noTraces): (report: CallReport) => void {
  return ({ operation, outcome, ms }) => {
    traces.called(operation, outcome, ms);
    metrics.callEnded(operation === 'catalogue' ? 'models' : operation, outcome, ms);
    if (outcome !== 'ok') return;
    if (operation === 'speech' || operation === 'live-speech') metrics.stage('speech', ms);
    if (operation === 'transcription') metrics.stage('transcription', ms);
  };
}

/** Times joins and first sounds; the log follows each utterance to its last packet by the id of its command. */
export function observeSessions(metrics: Metrics, traces: Traces, log: Log): SessionObserver {
  return {
    joining(session) {
      const startedAt = performance.now();
      traces
        .step('join', () => session.ready)
        .then(
          () => {
            metrics.stage('join', performance.now() - startedAt);
            metrics.joinEnded('ready');
          },
          (error: unknown) => metrics.joinEnded(error instanceof VoiceError ? error.kind : 'unknown'),
        );
    },
    enqueued(utterance, playback) {
      const startedAt = performance.now();
      const { id: command, position } = playback;
      if (position === 0)
        traces
          .step('first frame', () => utterance.ready)
          .then(
            () => metrics.stage('first_frame', performance.now() - startedAt),
            () => {},
          );
      void traces
        .step('first packet', () => playback.started)
        .then((ms) => {
          if (ms === null) return;
          if (position === 0) metrics.firstSound(ms);
          log.info({ command, ms: Math.round(ms), before: position }, 'the first packet has left');
        });
      void playback.finished.then((outcome) => {
        metrics.utteranceEnded(outcome.ended);
        const cause = outcome.ended === 'failed' ? describeError(outcome.cause) : {};
        log.info({ command, ended: outcome.ended, seconds: outcome.seconds, ...cause }, 'the last packet has left');
      });
    },
    undecryptable({ guildId }, consequence) {
      metrics.undecryptable(consequence);
      const message = consequence === 'rejoined' ? 'joining again, since sound cannot be decrypted' : 'a member cannot be heard even so';
      log.warn({ guild: guildId }, message);
    },
  };
}

// Traces of commands: how long each step took on the way from the interaction to the first packet. Without OTEL_EXPORTER_OTLP_ENDPOINT
// there are none, and OpenTelemetry (open-telemetry.ts) is not loaded.

/** A step of a command, as it is called in traces. */
type Step = 'access' | 'join' | 'first frame' | 'first packet';

export interface Traces {
  /**
   * Runs a command in a trace of its own, which the steps below become part of. The trace ends with the first packet, or with the command
   * if nothing is spoken.
   * @param id of its interaction, which the log has as well
   * @param run returns how it ended
   */
  command<Outcome extends string>(name: string, id: string, run: () => Promise<Outcome>): Promise<Outcome>;
  /** Times a step of the command that is running. Settles as `work` does. */
  step<T>(name: Step, work: () => Promise<T>): Promise<T>;
  /** Notes a call to the service that has just been answered (speech: with its first byte), or has failed. @param ms since it was made */
  called(operation: string, outcome: string, ms: number): void;
  /** Sends what has not been sent yet. Never rejects. */
  close(): Promise<void>;
}

/** Traces nothing. */
export const noTraces: Traces = {
  command: (_name, _id, run) => run(),
  step: (_name, work) => work(),
  called() {},
  async close() {},
};
