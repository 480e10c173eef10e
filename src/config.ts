// The configuration: the only list of settings, and the only reader of process.env, but for ENGINE_PRIORITY (async/supervise.ts).
import { z } from 'zod';
import { defaultModel } from './api/models.ts';

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

/**
 * One entry per variable, by subject, in the order of docs/settings.md and .env.example. `npm run settings` makes both of them from what stands
 * here. A description says what an empty value means where that is not the default value.
 */
export const settingGroups = {
  Discord: {
    DISCORD_TOKEN: inHeader('must be the bot token alone, in plain ASCII without spaces')
      .refine((token) => !token.startsWith('Bot '), 'must be the bot token alone, without "Bot "')
      .optional()
      .describe('The bot token. Empty: the local Discord, which the image doesn’t have.'),
    DISCORD_GUILD_ID: snowflake
      .optional()
      .describe('Registers the commands only in the server with this id, which is handy while you try things out. Empty: everywhere.'),
    DISCORD_API_URL: secure('the bot token travels with every call')
      .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
      .optional()
      .describe('REST base of another Discord endpoint, without the version; https unless it is on this machine. Empty: Discord’s own.'),
    DISCORD_CDN_URLS: list
      .pipe(z.array(secure('recordings of members come from there').transform((text) => new URL(text).origin)))
      .default(['https://cdn.discordapp.com', 'https://media.discordapp.net'])
      .describe('Origins that attachments may be read from, separated by commas; https unless they are on this machine.'),
  },
  'Voice service': {
    VOICE_API_URL: withoutCredentials(secure('the key travels with every call'), 'VOICE_API_KEY')
      .optional()
      .describe(
        'Base address of a Voice Service API, without a query; https unless it is on this machine. Empty: the local voice service.',
      ),
    VOICE_API_KEY: key.optional().describe('The bearer key of the service at VOICE_API_URL. Required with it.'),
    VOICE_MODEL: inHeader('must be the name of a model, in plain ASCII without spaces')
      .default(defaultModel)
      .describe(
        'Which model speaks: the value of the `model` header on text-to-speech. With s1, s2.1-pro and related models, /say has an option for the mood, so give the real name if your service uses another model. s1 ends on 2026-12-31; s2.1-pro replaces it.',
      ),
    VOICE_TRANSCRIPTION_MODEL: inHeader('must be auto or the name of a model, in plain ASCII without spaces')
      .default('auto')
      .describe(
        'Which model transcribes recordings: the value of the `model` header on speech-to-text. auto: transcribe-1 for short ones, transcribe-1-pro for long ones and for WebM, and none if the service doesn’t know them. What a model refuses because it is too long is cut in pauses.',
      ),
    VOICE_FORMAT: z
      .enum(['mp3', 'opus', 'wav', 'pcm'], 'must be mp3, opus, wav or pcm')
      .default('mp3')
      .describe('Audio format requested from text-to-speech: mp3, opus, wav or pcm.'),
    VOICE_STREAMING: z
      .enum(['auto', 'off'], 'must be auto or off')
      .default('auto')
      .describe(
        'auto: speaks texts of several sentences over the service’s websocket, if it has one and the first sound comes no later that way. off: never uses it.',
      ),
    VOICE_API_CONCURRENCY: z
      .union([z.literal('auto'), integer(1, 1000)], 'must be auto or a whole number from 1 to 1000')
      .default('auto')
      .describe(
        'The most calls to the voice service at a time, across all processes. auto: as many as the service says that the account may have, and 5 until it says so. A number: never more than that. Transcriptions take at most half of them. Captions never take the last free one, so they need at least 2.',
      ),
    DEFAULT_VOICE: z
      .string()
      .max(100, 'must be the id of a voice model, of at most 100 characters')
      .optional()
      .describe(
        'Id of the voice that speaks if neither the member nor an admin has chosen one. Empty: the voice at VOICE_API_URL that is used most and speaks the server’s language, or the local voice service’s own default.',
      ),
  },
  'Engines of your own': {
    LOCAL_SPEECH_URL: engineUrl('LOCAL_SPEECH_KEY')
      .optional()
      .describe(
        'Address of a server with the OpenAI-shaped endpoint /v1/audio/speech, to speak behind the local voice service; https unless it is on this machine or in your own network. Can’t be combined with VOICE_API_URL. Empty: the built-in voices.',
      ),
    LOCAL_SPEECH_KEY: key.optional().describe('The key of the server at LOCAL_SPEECH_URL, if it needs one.'),
    LOCAL_TRANSCRIPTION_URL: engineUrl('LOCAL_TRANSCRIPTION_KEY')
      .optional()
      .describe(
        'Address of a server with the OpenAI-shaped endpoint /v1/audio/transcriptions, to transcribe behind the local voice service; https unless it is on this machine or in your own network. Can’t be combined with VOICE_API_URL. Empty: the built-in recogniser.',
      ),
    LOCAL_TRANSCRIPTION_KEY: key.optional().describe('The key of the server at LOCAL_TRANSCRIPTION_URL, if it needs one.'),
    LOCAL_DEFAULT_ENGINE: z
      .enum(['auto', 'flite'], 'must be auto or flite')
      .default('auto')
      .describe(
        'Which of the built-in engines speaks if no voice is chosen. auto: a natural voice (Kokoro) for every text that this machine begins within three seconds and says without a break, otherwise Flite. flite: always Flite.',
      ),
    ENGINE_PRIORITY: z
      .enum(['low', 'normal'], 'must be low or normal')
      .default('low')
      .describe(
        'Processor priority of the built-in engines and of what decodes recordings, on Linux. low: whatever has to be on time goes first, sound above all. normal: the same as the bot’s, for a machine that other programs keep so busy that engines with a low one hardly get on.',
      ),
  },
  'What members can do': {
    READ_MESSAGES: z
      .enum(['on', 'off'], 'must be on or off')
      .optional()
      .describe(
        'on: asks Discord for the content of messages. Reading channels aloud and answering voice messages with their words need it. First switch on “Message Content Intent” on the application’s Bot page in the developer portal; beyond 10,000 users who can see the bot, Discord has to approve it. off: members can only use the commands on single messages. Empty: off, but on with the local Discord.',
      ),
    OWN_VOICES: z
      .enum(['operators', 'admins', 'everyone'], 'must be operators, admins or everyone')
      .default('operators')
      .describe('Who may make voices from recordings with /voice create: operators, admins (who can also allow roles) or everyone.'),
    OPERATOR_IDS: list
      .pipe(z.array(snowflake))
      .default([])
      .describe('Ids of Discord users who see the balance, separated by commas, besides the application’s owner or team.'),
  },
  'Budgets and prices': {
    BUDGET_MEMBER_CHARACTERS: integer(0, 1_000_000_000)
      .default(20_000)
      .describe('Characters that one member may have spoken in a day (UTC), in all servers together. 0: no limit.'),
    BUDGET_MEMBER_MINUTES: integer(0, 1_000_000)
      .default(120)
      .describe('Minutes that one member may have transcribed in a day, in all servers together. 0: no limit.'),
    BUDGET_GUILD_CHARACTERS: integer(0, 1_000_000_000)
      .default(100_000)
      .describe('Characters that one server may have spoken in a day. Its admins can lower it. 0: no limit.'),
    BUDGET_GUILD_MINUTES: integer(0, 1_000_000)
      .default(600)
      .describe('Minutes that one server may have transcribed in a day. Its admins can lower it. 0: no limit.'),
    PRICE_PER_MILLION_BYTES: price
      .optional()
      .describe(
        'What the voice service charges for a million bytes of text (UTF-8), in the unit of its balance: a letter of English takes one byte, of Russian two, of Japanese three. Models that end with -free cost nothing. With prices, /credit shows costs, and members are asked before they spend a twentieth of the balance. Empty: unknown (the local voice service has its own).',
      ),
    PRICE_PER_HOUR: price
      .optional()
      .describe(
        'What the voice service charges for an hour transcribed, in the unit of its balance; each recording is rounded up to a second. Empty: unknown (the local voice service has its own).',
      ),
  },
  Storage: {
    DATA_DIR: z
      .string()
      .default('./data')
      .describe('Folder for settings, usage, the speech cache, the local voice service’s catalogue and wallet, and the local Discord.'),
    CACHE_MB: integer(0, 1_000_000).default(256).describe('Limit of the speech cache, in MiB. 0: no cache; what was in it is deleted.'),
  },
  'Several processes': {
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: 'must be an address that begins with redis:// or rediss://' })
      .refine(
        (text) => text.startsWith('rediss:') || isPrivate(URL.parse(text)?.hostname ?? ''),
        'must begin with rediss:// unless it is on this machine or in your own network, because the bot’s secrets travel there',
      )
      .optional()
      .describe(
        'Redis or Valkey that several processes share, such as rediss://user:password@host:6379/0; rediss (TLS) unless it is on this machine or in your own network. Empty: one process, with an SQLite file in DATA_DIR.',
      ),
    SHARD_COUNT: z
      .union([z.literal('auto'), integer(1, 100_000)], 'must be auto or a whole number from 1 to 100000')
      .default('auto')
      .describe('Shards of the whole bot. auto: as many as Discord recommends, about one per 1,000 servers.'),
    SHARDS_PER_PROCESS: integer(1, 100_000)
      .optional()
      .describe('The most shards that one process takes, with REDIS_URL. Empty: an even share.'),
  },
  Monitoring: {
    HTTP_PORT: integer(0, 65_535).default(0).describe('Port of /healthz, /readyz and /metrics (Prometheus). 0: none.'),
    HTTP_HOST: z
      .string()
      .regex(/^[\w.:-]+$/, 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0')
      .default('127.0.0.1')
      .describe('Address on which /healthz, /readyz and /metrics listen.'),
    METRICS_TOKEN: inHeader('must be one word of printable ASCII characters')
      .optional()
      .describe(
        'Bearer token for /metrics. Required if HTTP_PORT is set and HTTP_HOST can be reached from other machines. /healthz and /readyz need none.',
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: url
      .optional()
      .describe(
        'Where to send traces of commands, by OTLP over HTTP, such as http://127.0.0.1:4318: how long each step took until the first sound, without texts, names or members. OpenTelemetry’s other variables (OTEL_…) work as well. Empty: nowhere.',
      ),
    LOG_LEVEL: z
      .enum(LEVELS, `must be one of ${LEVELS.join(', ')}`)
      .default('info')
      .describe('The least that is logged: trace, debug, info, warn, error, fatal or silent.'),
  },
  'Local Discord': {
    PLAYGROUND_PORT: integer(0, 65_535).default(8787).describe('Port of the local Discord’s page. 0: any that is free.'),
  },
};

/** All of them by name. */
export const settings = {
  ...settingGroups.Discord,
  ...settingGroups['Voice service'],
  ...settingGroups['Engines of your own'],
  ...settingGroups['What members can do'],
  ...settingGroups['Budgets and prices'],
  ...settingGroups.Storage,
  ...settingGroups['Several processes'],
  ...settingGroups.Monitoring,
  ...settingGroups['Local Discord'],
};

/** Settings by the names that earlier versions had for them, which still count where the new ones are empty. */
const FORMER_NAMES = { PRICE_PER_MILLION_CHARACTERS: 'PRICE_PER_MILLION_BYTES' } as const satisfies Record<string, keyof typeof settings>;

const schema = z.object(settings);
export type Config = z.infer<typeof schema>;

/** Adds what an .env file says to the environment, if there is one. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch {
    // There is none.
  }
}

/**
 * Reads the configuration. An empty value counts as not set, so that a copied .env.example works unchanged.
 * @param options `needsToken`: false for programs that only open the store
 * @throws ConfigError with a line for every wrong, missing or misspelt variable; it never repeats a secret
 */
export function readConfig(env: Record<string, string | undefined> = process.env, { needsToken = true } = {}): Config {
  const values = Object.fromEntries(Object.keys(settings).flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])));
  const nameGiven: Record<string, string> = {};
  for (const [former, name] of Object.entries(FORMER_NAMES)) {
    const value = env[former]?.trim();
    if (!value || values[name]) continue;
    values[name] = value;
    nameGiven[name] = former;
  }
  const result = schema.safeParse(values);
  const wrong = new Map(
    result.error?.issues.toReversed().map(({ path: [name], message }) => {
      const shown = nameGiven[String(name)] ?? String(name);
      return [shown, `${shown} ${message}.`];
    }),
  );
  const problems = [...[...wrong.values()].toReversed(), ...findConflicts(values, needsToken), ...findMisspelt(env, values)];
  if (problems.length > 0 || !result.success) throw new ConfigError(problems.join('\n'));
  return result.data;
}

