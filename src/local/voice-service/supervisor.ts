// Runs the voice service in a process of its own: neither its faults nor its memory are the bot's, and no upload keeps the bot's sound waiting.
import type { Logger } from 'pino';
import { type Lost, type LostError, supervise } from '../../async/supervise.ts';
import { within } from '../../async/waiting.ts';
import type { NaturalVoices } from './natural-voices.ts';
import type { ServiceNotice, ServiceOrder, ServiceProblem, ServiceReady, ServiceSettings } from './process.ts';

interface SupervisedVoiceService extends ServiceReady {
  /** Whether the recogniser is being loaded, as it is for the first recording in a while. */
  isRecogniserStarting(): boolean;
}

export interface VoiceServiceSupervisor {
  /** What is known of natural voices, as soon as it is; null if there are none, or if the service can't start. Never rejects. */
  natural: Promise<NaturalVoices | null>;
  /**
   * Resolves when the service accepts requests. From then on it is replaced whenever it is lost, at the same address.
   * @throws Error as `startVoiceService`
   */
  ready: Promise<SupervisedVoiceService>;
  /** Resolves at once, but while its process is being replaced: when it accepts requests again, or doesn't in time. */
  reachable(): Promise<void>;
  /** Members have been told that there are natural voices. */
  noteNaturalVoicesAnnounced(): void;
  /** Ends the calls in progress and refunds what was held for them. */
  close(): Promise<void>;
}

/** How the operator's own engines are reached, besides what every process gets. */
const ENVIRONMENT = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_USE_ENV_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  // How the log looks.
  'TZ',
  'TERM',
  'NO_COLOR',
  'FORCE_COLOR',
];
/** Milliseconds in which another process has been started, unless something is wrong. A second, mostly. */
const REPLACED_MS = 15_000;
/** As the bot's own (`npm start`): its process takes 30 MB less with them. */
const FLAGS = ['--max-semi-space-size=4', '--v8-pool-size=2'];
/** MB of JavaScript's own heap, which takes some tens. Uploads and sound are outside of it. */
const HEAP_MB = 256;

/** Starts the process. Its log goes where this one's goes. */
export function superviseVoiceService({ log, ...settings }: ServiceSettings & { log: Logger }): VoiceServiceSupervisor {
  const natural = Promise.withResolvers<NaturalVoices | null>();
  let first: ServiceReady | null = null;
  let isRecogniserStarting = false;
  let known: NaturalVoices | null | undefined;
  const supervised = supervise<ServiceOrder, undefined, ServiceNotice, ServiceReady>({
    spawn: {
      file: new URL('./process.ts', import.meta.url),
      runsIn: 'process',
      // Whoever knows the address goes on using it.
      data: (): ServiceSettings => ({ ...settings, ...(first && { port: Number(new URL(first.url).port), natural: known }) }),
      showsOutput: true,
      flags: FLAGS,
      environment: ENVIRONMENT,
    },
    memory: { heapMb: HEAP_MB },
    timeouts: { startMs: 180_000, answerMs: 60_000, pingMs: 10_000, restartMs: 5_000, endMs: 2_500 },
    onNotice(notice) {
      if (notice.kind === 'recogniser-starting') isRecogniserStarting = notice.isStarting;
      else {
        known = notice.natural;
        natural.resolve(known);
      }
    },
    onReady(ready) {
      supervised.hold(false);
      if (first) log.info('voice service: its process has been replaced');
      first ??= ready;
    },
    onLost({ reason }) {
      isRecogniserStarting = false;
      natural.resolve(null);
      if (!first) return;
      log.error({ reason }, 'voice service: its process was lost, and is replaced');
      void supervised.start().catch(() => {});
    },
  });
  // Until then, nothing else may keep this process alive.
  supervised.hold(true);
  const ready = supervised.start().then(
    (service) => ({ ...service, isRecogniserStarting: () => isRecogniserStarting }),
    ({ lost }: LostError) => {
      throw toStartError(lost);
    },
  );
  // It is observed once the rest has started.
  ready.catch(() => {});
  return {
    natural: natural.promise,
    ready,
    async reachable() {
      if (supervised.state() === 'starting') await within(REPLACED_MS, supervised.start()).catch(() => {});
    },
    noteNaturalVoicesAnnounced: () => supervised.post('note-announced', true),
    close: supervised.close,
  };
}

/** The error as the process had it. */
function toStartError({ reason, details }: Lost): Error {
  const { code, errcode } = (details ?? {}) as Partial<ServiceProblem>;
  return Object.assign(new Error(reason, { cause: { errcode } }), { code });
}
