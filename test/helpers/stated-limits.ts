// Whether translators are told how long a sentence may be that stands where Discord has a limit.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { languages } from '../../src/locales/index.ts';
import { readMessages } from '../../src/locales/translator.ts';
import { type Descriptions, limitOf } from './message-problems.ts';

const { limits } = JSON.parse(readFileSync(new URL('../../src/locales/en.descriptions.json', import.meta.url), 'utf8')) as Descriptions;

/** The keys of each text, which is the same in several languages or under several keys. */
const keysOf = new Map<string, Set<string>>();
for (const { locale } of languages)
  for (const [key, message] of Object.entries(readMessages(locale))) keysOf.set(message, (keysOf.get(message) ?? new Set()).add(key));

/** Fails if the text is a sentence of ours for which en.descriptions.json has no limit, or a higher one. Texts with arguments aren’t known. */
export function expectLimitStated(text: string, limit: number): void {
  const keys = [...(keysOf.get(text) ?? [])];
  expect(
    keys.length === 0 || keys.some((key) => limitOf(key, limits) <= limit),
    `en.descriptions.json states no limit of ${limit} for “${text}” (${keys.join(', ')})`,
  ).toBe(true);
}