/** A sentence for each setting that is set by its former name. */
export function explainFormerNames(env: Record<string, string | undefined> = process.env): string[] {
  return Object.entries(FORMER_NAMES).flatMap(([former, name]) => {
    if (!env[former]?.trim()) return [];
    const meaning = env[name]?.trim() ? `${name} counts in its place: remove the old one` : `it counts as ${name}, for bytes: rename it`;
    return [`${former} is the former name of ${name}. For now, ${meaning}.`];
  });
}

/** Settings of another process, which may be of an earlier version, by the names of this one. */
export function underCurrentNames<T>(settings: Readonly<Record<string, T>>): Record<string, T> {
  const current = { ...settings };
  for (const [former, name] of Object.entries(FORMER_NAMES)) {
    if (former in current && !(name in current)) current[name] = current[former] as T;
    delete current[former];
  }
  return current;
}

/** The reverse: settings as processes of this version and of earlier ones understand them. */
export function underAllNames<T>(settings: Readonly<Record<string, T>>): Record<string, T> {
  const knownNames = Object.entries(FORMER_NAMES).filter(([, name]) => name in settings);
  return { ...settings, ...Object.fromEntries(knownNames.map(([former, name]) => [former, settings[name] as T])) };
}

/** Sentences about settings that require or exclude one another. */
function findConflicts(values: Partial<Record<keyof Config, string>>, needsToken: boolean): string[] {
  const problems: string[] = [];
  if (values.VOICE_API_URL && !values.VOICE_API_KEY)
    problems.push('VOICE_API_KEY is missing: VOICE_API_URL is set, so set the key of that service too.');
  if (values.VOICE_API_KEY && !values.VOICE_API_URL)
    problems.push('VOICE_API_URL is missing: VOICE_API_KEY is set, so set the address of that service too.');
  for (const name of ['LOCAL_SPEECH', 'LOCAL_TRANSCRIPTION'] as const) {
    if (values[`${name}_KEY`] && !values[`${name}_URL`])
      problems.push(`${name}_URL is missing: ${name}_KEY is set, so set the address of that engine too.`);
    if (values[`${name}_URL`] && values.VOICE_API_URL)
      problems.push(`${name}_URL is for the local voice service, which VOICE_API_URL replaces: leave one of the two empty.`);
  }
  if (values.DISCORD_API_URL && !values.DISCORD_TOKEN && needsToken)
    problems.push('DISCORD_TOKEN is missing: DISCORD_API_URL is set, so set the bot token for that endpoint too.');
  if (values.REDIS_URL && !values.DISCORD_TOKEN && needsToken)
    problems.push(
      'DISCORD_TOKEN is missing: REDIS_URL is for several processes of one bot, so set its token too. `npm run local-discord` has one to rehearse with.',
    );
  if (Number(values.HTTP_PORT ?? 0) !== 0 && !isLoopback(values.HTTP_HOST ?? '127.0.0.1') && !values.METRICS_TOKEN)
    problems.push(
      'METRICS_TOKEN is missing: HTTP_HOST can be reached from other machines, so set a token for /metrics, or set HTTP_HOST to 127.0.0.1.',
    );
  return problems;
}

/** Sentences about variables that look like misspelt names of settings that aren't set. */
function findMisspelt(env: Record<string, string | undefined>, values: Partial<Record<keyof Config, string>>): string[] {
  const missing = Object.keys(settings).filter((name) => !(name in values));
  return Object.keys(env).flatMap((name) => {
    if (name in settings || !env[name]?.trim()) return [];
    const meant = missing.find((setting) => isNearly(name.toUpperCase(), setting));
    return meant === undefined ? [] : [`${name} is not one of my settings. Did you mean ${meant}? Rename it, or remove it.`];
  });
}

/** Do the two differ only by one character that is missing, added or replaced, or by two that are swapped? */
function isNearly(typed: string, setting: string): boolean {
  let start = 0;
  while (start < typed.length && typed[start] === setting[start]) start += 1;
  let end = 0;
  const most = Math.min(typed.length, setting.length) - start;
  while (end < most && typed.at(-1 - end) === setting.at(-1 - end)) end += 1;
  const [a, b] = [typed.slice(start, typed.length - end), setting.slice(start, setting.length - end)];
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
