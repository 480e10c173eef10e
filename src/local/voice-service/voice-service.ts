// Starts the local voice service: its catalogue, wallet, engines and routes on a free port of loopback.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { makePrivate, makePrivateFolder } from '../../store/private-files.ts';
import { arrangeVoices, type Catalogue, type CatalogueFile, createCatalogue, readBundledCatalogue, withEspeakVoices } from './catalogue.ts';
import type { DefaultVoices } from './default-voices.ts';
import { createEngineCatalogue } from './engine-catalogue.ts';
import {
  createEngines,
  type EngineAddress,
  EngineError,
  type EngineEvent,
  type Engines,
  type EnginesOptions,
  type Espeak,
  isNatural,
  type NaturalSpeed,
} from './engines/index.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { type MannersName, readManners } from './manners.ts';
import { followNaturalVoices, type MeasuringOptions, type NaturalState, type NaturalVoices } from './natural-voices.ts';
import { openOwnModels } from './own-models.ts';
import { createSamples } from './samples.ts';
import { createServer } from './server.ts';
import { soundVersion } from './sound-version.ts';
import { type KeyGrant, openWallet } from './wallet.ts';

export interface VoiceServiceOptions {
  /** Defaults to 0: any free one. */
  port?: number;
  /** The wallet, the key created at first start, the voice models that callers create and the samples are kept in a subfolder of it. */
  dataDir: string;
  /** The only valid keys from now on. Defaults to one that is created at first start and kept. */
  keys?: KeyGrant[];
  /** Credit of the key created at first start, as a decimal; defaults to 1000. */
  credit?: string;
  limits?: Partial<Limits>;
  /** Where the spec leaves room: this service's own manners, the default, or those of hosted services. */
  like?: MannersName;
  /** Engines shared with others, which are not closed with the service. */
  engines?: Engines;
  /** What is installed of espeak-ng; null, the default, leaves its voices out. See `findEspeak`. */
  espeak?: Espeak | null;
  /** Finds out how fast this machine is with natural voices, and so whether they are there; defaults to false. */
  measuresNatural?: boolean | MeasuringOptions;
  /** What speaks if no voice is chosen: `auto`, the default, is a natural voice where they keep up. */
  defaultEngine?: 'auto' | 'flite';
  /** False loads the engines only when a request needs them. */
  warm?: boolean;
  /** Defaults to the bundled one; an engine that speaks has its own. */
  catalogue?: CatalogueFile;
  /** OpenAI-shaped engines instead of the built-in ones. */
  speech?: EngineAddress | undefined;
  transcription?: EngineAddress | undefined;
  /** How long those may take. */
  waits?: EnginesOptions['waits'];
  log?: Logger;
  /** `voices()` is another. */
  onVoices?: () => void;
  /** The recogniser begins to be loaded, or no longer is. */
  onRecogniserStarting?: (isStarting: boolean) => void;
  /** Milliseconds since 1970; decides when a key has expired, and which models have ended. */
  now?: () => number;
}

/** What speaks here now, as JSON. */
export interface ServiceVoices {
  natural: NaturalSpeed | null;
  /** Whether `natural` is known. */
  state: NaturalState;
  /** Null if that is up to an engine behind it. */
  defaults: DefaultVoices | null;
  /** The ids of the voices that take longer to make than to hear. */
  slow: readonly string[];
  /** Whether the built-in voices know no other language: espeak-ng isn't installed. */
  isEnglishOnly: boolean;
}

export interface VoiceService {
  /** The `{base_url}` of the spec. */
  url: string;
  /** The first key. */
  key: string;
  /** BCP 47 codes of the languages it transcribes, each with all its regions; undefined if that is up to an engine behind it. */
  languages: readonly string[] | undefined;
  /** The scripts that its voices speak, by their Unicode names; undefined if that is up to an engine behind it. */
  spokenScripts: readonly string[] | undefined;
  /** What the built-in voices make of a text is another sound with another version: what was kept of it isn't used. */
  soundVersion: string;
  voices(): ServiceVoices;
  /** Somebody is there, and may want to hear a voice soon. */
  prepare(): void;
  /** Ends the calls in progress and refunds what was held for them. */
  close(): Promise<void>;
}

/** What the built-in voices speak, by their Unicode names. */
const SPOKEN_SCRIPTS = { english: ['Latin'], all: ['Latin', 'Hangul', 'Han', 'Hiragana', 'Katakana'] };

/** Enough to speak 66 million bytes. */
const DEFAULT_CREDIT = '1000';

/** The service's own folder. */
export const folderIn = (dataDir: string) => join(dataDir, 'voice-service');

