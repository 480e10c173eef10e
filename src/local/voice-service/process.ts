// The voice service's process: serves what supervisor.ts asks for, in its log's format and into the same output.
import { serve } from '../../async/serve.ts';
import { createLog } from '../../log.ts';
import { findEspeak } from './engines/index.ts';
import { type ServiceVoices, startVoiceService, type VoiceService, type VoiceServiceOptions } from './voice-service.ts';

/** What the process is started with. */
export interface ServiceSettings extends Pick<VoiceServiceOptions, 'port' | 'dataDir' | 'defaultEngine' | 'speech' | 'transcription'> {
  logLevel: string;
}

export type ServiceOrder = 'prepare';

export type ServiceNotice = { kind: 'voices'; voices: ServiceVoices } | { kind: 'recogniser-starting'; isStarting: boolean };

export type ServiceReady = Pick<VoiceService, 'url' | 'key' | 'languages' | 'spokenScripts' | 'soundVersion'> & { voices: ServiceVoices };

/** Why the service can't start, as far as it matters whose fault it is. */
export interface ServiceProblem {
  code: string | undefined;
  /** Of SQLite. */
  errcode: number | undefined;
}

/** Milliseconds to close: a thread that hangs must not block the terminal. */
const CLOSE_MS = 2_000;

let service: VoiceService | null = null;
const supervisor = await serve<ServiceOrder, undefined, ServiceNotice, ServiceReady>(async () => {
  setTimeout(() => process.exit(), CLOSE_MS).unref();
  await service?.close();
});
const { logLevel, ...settings } = supervisor.data as ServiceSettings;
const log = createLog(logLevel);
// As in main.ts: such an error belongs to one call, which its timeouts will end.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => log.error({ err: error }, 'voice service: unhandled error; its process keeps running'));

try {
  service = await startVoiceService({
    ...settings,
    espeak: settings.speech ? null : await findEspeak(),
    log,
    measuresNatural: true,
    onVoices: () => service && supervisor.notify({ kind: 'voices', voices: service.voices() }),
    onRecogniserStarting: (isStarting) => supervisor.notify({ kind: 'recogniser-starting', isStarting }),
  });
  const { url, key, languages, spokenScripts, soundVersion, voices, prepare } = service;
  supervisor.ready({ url, key, languages, spokenScripts, soundVersion, voices: voices() }, () => {
    prepare();
    supervisor.answer(undefined);
  });
} catch (error) {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  const { errcode } = (cause ?? {}) as { errcode?: number };
  supervisor.unavailable(message, { code, errcode } satisfies ServiceProblem);
}
