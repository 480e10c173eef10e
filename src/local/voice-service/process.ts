// The voice service's process: serves what supervisor.ts asks for, in its log's format and into the same output.
import { serve } from '../../async/serve.ts';
import { createLog } from '../../log.ts';
import { findEspeak } from './engines/index.ts';
import type { NaturalVoices } from './natural-voices.ts';
import {
  noteNaturalVoicesAnnounced,
  readNaturalVoices,
  startVoiceService,
  type VoiceService,
  type VoiceServiceOptions,
} from './voice-service.ts';

/** What the process is started with. */
export interface ServiceSettings extends Pick<VoiceServiceOptions, 'port' | 'dataDir' | 'defaultEngine' | 'speech' | 'transcription'> {
  logLevel: string;
  /** What is known of natural voices, so that a process that replaces another has the same; absent = it is read. */
  natural?: NaturalVoices | null | undefined;
}

export type ServiceOrder = 'note-announced';

export type ServiceNotice = { kind: 'natural'; natural: NaturalVoices | null } | { kind: 'recogniser-starting'; isStarting: boolean };

export type ServiceReady = Pick<VoiceService, 'url' | 'key' | 'languages' | 'spokenScripts' | 'defaultVoice' | 'slowVoices'>;

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
const { logLevel, natural: given, ...settings } = supervisor.data as ServiceSettings;
const log = createLog(logLevel);
// As in main.ts: such an error belongs to one call, which its timeouts will end.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => log.error({ err: error }, 'voice service: unhandled error; its process keeps running'));

try {
  const natural = given === undefined && !settings.speech ? await readNaturalVoices(settings.dataDir, log) : (given ?? null);
  supervisor.notify({ kind: 'natural', natural });
  service = await startVoiceService({
    ...settings,
    natural,
    espeak: settings.speech ? null : await findEspeak(),
    log,
    measuresNatural: true,
    onRecogniserStarting: (isStarting) => supervisor.notify({ kind: 'recogniser-starting', isStarting }),
  });
  const { url, key, languages, spokenScripts, defaultVoice, slowVoices } = service;
  supervisor.ready({ url, key, languages, spokenScripts, defaultVoice, slowVoices }, () => void noteAnnounced());
} catch (error) {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  const { errcode } = (cause ?? {}) as { errcode?: number };
  supervisor.unavailable(message, { code, errcode } satisfies ServiceProblem);
}

/** Natural voices aren't news any more. */
async function noteAnnounced(): Promise<void> {
  await noteNaturalVoicesAnnounced(settings.dataDir).catch((error: unknown) =>
    log.warn({ err: error }, 'voice service: that natural voices have been announced could not be saved'),
  );
  supervisor.answer(undefined);
}
