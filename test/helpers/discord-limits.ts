// A check of whole messages against Discord's limits and its published description, independent of the code that keeps them.

import { readFileSync } from 'node:fs';
import {
  type APIMessageTopLevelComponent,
  type APIStringSelectComponent,
  type APITextDisplayComponent,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import { expect } from 'vitest';
import { languages } from '../../src/locales/index.ts';
import { readMessages } from '../../src/locales/translator.ts';
import { type Descriptions, limitOf } from '../tools/message-problems.ts';
import { expectHarmless } from './hostile-texts.ts';
import { partsOf } from './member.ts';
import { createSchemaCheck } from './openapi.ts';

interface Message {
  /** As discord.js takes them. */
  flags?: number | readonly number[] | undefined;
  content?: string | null;
  /** Parley sends none. */
  embeds?: readonly object[];
  components?: readonly unknown[];
}

/** As modals are sent. */
interface Form {
  title: string;
  custom_id: string;
  components: readonly object[];
}

interface Field {
  label: string;
  description?: string;
  component: { value?: string; max_length?: number };
}

const checkSchema = createSchemaCheck('IncomingWebhookUpdateRequestPartial');
const checkForm = createSchemaCheck('ModalInteractionCallbackRequestData');

/** Fails if Discord would refuse the message, or if what others wrote in it is more than plain text. */
export function expectTaken(message: Message & Parameters<typeof expectHarmless>[0]): void {
  expectWithinLimits(message);
  expectHarmless(message);
}

/** Fails if Discord would refuse the form, or if what others wrote in its title is more than plain text. */
export function expectFormTaken(form: Form): void {
  expectOwnText(form.title, 45);
  expectHarmless({ title: form.title });
  expectText(form.custom_id, 100);
  expect(form.components.length).toBeLessThanOrEqual(5);
  for (const { label, description, component } of form.components as readonly Field[]) {
    expectOwnText(label, 45);
    if (description !== undefined) expectOwnText(description, 100);
    expect(component.value?.length ?? 0).toBeLessThanOrEqual(component.max_length ?? 0);
  }
  checkForm(form);
}

/** Fails if Discord would refuse the message. Limits without a link: https://discord.com/developers/docs/components/reference */
export function expectWithinLimits(message: Message): void {
  const { content = null, embeds = [] } = message;
  const flags = [message.flags ?? 0].flat().reduce((all, one) => all | one, 0);
  const components = (message.components ?? []) as readonly APIMessageTopLevelComponent[];
  expect(embeds).toEqual([]);
  if (flags & MessageFlags.IsComponentsV2) {
    expect(content).toBeNull();
    expectCardsWithinLimits(components);
  } else {
    expect(content?.length ?? 0).toBeLessThanOrEqual(2000);
    expect(components.length).toBeLessThanOrEqual(5);
    expect(components.every(({ type }) => type === ComponentType.ActionRow)).toBe(true);
  }
  expectControlsWithinLimits(components);
  checkSchema({ content, embeds, components, flags });
}

function expectCardsWithinLimits(components: readonly APIMessageTopLevelComponent[]): void {
  const parts = partsOf(components);
  expect(components.length).toBeGreaterThan(0);
  expect(parts.length).toBeLessThanOrEqual(40);
  const texts = parts.filter((part): part is APITextDisplayComponent => part.type === ComponentType.TextDisplay);
  expect(texts.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(4000);
  for (const { content } of texts) {
    expect(content.trim()).not.toBe('');
    expect(content.isWellFormed()).toBe(true);
  }
  for (const part of parts) {
    if (part.type === ComponentType.Container) expect(part.components.length).toBeGreaterThan(0);
    if (part.type === ComponentType.Section) {
      expect(part.components.length).toBeGreaterThan(0);
      expect(part.components.length).toBeLessThanOrEqual(3);
    }
    const pictures = part.type === ComponentType.MediaGallery ? part.items : part.type === ComponentType.Thumbnail ? [part] : [];
    expect(pictures.length).toBeLessThanOrEqual(10);
    for (const { media, description } of pictures) {
      expect(media.url).toMatch(/^(https?|attachment):\/\/./);
      expect(media.url.length).toBeLessThanOrEqual(2048);
      if (description != null) expectText(description, 1024);
    }
    if (part.type === ComponentType.File) expect(part.file.url).toMatch(/^attachment:\/\/./);
  }
}

/** Buttons and menus, in rows and beside texts. */
function expectControlsWithinLimits(components: readonly APIMessageTopLevelComponent[]): void {
  const parts = partsOf(components);
  for (const part of parts) {
    if (part.type === ComponentType.ActionRow) {
      const hasMenu = part.components.some(({ type }) => type !== ComponentType.Button);
      expect(part.components.length).toBeGreaterThan(0);
      expect(part.components.length).toBeLessThanOrEqual(hasMenu ? 1 : 5);
    }
    if (part.type === ComponentType.Button && 'label' in part && part.label !== undefined) expectOwnText(part.label, 80);
    if ('placeholder' in part && part.placeholder != null) expectOwnText(part.placeholder, 150);
    if (part.type === ComponentType.StringSelect) expectOptionsWithinLimits(part);
  }
  const ids = parts.flatMap((part) => ('custom_id' in part ? [part.custom_id] : []));
  expect(new Set(ids).size, ids.join(' ')).toBe(ids.length);
  for (const id of ids) expectText(id, 100);
}

function expectOptionsWithinLimits({ options, min_values = 1, max_values = 1 }: APIStringSelectComponent): void {
  expect(options.length).toBeGreaterThan(0);
  expect(options.length).toBeLessThanOrEqual(25);
  expect(max_values).toBeLessThanOrEqual(options.length);
  expect(min_values).toBeLessThanOrEqual(max_values);
  expect(options.filter((option) => option.default).length).toBeLessThanOrEqual(max_values);
  expect(new Set(options.map(({ value }) => value)).size).toBe(options.length);
  for (const { label, value, description } of options) {
    expectOwnText(label, 100);
    expectText(value, 100);
    if (description !== undefined) expectOwnText(description, 100);
  }
}

/** A text that may be a sentence of ours, whose translators have to know the limit. */
function expectOwnText(text: string, limit: number): void {
  expectText(text, limit);
  expectLimitStated(text, limit);
}

function expectText(text: string, limit: number): void {
  expect(text.trim()).not.toBe('');
  expect(text.length).toBeLessThanOrEqual(limit);
  expect(text.isWellFormed()).toBe(true);
}

const { limits } = JSON.parse(readFileSync(new URL('../../src/locales/en.descriptions.json', import.meta.url), 'utf8')) as Descriptions;

/** The keys of each text, which is the same in several languages or under several keys. */
const keysOf = new Map<string, Set<string>>();
for (const { locale } of languages)
  for (const [key, message] of Object.entries(readMessages(locale))) keysOf.set(message, (keysOf.get(message) ?? new Set()).add(key));

/** Fails if the text is a sentence of ours for which en.descriptions.json has no limit, or a higher one. Texts with arguments aren’t known. */
function expectLimitStated(text: string, limit: number): void {
  const keys = [...(keysOf.get(text) ?? [])];
  expect(
    keys.length === 0 || keys.some((key) => limitOf(key, limits) <= limit),
    `en.descriptions.json states no limit of ${limit} for “${text}” (${keys.join(', ')})`,
  ).toBe(true);
}
