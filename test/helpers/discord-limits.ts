// Whether Discord would take whole messages and forms: by the local Discord's own validation, Discord's published description, and what neither
// knows of a text.

import { readFileSync } from 'node:fs';
import { ComponentType } from 'discord.js';
import { expect } from 'vitest';
import { validateModal } from '../../src/local/discord/interactions/modal-validation.ts';
import { validateMessage } from '../../src/local/discord/messages/validation.ts';
import { languages } from '../../src/locales/index.ts';
import { readMessages } from '../../src/locales/translator.ts';
import { type Descriptions, limitOf } from '../tools/message-problems.ts';
import { expectHarmless, type Shown, textsIn } from './harmless.ts';
import { createSchemaCheck } from './openapi.ts';

interface Message extends Omit<Shown, 'title'> {
  /** As discord.js takes them. */
  flags?: number | readonly number[] | undefined;
}

/** As modals are sent. */
interface Form {
  title: string;
  custom_id: string;
  components: readonly object[];
}

const checkSchema = createSchemaCheck('IncomingWebhookUpdateRequestPartial');
const checkForm = createSchemaCheck('ModalInteractionCallbackRequestData');

/** Fails if Discord would refuse the message, or if what others wrote in it is more than plain text. */
export function expectTaken(message: Message & Shown): void {
  expectWithinLimits(message);
  expectHarmless(message);
}

/** Fails if Discord would refuse the form, or if what others wrote in its title is more than plain text. */
export function expectFormTaken(form: Form): void {
  validateModal(form);
  expectHarmless({ title: form.title });
  expect(faultsOf(form)).toEqual([]);
  checkForm(form);
}

/** Fails if Discord would refuse the message. */
export function expectWithinLimits(message: Message): void {
  const { content = null, embeds = [] } = message;
  const flags = [message.flags ?? 0].flat().reduce((all, one) => all | one, 0);
  const components = (message.components ?? []) as Record<string, unknown>[];
  expect(embeds).toEqual([]);
  // Whether it has a file besides doesn't matter here.
  validateMessage({ content, components, flags }, 1);
  expect(faultsOf(components)).toEqual([]);
  checkSchema({ content, embeds, components, flags });
}

/** Texts that are blank or broken, and sentences of ours with a limit that their translators don't know. */
const faultsOf = (whole: unknown) =>
  [...textsIn(whole)].flatMap(({ key, text, part }) => {
    if (!text.isWellFormed()) return [`${key}: ${text} is not well-formed`];
    if (key !== 'value' && text.trim() === '') return [`${key} is blank`];
    return faultOfLimit(text, limitOfField(key, part));
  });

/** https://docs.discord.com/developers/components/reference; Infinity = a field that has none, or never has a sentence of ours. */
function limitOfField(key: string, { type, media }: { type?: ComponentType; media?: unknown }): number {
  if (key === 'title') return 45;
  if (key === 'label') return type === ComponentType.Label ? 45 : type === ComponentType.Button ? 80 : 100;
  if (key === 'description' && media === undefined) return 100;
  return key === 'placeholder' ? 150 : Number.POSITIVE_INFINITY;
}

const { limits } = JSON.parse(readFileSync(new URL('../../src/locales/en.descriptions.json', import.meta.url), 'utf8')) as Descriptions;

/** The keys of each text, which is the same in several languages or under several keys. */
const keysOf = new Map<string, Set<string>>();
for (const { locale } of languages)
  for (const [key, message] of Object.entries(readMessages(locale))) keysOf.set(message, (keysOf.get(message) ?? new Set()).add(key));

/** A sentence of ours for which en.descriptions.json has no limit, or a higher one. Texts with arguments aren’t known. */
function faultOfLimit(text: string, limit: number): string[] {
  const keys = limit === Number.POSITIVE_INFINITY ? [] : [...(keysOf.get(text) ?? [])];
  if (keys.length === 0 || keys.some((key) => limitOf(key, limits) <= limit)) return [];
  return [`en.descriptions.json states no limit of ${limit} for “${text}” (${keys.join(', ')})`];
}
