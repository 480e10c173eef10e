// The local voice service: the whole Voice Service API over HTTP, with offline engines behind it.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { makePrivate, makePrivateFolder } from '../../store/private-files.ts';
import { type CatalogueFile, createCatalogue, readBundledCatalogue } from './catalogue.ts';
import { createEngines, type Engines } from './engines/index.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { createSamples } from './samples.ts';
import { createServer } from './server.ts';
import { type KeyGrant, openWallet } from './wallet.ts';

export type { CatalogueFile } from './catalogue.ts';
export { localPrices } from './money.ts';
export type { KeyGrant } from './wallet.ts';

export interface VoiceServiceOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** What to listen on; loopback unless said otherwise. */
  host?: string;
  /** Where the wallet, the key made at first start and the samples live, in a folder of their own. */
  dataDir: string;
  /** The keys that count from now on; those of an earlier start do no longer. None: one made at first start, and kept. */
  keys?: KeyGrant[];
  /** What the wallet of the key made at first start holds, as a decimal: 1000 unless told otherwise. */
  credit?: string;
  limits?: Partial<Limits>;
  /** Engines shared with others: they are not closed with the service. */
  engines?: Engines;
  /** False leaves the engines unloaded until the first request that needs them. */
  warm?: boolean;
  catalogue?: CatalogueFile;
  log?: Logger;
  /** Milliseconds since 1970; decides when a key has expired. */
  now?: () => number;
}

export interface VoiceService {
  /** The `{base_url}` of the spec. */
  url: string;
  /** The first key. */
  key: string;
  keys: string[];
  /** Ends what is under way and gives back what was held for it. */
  close(): Promise<void>;
}

/** Credit of the key that is made when none is given: enough for 66 million bytes spoken. */
const FIRST_CREDIT = '1000';

/**
 * Starts the service; it answers at once, while its engines still load.
 * @throws Error when the port is taken, the folder cannot be written or another voice service uses it, or the catalogue is wrong
 */
export async function startVoiceService(options: VoiceServiceOptions): Promise<VoiceService> {
  const dir = join(options.dataDir, 'voice-service');
  makePrivateFolder(options.dataDir);
  makePrivateFolder(dir);
  const grants = options.keys?.length ? options.keys : [{ key: keptKey(join(dir, 'key')), credit: options.credit ?? FIRST_CREDIT }];
  const catalogue = createCatalogue(options.catalogue ?? readBundledCatalogue());
  const wallet = openWallet(join(dir, 'wallet.sqlite'), grants, options.now);
  const engines =
    options.engines ??
    createEngines({
      onEvent: (event) => {
        if (event.type === 'worker-lost') options.log?.warn(event, 'voice service: an engine thread was lost, and is replaced');
      },
    });
  const host = options.host ?? '127.0.0.1';

  const app = await createServer({
    host,
    catalogue,
    wallet,
    engines,
    samples: createSamples(join(dir, 'samples'), engines),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    log: options.log,
  });
  const close = async () => {
    await app.close();
    if (!options.engines) await engines.close();
    wallet.close();
  };
  try {
    await app.listen({ host, port: options.port ?? 0 });
  } catch (error) {
    await close();
    throw error;
  }
  if (options.warm ?? true)
    void engines.warmUp().catch((error) => {
      // Closed before they were loaded: nothing is wrong.
      if (error.kind !== 'aborted') options.log?.warn({ err: error }, 'voice service: an engine did not load');
    });
  const { port, family } = app.server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${host}]` : host;
  const keys = grants.map(({ key }) => key);
  let closing: Promise<void> | undefined;
  return {
    url: `http://${name}:${port}`,
    key: keys[0] ?? '',
    keys,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** The key in the file, made at first start; readable by its owner alone. */
function keptKey(file: string): string {
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
