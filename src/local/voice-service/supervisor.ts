// Runs the voice service in a process of its own: neither its faults nor its memory are the bot's, and no upload keeps the bot's sound waiting.
import type { Logger } from 'pino';
import { type Lost, type LostError, supervise } from '../../async/supervise.ts';
import { within } from '../../async/waiting.ts';
import type { ServiceNotice, ServiceOrder, ServiceProblem, ServiceReady, ServiceSettings } from './process.ts';
import type { ServiceVoices } from './voice-service.ts';

interface SupervisedVoiceService extends Omit<ServiceReady, 'voices'> {
  /** Whether the recogniser is being loaded, as it is for the first recording in a while. */
  isRecogniserStarting(): boolean;
}

export interface VoiceServiceSupervisor {
  /** What speaks now; null before the service is ready. */
  voices(): ServiceVoices | null;
  /** Called each time that is another. */
  onVoices(listener: () => void): void;
  /** Somebody is there, and may want to hear a voice soon. */
  prepare(): void;
  /**
   * Resolves when the service accepts requests. From then on it is replaced whenever it is lost, at the same address.
   * @throws Error as `startVoiceService`
   */
  ready: Promise<SupervisedVoiceService>;
  /** Resolves at once, but while its process is being replaced: when it accepts requests again, or doesn't in time. */
  reachable(): Promise<void>;
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
  let first: ServiceReady | null = null;
  let isRecogniserStarting = false;
  let voices: ServiceVoices | null = null;
  const listeners = new Set<() => void>();
  /** Somebody was there before the service was. */
  let isAwaited = false;
  function setVoices(now: ServiceVoices): void {
    voices = now;
    for (const listener of listeners) listener();
  }
  const supervised = supervise<ServiceOrder, undefined, ServiceNotice, ServiceReady>({
    spawn: {
      file: new URL('./process.ts', import.meta.url),
      runsIn: 'process',
      // Whoever knows the address goes on using it.
      data: (): ServiceSettings => ({ ...settings, ...(first && { port: Number(new URL(first.url).port) }) }),
      showsOutput: true,
      flags: FLAGS,
      environment: ENVIRONMENT,
    },
    memory: { heapMb: HEAP_MB },
    timeouts: { startMs: 180_000, answerMs: 60_000, pingMs: 10_000, restartMs: 5_000, endMs: 2_500 },
    onNotice(notice) {
      if (notice.kind === 'recogniser-starting') isRecogniserStarting = notice.isStarting;
      else setVoices(notice.voices);
    },
    onReady(ready) {
      supervised.hold(false);
      if (first) log.info('voice service: its process has been replaced');
      first ??= ready;
      setVoices(ready.voices);
      if (isAwaited) prepare();
    },
    onLost({ reason }) {
      isRecogniserStarting = false;
      if (!first) return;
      log.error({ reason }, 'voice service: its process was lost, and is replaced');
      void supervised.start().catch(() => {});
    },
  });
  function prepare(): void {
    // Known before the process says so: the text that comes with it waits for that.
    if (voices?.state === 'unknown' && settings.defaultEngine !== 'flite') voices = { ...voices, state: 'measuring' };
    isAwaited = supervised.state() !== 'ready';
    if (!isAwaited) supervised.post('prepare', true);
  }
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
    voices: () => voices,
    onVoices: (listener) => void listeners.add(listener),
    prepare,
    ready,
    async reachable() {
      if (supervised.state() === 'starting') await within(REPLACED_MS, supervised.start()).catch(() => {});
    },
    close: supervised.close,
  };
}

/** The error as the process had it. */
function toStartError({ reason, details }: Lost): Error {
  const { code, errcode } = (details ?? {}) as Partial<ServiceProblem>;
  return Object.assign(new Error(reason, { cause: { errcode } }), { code });
}