/**
 * Starts the service; it accepts requests while its engines still load.
 * @throws Error if the port is taken, the folder cannot be written or is used by another voice service, or the catalogue is invalid
 */
export async function startVoiceService(options: VoiceServiceOptions): Promise<VoiceService> {
  const dir = folderIn(options.dataDir);
  makePrivateFolder(options.dataDir);
  makePrivateFolder(dir);
  const grants = options.keys?.length
    ? options.keys
    : [{ key: loadOrCreateKey(join(dir, 'key')), credit: options.credit ?? DEFAULT_CREDIT }];
  const { speech, transcription, espeak, defaultEngine = 'auto', measuresNatural = false, log } = options;
  let naturalVoices = null as NaturalVoices | null;
  const onEvent = (event: EngineEvent) => {
    if (event.type === 'asked') naturalVoices?.giveWay();
    if (event.type === 'recogniser-starting') options.onRecogniserStarting?.(event.isStarting);
    logEngineEvent(log, event);
  };
  const engines = options.engines ?? createEngines({ speech, transcription, espeak, waits: options.waits, onEvent });
  const file = withEspeakVoices(options.catalogue ?? readBundledCatalogue(), engines.espeak);
  let arrangement = arrangeVoices(file, engines.natural, defaultEngine);
  const { listVoices } = engines;
  const catalogue = listVoices ? null : createCatalogue(arrangement);
  const readCatalogue = listVoices ? createEngineCatalogue(listVoices) : async () => catalogue as Catalogue;
  const { like = 'spec', now = Date.now } = options;
  const manners = readManners(like);
  const wallet = manners.toWallet(openWallet(join(dir, 'wallet.sqlite'), grants, now), now);
  // Voices are shaped from the built-in ones, so there are none with an engine behind HTTP.
  const ownModels = catalogue && openOwnModels({ file: join(dir, 'models.sqlite'), catalogue, engines, log, now });

  const app = await createServer({
    readCatalogue,
    ownModels,
    wallet,
    engines,
    samples: createSamples(join(dir, 'samples'), engines),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    manners,
    now,
    log,
  });
  const close = async () => {
    const closed = naturalVoices?.close();
    await app.close();
    await closed;
    await ownModels?.close();
    if (!options.engines) await engines.close();
    wallet.close();
  };
  try {
    if (catalogue && measuresNatural)
      naturalVoices = await followNaturalVoices({
        ...(measuresNatural === true ? {} : measuresNatural),
        dir,
        log,
        engines,
        onChange() {
          arrangement = arrangeVoices(file, engines.natural, defaultEngine);
          catalogue.arrange(arrangement);
          options.onVoices?.();
        },
      });
    await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  } catch (error) {
    await close();
    throw error;
  }
  if (options.warm ?? true)
    void Promise.all([engines.warmUp(), readCatalogue()]).catch((error) => {
      // Closing while they load is not a failure, and an engine behind HTTP has reported its own.
      if (['aborted', 'unavailable'].includes(error.kind)) return;
      if (error instanceof EngineError) log?.warn(`voice service: ${error.message}`);
      else log?.warn({ err: error }, 'voice service: an engine did not load');
    });
  const { port } = app.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    key: grants[0]?.key ?? '',
    languages: engines.languages,
    spokenScripts: listVoices ? undefined : engines.espeak ? SPOKEN_SCRIPTS.all : SPOKEN_SCRIPTS.english,
    soundVersion: soundVersion(engines.espeak),
    voices: () => ({
      natural: engines.natural,
      state: naturalVoices?.state() ?? (engines.natural ? 'known' : 'absent'),
      defaults: catalogue && arrangement.defaults,
      slow: engines.natural?.keepsUp === false ? file.models.filter(({ voice }) => isNatural(voice ?? {})).map(({ _id }) => _id) : [],
      isEnglishOnly: !engines.espeak,
    }),
    // Where Flite is to speak, they are loaded by whoever chooses them.
    prepare: () => void (defaultEngine === 'auto' && naturalVoices?.prepare()),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function logEngineEvent(log: Logger | undefined, event: EngineEvent): void {
  if (event.type === 'worker-lost') log?.warn(event, 'voice service: an engine thread was lost, and is replaced');
  else if (event.type === 'engine-works') log?.info(`voice service: ${event.text}`);
  else if (event.type === 'engine-problem') log?.warn(`voice service: ${event.text}`);
}

/** The file is readable by its owner only. */
function loadOrCreateKey(file: string): string {
  makePrivate(file);
  try {
    const key = readFileSync(file, 'utf8').trim();
    if (/^\S{16,}$/.test(key)) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = `local-${randomBytes(24).toString('base64url')}`;
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
