// The configuration: the only reader of process.env. A test keeps .env.example in step.
import { z } from 'zod';

/** Wrong or missing variables, each as a line that names it and says what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const url = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' });
const snowflake = z.string().regex(/^\d{15,20}$/, 'must be a Discord id: 15 to 20 digits (Developer Mode → right-click → Copy ID)');
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Is this host, as written in an address or a variable, reachable only from this machine? */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** IPv4 and IPv6 addresses that no router of the internet forwards: RFC 1918, 3927, 4193 and 4291. */
const privateAddress = /^(10|172\.(1[6-9]|2\d|3[01])|192\.168|169\.254)(\.\d{1,3}){2,3}$|^\[f([cd][0-9a-f]{2}|e[89ab][0-9a-f]):/i;
/** Names that only resolve in a local network: a container's or a machine's bare name, and the suffixes of RFC 6762, RFC 8375 and ICANN. */
const privateName = /^[\w-]+$|\.(local|internal|home\.arpa)$/i;

/** Is this host, as written in an address, on this machine or in its local network? */
function isPrivate(host: string): boolean {
  return isLoopback(host) || privateAddress.test(host) || privateName.test(host);
}

/** @param why the connection must be private; completes a sentence */
const secure = (why: string) =>
  url.refine(
    (text) => text.startsWith('https:') || isLoopback(URL.parse(text)?.hostname ?? ''),
    `must begin with https:// unless it is on this machine, because ${why}`,
  );

/** @param keyName the variable that a key belongs in */
const withoutCredentials = (address: z.ZodType<string, string>, keyName: string) =>
  address
    .refine((text) => !/[?#]/.test(text), 'must be an address and a path alone: leave out everything from the ? or # on')
    .refine((text) => {
      const { username, password } = URL.parse(text) ?? {};
      return !username && !password;
    }, `must not contain a user name or a password: put the key into ${keyName}`)
    .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** Engines mostly run without a certificate, on this machine or on another one at home. The address may end with `/v1`. */
const engineUrl = (keyName: string) =>
  withoutCredentials(
    url.refine(
      (text) => text.startsWith('https:') || isPrivate(URL.parse(text)?.hostname ?? ''),
      'must begin with https:// unless it is on this machine or in your own network, because what members say travels there',
    ),
    keyName,
  ).transform((text) => text.replace(/\/v1(\/audio\/(speech|transcriptions))?$/, ''));

/** For HTTP headers: with any other character, the first call would fail with the value in its error message. */
const inHeader = (rule: string) => z.string().regex(/^[\x21-\x7e]+$/, rule);

const key = inHeader('must be the key alone, in plain ASCII without spaces: copy it again');

function integer(min: number, max: number) {
  const sentence = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, sentence)
    .transform(Number)
    .refine((number) => number >= min && number <= max, sentence);
}

const price = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,12})?$/, 'must be a price as a plain number, such as 15 or 0.36')
  .transform(Number);

