import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import {
  explainFormerNames,
  listOutsideHosts,
  readConfig,
  settingGroups,
  settings,
  underAllNames,
  underCurrentNames,
} from '../../src/config.ts';
import { settingsPages } from '../tools/settings-pages.ts';

/** `.env.example` as a process would read it. */
function example(): Record<string, string> {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

function complaint(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no complaint';
}

test.each(Object.entries(settingsPages()))('%s is what `npm run settings` makes of the schema', (path, text) => {
  const kept = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(kept, `${path} is stale. Run \`npm run settings\`.`).toBe(text);
});

test('every setting has a description, and stands in exactly one group', () => {
  const listed = Object.values(settingGroups).flatMap((group) => Object.keys(group));
  expect(listed.sort()).toEqual(Object.keys(settings).sort());
  for (const [name, { description }] of Object.entries(settings)) expect(description, name).toMatch(/^\S.{10,}\.$/);
});

test('.env.example lists every setting, each without a value', () => {
  expect(example()).toEqual(Object.fromEntries(Object.keys(settings).map((name) => [name, ''])));
});

test('a copied .env.example changes nothing', () => {
  expect(readConfig(example())).toEqual(readConfig({}));
});

test('an empty value counts as not set', () => {
  expect(readConfig({ LOG_LEVEL: ' ', VOICE_API_KEY: '' })).toEqual(readConfig({}));
});

test('prices are plain numbers, and unset by default', () => {
  expect(readConfig({})).not.toHaveProperty('PRICE_PER_HOUR');
  const config = readConfig({ PRICE_PER_MILLION_BYTES: '15', PRICE_PER_HOUR: '0.36' });
  expect(config).toMatchObject({ PRICE_PER_MILLION_BYTES: 15, PRICE_PER_HOUR: 0.36 });
});

test('a price by its former name still counts, for bytes, unless the new one is set; either way there is a warning', () => {
  const former = { PRICE_PER_MILLION_CHARACTERS: '15' };
  expect(readConfig(former).PRICE_PER_MILLION_BYTES).toBe(15);
  expect(explainFormerNames(former)).toEqual([
    expect.stringMatching(/^PRICE_PER_MILLION_CHARACTERS .* PRICE_PER_MILLION_BYTES, for bytes: rename it\.$/),
  ]);
  const both = { ...former, PRICE_PER_MILLION_BYTES: '20' };
  expect(readConfig(both).PRICE_PER_MILLION_BYTES).toBe(20);
  expect(explainFormerNames(both)).toEqual([expect.stringMatching(/PRICE_PER_MILLION_BYTES counts in its place: remove the old one\.$/)]);
  for (const neither of [{}, { PRICE_PER_MILLION_CHARACTERS: ' ' }, { PRICE_PER_MILLION_BYTES: '20' }])
    expect(explainFormerNames(neither)).toEqual([]);
});

test('processes of this version and of the one before read the price that the other was given', () => {
  const before = { PRICE_PER_MILLION_CHARACTERS: 15, PRICE_PER_HOUR: null };
  const now = { PRICE_PER_MILLION_BYTES: 20, PRICE_PER_HOUR: 0.36 };
  expect(underCurrentNames(before)).toEqual({ PRICE_PER_MILLION_BYTES: 15, PRICE_PER_HOUR: null });
  expect(underAllNames(now)).toEqual({ ...now, PRICE_PER_MILLION_CHARACTERS: 20 });
  expect(underCurrentNames(underAllNames(now))).toEqual(now);
  expect(underCurrentNames({ ...now, PRICE_PER_MILLION_CHARACTERS: 15 })).toEqual(now);
  // Not set.
  expect(underCurrentNames(underAllNames({ PRICE_PER_MILLION_BYTES: null }))).toEqual({ PRICE_PER_MILLION_BYTES: null });
  expect(underCurrentNames({})).toEqual({});
});

test('lists are split at commas, and origins are cut to the origin', () => {
  const config = readConfig({ OPERATOR_IDS: '123456789012345678, 223456789012345678', DISCORD_CDN_URLS: 'https://cdn.example/some/path' });
  expect(config.OPERATOR_IDS).toEqual(['123456789012345678', '223456789012345678']);
  expect(config.DISCORD_CDN_URLS).toEqual(['https://cdn.example']);
});

test.each([
  ['REDIS_URL', { REDIS_URL: 'http://127.0.0.1:6379', DISCORD_TOKEN: 't' }],
  ['REDIS_URL', { REDIS_URL: 'redis://:secret@store.example', DISCORD_TOKEN: 't' }],
  ['DISCORD_TOKEN', { REDIS_URL: 'redis://127.0.0.1:6379' }],
  ['VOICE_API_URL', { VOICE_API_URL: 'http://voice.example', VOICE_API_KEY: 'k' }],
  ['VOICE_API_URL', { VOICE_API_URL: 'http://127.0.0.1.voice.example', VOICE_API_KEY: 'k' }],
  ['VOICE_API_URL', { VOICE_API_URL: 'voice.example', VOICE_API_KEY: 'k' }],
  ['VOICE_API_URL', { VOICE_API_URL: 'https://voice.example/?tenant=1', VOICE_API_KEY: 'k' }],
  ['VOICE_API_URL', { VOICE_API_URL: 'https://voice.example/v1#top', VOICE_API_KEY: 'k' }],
  ['VOICE_API_URL', { VOICE_API_URL: 'https://voice.example/v1?', VOICE_API_KEY: 'k' }],
  ['VOICE_API_URL', { VOICE_API_URL: 'https://robin:secret@voice.example', VOICE_API_KEY: 'k' }],
  ['VOICE_API_KEY', { VOICE_API_URL: 'https://voice.example' }],
  ['VOICE_API_KEY', { VOICE_API_URL: 'https://voice.example', VOICE_API_KEY: 'kéy' }],
  ['VOICE_API_KEY', { VOICE_API_URL: 'https://voice.example', VOICE_API_KEY: 'k\u200bey' }],
  ['VOICE_API_KEY', { VOICE_API_URL: 'https://voice.example', VOICE_API_KEY: 'k\u0007ey' }],
  ['LOCAL_SPEECH_URL', { LOCAL_SPEECH_URL: 'http://voices.example' }],
  ['LOCAL_SPEECH_URL', { LOCAL_SPEECH_URL: 'http://172.32.0.1:8880' }],
  ['LOCAL_SPEECH_URL', { LOCAL_SPEECH_URL: 'http://10.0.0.1.voices.example' }],
  ['LOCAL_SPEECH_URL', { LOCAL_SPEECH_URL: 'http://user:secret@localhost:8880' }],
  ['LOCAL_SPEECH_URL', { LOCAL_SPEECH_KEY: 'k' }],
  ['LOCAL_SPEECH_KEY', { LOCAL_SPEECH_URL: 'http://localhost:8880', LOCAL_SPEECH_KEY: 'two words' }],
  ['LOCAL_TRANSCRIPTION_URL', { LOCAL_TRANSCRIPTION_URL: 'ftp://localhost' }],
  ['LOCAL_TRANSCRIPTION_URL', { LOCAL_TRANSCRIPTION_KEY: 'k' }],
  ['LOCAL_DEFAULT_ENGINE', { LOCAL_DEFAULT_ENGINE: 'kokoro' }],
  ['ENGINE_PRIORITY', { ENGINE_PRIORITY: 'high' }],
  ['LOCAL_SPEECH_URL', { VOICE_API_URL: 'https://voice.example', VOICE_API_KEY: 'k', LOCAL_SPEECH_URL: 'http://localhost:8880' }],
  ['VOICE_MODEL', { VOICE_MODEL: 'modèle' }],
  ['DISCORD_TOKEN', { DISCORD_TOKEN: 'tokén' }],
  ['VOICE_API_URL', { VOICE_API_KEY: 'k' }],
  ['DISCORD_TOKEN', { DISCORD_TOKEN: 'Bot abc' }],
  ['DISCORD_TOKEN', { DISCORD_API_URL: 'http://127.0.0.1:1/api' }],
  ['DISCORD_GUILD_ID', { DISCORD_GUILD_ID: 'my server' }],
  ['DISCORD_CDN_URLS', { DISCORD_CDN_URLS: 'cdn.example' }],
  ['DISCORD_CDN_URLS', { DISCORD_CDN_URLS: 'https://cdn.example,http://media.example' }],
  ['DISCORD_API_URL', { DISCORD_API_URL: 'http://discord.example/api', DISCORD_TOKEN: 't' }],
  ['DISCORD_API_URL', { DISCORD_API_URL: 'http://localhost.discord.example/api', DISCORD_TOKEN: 't' }],
  ['OPERATOR_IDS', { OPERATOR_IDS: 'me' }],
  ['VOICE_FORMAT', { VOICE_FORMAT: 'flac' }],
  ['VOICE_API_CONCURRENCY', { VOICE_API_CONCURRENCY: '0' }],
  ['BUDGET_GUILD_MINUTES', { BUDGET_GUILD_MINUTES: '-1' }],
  ['PRICE_PER_MILLION_BYTES', { PRICE_PER_MILLION_BYTES: '-15' }],
  ['PRICE_PER_MILLION_CHARACTERS', { PRICE_PER_MILLION_CHARACTERS: '-15' }],
  ['PRICE_PER_HOUR', { PRICE_PER_HOUR: '0,36' }],
  ['CACHE_MB', { CACHE_MB: 'much' }],
  ['PLAYGROUND_PORT', { PLAYGROUND_PORT: '70000' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['METRICS_TOKEN', { HTTP_PORT: '9000', HTTP_HOST: '0.0.0.0' }],
  ['METRICS_TOKEN', { HTTP_PORT: '9000', HTTP_HOST: '::' }],
  ['METRICS_TOKEN', { HTTP_PORT: '9000', HTTP_HOST: '127.0.0.1.example.org' }],
  ['METRICS_TOKEN', { METRICS_TOKEN: 'two words' }],
])('names %s in one line when %j is set', (name, env) => {
  const sentence = complaint(env as Record<string, string>);
  expect(sentence).toMatch(new RegExp(`^${name} .*\\.$`));
  expect(sentence).not.toContain('\n');
});

test('every wrong, missing and misspelt variable is named, a line each, and those of others are left alone', () => {
  const env = {
    ...{ LOG_LEVEL: 'loud', OPERATOR_IDS: 'me,you', VOICE_API_URL: 'https://voice.example', CACHE_MB: 'much' },
    ...{ DISCORD_TOKN: 's3cret', METRICS_TOEKN: 'a', http_port: '1', PLAYGROUND_PROT: '', HTTP_PROXY: 'b', REDIS_PORT: '6379' },
  };
  expect(complaint(env).split('\n')).toEqual([
    expect.stringMatching(/^OPERATOR_IDS must be a Discord id/),
    expect.stringMatching(/^CACHE_MB must be a whole number/),
    expect.stringMatching(/^LOG_LEVEL must be one of/),
    expect.stringMatching(/^VOICE_API_KEY is missing/),
    'DISCORD_TOKN is not one of my settings. Did you mean DISCORD_TOKEN? Rename it, or remove it.',
    'METRICS_TOEKN is not one of my settings. Did you mean METRICS_TOKEN? Rename it, or remove it.',
    'http_port is not one of my settings. Did you mean HTTP_PORT? Rename it, or remove it.',
  ]);
  expect(complaint(env)).not.toContain('s3cret');
  expect(complaint({ LOGLEVEL: 'info', LOG_LEVEL: 'info' })).toBe('no complaint');
});

test('a service on this machine may be spoken to without https', () => {
  expect(readConfig({ VOICE_API_URL: 'http://127.0.0.1:8790/', VOICE_API_KEY: 'k' }).VOICE_API_URL).toBe('http://127.0.0.1:8790');
});

test('what the settings accept as a key and an address, the client accepts', async () => {
  const key = String.fromCharCode(...Array.from({ length: 0x7e - 0x20 }, (_, at) => 0x21 + at));
  const { VOICE_API_URL = '', VOICE_API_KEY = '' } = readConfig({ VOICE_API_URL: 'https://voice.example/deep/path//', VOICE_API_KEY: key });
  await createApi({ baseUrl: VOICE_API_URL, apiKey: VOICE_API_KEY }).close();
});

test('/metrics needs a token only if other machines can reach it', () => {
  for (const HTTP_HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    expect(complaint({ HTTP_PORT: '9000', HTTP_HOST })).toBe('no complaint');
  expect(complaint({ HTTP_HOST: '0.0.0.0' })).toBe('no complaint');
  expect(readConfig({ HTTP_PORT: '9000', HTTP_HOST: '0.0.0.0', METRICS_TOKEN: 'figures' }).METRICS_TOKEN).toBe('figures');
});

test.each(['http://127.0.0.1:8080/api', 'http://localhost/api', 'http://[::1]:8080/api', 'https://discord.example/api'])(
  'a Discord at %s may be spoken to',
  (DISCORD_API_URL) => {
    const config = readConfig({ DISCORD_API_URL, DISCORD_TOKEN: 't', DISCORD_CDN_URLS: DISCORD_API_URL });
    expect(config.DISCORD_API_URL).toBe(DISCORD_API_URL);
    expect(config.DISCORD_CDN_URLS).toEqual([new URL(DISCORD_API_URL).origin]);
  },
);

test('a wrong secret is not repeated', () => {
  expect(complaint({ DISCORD_TOKEN: 'Bot s3cret' })).not.toContain('s3cret');
  expect(complaint({ VOICE_API_URL: 'https://voice.example', VOICE_API_KEY: 's3 cret' })).not.toContain('s3 cret');
  expect(complaint({ VOICE_API_URL: 'https://robin:s3cret@voice.example', VOICE_API_KEY: 'k' })).not.toContain('s3cret');
});

test.each([
  'https://voices.example',
  'http://localhost:8880',
  'http://[::1]:8880',
  'http://192.168.1.20:8880',
  'http://172.31.0.1:8880',
  'http://10.1.2.3',
  'http://[fd12:3456::1]:8880',
  'http://kokoro:8880',
  'http://host.docker.internal:8880',
  'http://desk.local:8880',
])('an engine may be at %s, with /v1 in its address or without', (address) => {
  for (const path of ['', '/', '/v1', '/v1/', '/v1/audio/speech'])
    expect(readConfig({ LOCAL_SPEECH_URL: `${address}${path}` }).LOCAL_SPEECH_URL).toBe(address);
});

test('texts leave this machine for the voice service, or for engines elsewhere', () => {
  expect(listOutsideHosts(readConfig({}))).toBeNull();
  expect(listOutsideHosts(readConfig({ LOCAL_SPEECH_URL: 'http://localhost:8880' }))).toBeNull();
  expect(
    listOutsideHosts(readConfig({ LOCAL_SPEECH_URL: 'http://desk.local:8880', LOCAL_TRANSCRIPTION_URL: 'https://ears.example/v1' })),
  ).toBe('desk.local:8880, ears.example');
  expect(listOutsideHosts(readConfig({ VOICE_API_URL: 'https://voice.example/api', VOICE_API_KEY: 'k' }))).toBe('voice.example');
});
