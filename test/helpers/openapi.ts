// Checks requests against Discord's published OpenAPI description, if it is available.
import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { InteractionResponseType } from 'discord.js';
import { it } from 'vitest';
import type { LocalDiscord, RestExchange } from '../../src/local/discord/index.ts';
import { DISCORD_DESCRIPTION, discordDescription, titled } from './requirements.ts';

/** What discord.js sends and Discord accepts, although the description does not mention it. */
const HARMLESS = new Set(['tts', 'nonce', 'enforce_nonce', 'sticker_ids', 'username', 'avatar_url', 'applied_tags', 'shared_client_theme']);

interface Operation {
  requestBody?: { content: Record<string, { schema: AnySchemaObject }> };
}

/** From now on, records each request that is missing from Discord's description or whose body does not match it. */
export function watchRequests(discord: LocalDiscord): { seen: RestExchange[]; problems: string[] } {
  const seen: RestExchange[] = [];
  const problems: string[] = [];
  discord.onRestRequest((request) => {
    seen.push(request);
    if (discordDescription.isMet) problems.push(...problemsOf(request));
  });
  return { seen, problems };
}

/** From now on, records each message that is sent or edited without saying whom it may notify. */
export function watchMentions(discord: LocalDiscord): { problems: string[] } {
  const problems: string[] = [];
  discord.onRestRequest(({ method, path, body }) => {
    if (!/^(POST|PATCH)$/.test(method) || typeof body !== 'object' || body === null) return;
    const { type, data = {} } = body as { type?: InteractionResponseType; data?: object };
    const isResponse = /^\/interactions\/.*\/callback$/.test(path);
    const hasMessage = isResponse
      ? type === InteractionResponseType.ChannelMessageWithSource || type === InteractionResponseType.UpdateMessage
      : /^\/webhooks\/|^\/channels\/\d+\/messages(\/\d+)?$/.test(path);
    if (hasMessage && !('allowed_mentions' in (isResponse ? data : body))) problems.push(`${method} ${path} may notify anybody`);
  });
  return { problems };
}

/**
 * Returns a check by one of its schemas, which throws with what is wrong. Call it while tests are collected: without the description the
 * check does nothing, and the file shows a skipped test that says so.
 */
export function createSchemaCheck(name: string): (value: unknown) => void {
  if (!discordDescription.isMet) {
    it.skip(titled(`what is sent fits ${name} in Discord's description`, discordDescription));
    return () => {};
  }
  description ??= readDescription();
  const { ajv } = description;
  const validate = ajv.getSchema(`discord#/components/schemas/${name}`);
  if (!validate) throw new Error(`Discord's description has no schema ${name}.`);
  return (value) => {
    // As it is sent: without undefined values.
    if (!validate(withoutHarmless(JSON.parse(JSON.stringify(value))))) throw new Error(ajv.errorsText(validate.errors));
  };
}

/** Read once per process, since it is a megabyte. */
let description: ReturnType<typeof readDescription> | undefined;

function readDescription() {
  const { paths, ...rest } = JSON.parse(readFileSync(DISCORD_DESCRIPTION, 'utf8')) as { paths: Record<string, Record<string, Operation>> };
  // Compiled in 40 % of the time: what each process compiles anew is used too rarely to be worth any better code.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addFormat('snowflake', /^\d{1,20}$/);
  ajv.addFormat('nonce', true);
  ajv.addSchema({ paths, ...rest } as AnySchemaObject, 'discord');
  // Literal paths before those with parameters.
  const operations = Object.entries(paths)
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([path, methods]) => ({ path, methods, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }));
  return { operations, ajv };
}

function problemsOf({ method, path, body, status }: RestExchange): string[] {
  if (status === 404 && body === undefined) return [];
  description ??= readDescription();
  const { operations, ajv } = description;
  const verb = method.toLowerCase();
  const known = operations.find(({ methods, pattern }) => methods[verb] && pattern.test(path));
  if (!known) return [`${method} ${path} is not in Discord's description`];
  const types = Object.keys(known.methods[verb]?.requestBody?.content ?? {});
  const type = types.includes('application/json') ? 'application/json' : types[0];
  if (type === undefined || body === undefined || body === null) return [];
  const at = ['paths', known.path, verb, 'requestBody', 'content', type, 'schema'].map(asPointer).join('/');
  // Ajv keeps what it has compiled.
  const validate = ajv.getSchema(`discord#/${at}`);
  if (!validate) throw new Error(`Discord's description has no schema at ${at}.`);
  if (validate(withoutHarmless(body))) return [];
  // Every branch of a `oneOf` reports errors: the first few are enough to find the place.
  return [`${method} ${known.path}: ${ajv.errorsText(validate.errors).slice(0, 500)}`];
}

const asPointer = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * Without known differences: attachments' numbers become the strings that the description wants, and permissions, which Discord's
 * documentation writes as strings, the numbers.
 */
function withoutHarmless(value: unknown, key = ''): unknown {
  if (key === 'default_member_permissions' && typeof value === 'string') return Number(value);
  if (Array.isArray(value)) return value.map((one) => withoutHarmless(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !HARMLESS.has(name))
      .map(([name, inner]) => [name, key === 'attachments' && name === 'id' ? String(inner) : withoutHarmless(inner, name)]),
  );
}