/** One entry per variable; defaults are those of .env.example. */
export const settings = {
  DISCORD_TOKEN: inHeader('must be the bot token alone, in plain ASCII without spaces')
    .refine((token) => !token.startsWith('Bot '), 'must be the bot token alone, without "Bot "')
    .optional(),
  DISCORD_API_URL: secure('the bot token travels with every call')
    .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  DISCORD_CDN_URLS: list
    .pipe(z.array(secure('recordings of members come from there').transform((text) => new URL(text).origin)))
    .default(['https://cdn.discordapp.com', 'https://media.discordapp.net']),
  DISCORD_GUILD_ID: snowflake.optional(),
  VOICE_API_URL: withoutCredentials(secure('the key travels with every call'), 'VOICE_API_KEY').optional(),
  VOICE_API_KEY: key.optional(),
  LOCAL_SPEECH_URL: engineUrl('LOCAL_SPEECH_KEY').optional(),
  LOCAL_SPEECH_KEY: key.optional(),
  LOCAL_TRANSCRIPTION_URL: engineUrl('LOCAL_TRANSCRIPTION_KEY').optional(),
  LOCAL_TRANSCRIPTION_KEY: key.optional(),
  LOCAL_DEFAULT_ENGINE: z.enum(['auto', 'flite'], 'must be auto or flite').default('auto'),
  VOICE_MODEL: inHeader('must be the name of a model, in plain ASCII without spaces').default('s1'),
  VOICE_FORMAT: z.enum(['mp3', 'opus', 'wav', 'pcm'], 'must be mp3, opus, wav or pcm').default('mp3'),
  VOICE_STREAMING: z.enum(['auto', 'off'], 'must be auto or off').default('auto'),
  DEFAULT_VOICE: z.string().max(100, 'must be the id of a voice model, of at most 100 characters').optional(),
  VOICE_API_CONCURRENCY: integer(1, 1000).default(5),
  OWN_VOICES: z.enum(['operators', 'admins', 'everyone'], 'must be operators, admins or everyone').default('operators'),
  READ_MESSAGES: z.enum(['on', 'off'], 'must be on or off').optional(),
  OPERATOR_IDS: list.pipe(z.array(snowflake)).default([]),
  BUDGET_MEMBER_CHARACTERS: integer(0, 1_000_000_000).default(20_000),
  BUDGET_MEMBER_MINUTES: integer(0, 1_000_000).default(120),
  BUDGET_GUILD_CHARACTERS: integer(0, 1_000_000_000).default(100_000),
  BUDGET_GUILD_MINUTES: integer(0, 1_000_000).default(600),
  PRICE_PER_MILLION_CHARACTERS: price.optional(),
  PRICE_PER_HOUR: price.optional(),
  DATA_DIR: z.string().default('./data'),
  CACHE_MB: integer(0, 1_000_000).default(256),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be an address that begins with redis:// or rediss://' })
    .refine(
      (text) => text.startsWith('rediss:') || isPrivate(URL.parse(text)?.hostname ?? ''),
      'must begin with rediss:// unless it is on this machine or in your own network, because the bot’s secrets travel there',
    )
    .optional(),
  SHARD_COUNT: z.union([z.literal('auto'), integer(1, 100_000)], 'must be auto or a whole number from 1 to 100000').default('auto'),
  SHARDS_PER_PROCESS: integer(1, 100_000).optional(),
  HTTP_PORT: integer(0, 65_535).default(0),
  HTTP_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  METRICS_TOKEN: inHeader('must be one word of printable ASCII characters').optional(),
  PLAYGROUND_PORT: integer(0, 65_535).default(8787),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`).default('info'),
};

const schema = z.object(settings);
export type Config = z.infer<typeof schema>;

/**
 * Reads the configuration. An empty value counts as not set, so that a copied .env.example works unchanged.
 * @param options `needsToken`: false for programs that only open the store
 * @throws ConfigError with a line for every wrong, missing or misspelt variable; it never repeats a secret
 */
export function readConfig(env: Record<string, string | undefined> = process.env, { needsToken = true } = {}): Config {
  const given = Object.fromEntries(Object.keys(settings).flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])));
  const result = schema.safeParse(given);
  const wrong = new Map(result.error?.issues.toReversed().map(({ path, message }) => [String(path[0]), `${String(path[0])} ${message}.`]));
  const problems = [...[...wrong.values()].toReversed(), ...findConflicts(given, needsToken), ...findMisspelt(env, given)];
  if (problems.length > 0 || !result.success) throw new ConfigError(problems.join('\n'));
  return result.data;
}

/** Sentences about settings that require or exclude one another. */
function findConflicts(given: Partial<Record<keyof Config, string>>, needsToken: boolean): string[] {
  const problems: string[] = [];
  if (given.VOICE_API_URL && !given.VOICE_API_KEY)
    problems.push('VOICE_API_KEY is missing: VOICE_API_URL is set, so set the key of that service too.');
  if (given.VOICE_API_KEY && !given.VOICE_API_URL)
    problems.push('VOICE_API_URL is missing: VOICE_API_KEY is set, so set the address of that service too.');
  for (const name of ['LOCAL_SPEECH', 'LOCAL_TRANSCRIPTION'] as const) {
    if (given[`${name}_KEY`] && !given[`${name}_URL`])
      problems.push(`${name}_URL is missing: ${name}_KEY is set, so set the address of that engine too.`);
    if (given[`${name}_URL`] && given.VOICE_API_URL)
      problems.push(`${name}_URL is for the local voice service, which VOICE_API_URL replaces: leave one of the two empty.`);
  }
  if (given.DISCORD_API_URL && !given.DISCORD_TOKEN && needsToken)
    problems.push('DISCORD_TOKEN is missing: DISCORD_API_URL is set, so set the bot token for that endpoint too.');
  if (given.REDIS_URL && !given.DISCORD_TOKEN && needsToken)
    problems.push(
      'DISCORD_TOKEN is missing: REDIS_URL is for several processes of one bot, so set its token too. `npm run local-discord` has one to rehearse with.',
    );
  if (Number(given.HTTP_PORT ?? 0) !== 0 && !isLoopback(given.HTTP_HOST ?? '127.0.0.1') && !given.METRICS_TOKEN)
    problems.push(
      'METRICS_TOKEN is missing: HTTP_HOST can be reached from other machines, so set a token for /metrics, or set HTTP_HOST to 127.0.0.1.',
    );
  return problems;
}

/** Sentences about variables that look like misspelt names of settings that aren't set. */
function findMisspelt(env: Record<string, string | undefined>, given: Partial<Record<keyof Config, string>>): string[] {
  const missing = Object.keys(settings).filter((name) => !(name in given));
  return Object.keys(env).flatMap((name) => {
    if (name in settings || !env[name]?.trim()) return [];
    const meant = missing.find((setting) => isNearly(name.toUpperCase(), setting));
    return meant === undefined ? [] : [`${name} is not one of my settings. Did you mean ${meant}? Rename it, or remove it.`];
  });
}

/** Do the two differ only by one character that is missing, added or replaced, or by two that are swapped? */
function isNearly(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && b === `${a[1]}${a[0]}`);
}

/** Should messages be read? Off by default, because Discord has to allow it; the local Discord does. */
export function readsMessages({ READ_MESSAGES, DISCORD_TOKEN }: Config): boolean {
  return READ_MESSAGES === undefined ? DISCORD_TOKEN === undefined : READ_MESSAGES === 'on';
}

/** The voice service's host, or those of engines beyond this machine, that texts and recordings are sent to; null if they stay here. */
export function listOutsideHosts({ VOICE_API_URL, LOCAL_SPEECH_URL, LOCAL_TRANSCRIPTION_URL }: Config): string | null {
  if (VOICE_API_URL) return new URL(VOICE_API_URL).host;
  const engines = [LOCAL_SPEECH_URL, LOCAL_TRANSCRIPTION_URL].flatMap((address) => (address ? [new URL(address)] : []));
  const hosts = engines.filter(({ hostname }) => !isLoopback(hostname)).map(({ host }) => host);
  return hosts.length > 0 ? [...new Set(hosts)].join(', ') : null;
}
