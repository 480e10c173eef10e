// JSON that is damaged, too deep, too long or of the wrong shape; queries, paths and methods; for the voice service and the local Discord.

import fc from 'fast-check';
import { modelList } from '../../../src/api/schemas.ts';
import { anyText } from '../../helpers/arbitrary-text.ts';
import { below, pick, type Random, randomBytes } from '../../helpers/random.ts';
import { ask, classifyAnswer } from '../answers.ts';
import { distort, sample } from '../distort.ts';
import { mutate } from '../mutations.ts';
import { askDiscord } from '../rest.ts';
import type { FuzzEnvironment, OpenTarget } from '../target.ts';

const SPEECH = {
  ...{ text: 'Hi.', format: 'pcm', sample_rate: 16_000, reference_id: 'x', references: [{ audio: 'AAAA', text: 'a' }] },
  ...{ prosody: { speed: 1, volume: 0 }, chunk_length: 200, normalize: true, latency: 'normal', temperature: 0.7, top_p: 0.7 },
};
const MESSAGE = {
  ...{ content: 'Hi.', embeds: [{ title: 'a', description: 'b', fields: [{ name: 'n', value: 'v' }], footer: { text: 'f' } }] },
  ...{ components: [{ type: 1, components: [{ type: 2, style: 1, label: 'x', custom_id: 'y' }] }], flags: 0, nonce: '1' },
  ...{ allowed_mentions: { parse: [] }, message_reference: { message_id: '1' }, attachments: [{ id: 0, filename: 'a' }] },
};
const COMMAND = {
  name: 'zz',
  description: 'b',
  type: 1,
  options: [{ type: 3, name: 'a', description: 'b', choices: [{ name: 'c', value: 'd' }] }],
};
/** Parameters of GET /model, and one that no service knows. */
export const QUERY_NAMES = [
  'page_size',
  'page_number',
  'title',
  'tag',
  'tag[]',
  'self',
  'author_id',
  'language',
  'title_language',
  'sort_by',
  '__proto__',
];

export const openJson: OpenTarget = async (environment) => ({
  attack(random) {
    const way = random();
    if (way < 0.6) return speech(environment, random);
    if (way < 0.9) return catalogue(environment, random);
    return discord(environment, random);
  },
});

async function speech({ service, key }: FuzzEnvironment, random: Random): Promise<string> {
  const headers = {
    'content-type': pick(['application/json', 'application/json', 'application/json; charset=utf-16', 'text/plain', 'x'], random),
    model: pick(['s1', '', '__proto__', 'x'.repeat(3_000)], random),
  };
  const answer = await ask(service, '/v1/tts', { key, headers, body: bodyOf(SPEECH, random) });
  return classifyAnswer(answer, ({ bytes }) => bytes.length > 0);
}

async function catalogue({ service, key }: FuzzEnvironment, random: Random): Promise<string> {
  const query = new URLSearchParams(
    Array.from({ length: below(6, random) }, (): [string, string] => [
      pick(QUERY_NAMES, random),
      wellFormed(sample(anyText, random)).slice(0, 500),
    ]),
  );
  const junk = sample(fc.stringMatching(/^[!-~]{0,40}$/), random).replaceAll('#', '');
  const path = pick([`/model?${query}`, `/model?${query}`, `/model/${junk}`, `/${junk}`, `/wallet/${junk}/api-credit`], random);
  const method = pick(['GET', 'GET', 'GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'], random);
  const answer = await ask(service, path, { key, method });
  // Without a body, only the status can be checked.
  if (method === 'HEAD' && answer.status < 500) return `HEAD: ${answer.status}`;
  return classifyAnswer(answer, ({ json }) => !path.startsWith('/model?') || modelList.safeParse(json).success);
}

function discord({ empty }: FuzzEnvironment, random: Random): Promise<string> {
  const guildId = pick(empty.guildIds, random);
  const channel = `/channels/${empty.channelId('general', guildId)}`;
  const routes: [string, string, unknown][] = [
    ['POST', `${channel}/messages`, MESSAGE],
    ['POST', `${channel}/messages`, MESSAGE],
    ['PUT', `/applications/${empty.application.id}/guilds/${guildId}/commands`, [COMMAND]],
    ['POST', '/interactions/1/x/callback', { type: 4, data: MESSAGE }],
    ['POST', `/webhooks/${empty.application.id}/x`, MESSAGE],
    ['POST', '/users/@me/channels', { recipient_id: '1' }],
    [
      'GET',
      `${channel}/messages?limit=${pick([-1, 0, 1e9, 'x'], random)}&${pick(['before', 'after', 'around'], random)}=${pick(['x', -1, 0, 1e30], random)}`,
      undefined,
    ],
  ];
  const [method, path, body] = pick(routes, random);
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return askDiscord(empty, method, path, headers, body === undefined ? undefined : bodyOf(body, random));
}

function bodyOf(valid: unknown, random: Random): Uint8Array<ArrayBuffer> {
  const kind = random();
  if (kind < 0.4) return new Uint8Array(Buffer.from(JSON.stringify(distort(valid, random))));
  if (kind < 0.55) return new Uint8Array(mutate(Buffer.from(JSON.stringify(valid)), random));
  if (kind < 0.75) {
    const key = pick(Object.keys(valid as object), random);
    return new Uint8Array(
      Buffer.from(JSON.stringify({ ...(valid as object), [key]: sample(fc.oneof(fc.jsonValue({ maxDepth: 3 }), anyText), random) })),
    );
  }
  if (kind < 0.85) return new Uint8Array(randomBytes(below(300, random), random));
  const deep = 10 ** (1 + below(5, random));
  const [open, close] = pick(
    [
      ['[', ']'],
      ['{"a":', '}'],
      ['[', ''],
      ['{"text":', ''],
    ],
    random,
  ) as [string, string];
  return new Uint8Array(Buffer.from(`{"text":"Hi.","references":${open.repeat(deep)}1${close.repeat(deep)}}`.slice(0, 250_000)));
}

const wellFormed = (text: string): string => text.toWellFormed();
