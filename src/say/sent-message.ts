// A reply of /say as Discord has it: what its menu and buttons need is read from it, also if an earlier version sent it as an embed.
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIEmbed,
  type APIMessageTopLevelComponent,
  ComponentType,
  type Message,
} from 'discord.js';
import { asEdit, card, cards, row, text } from '../bot/cards.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { type Again, againControls, HIDDEN, SEPARATOR } from './message.ts';
import { parseVoiceOptions } from './request.ts';
import { readShownText } from './shown-text.ts';

export interface SentMessage {
  embeds: readonly APIEmbed[];
  components: readonly APIMessageTopLevelComponent[];
}

export function toSentMessage({ embeds, components }: Message): SentMessage {
  return { embeds: embeds.map((embed) => embed.toJSON()), components: components.map((component) => component.toJSON()) };
}

/** The text of a reply that shows it as it was typed; null if a moderator removed it. */
export function readText({ embeds, components }: SentMessage): string | null {
  const shown = textsOf(components)[1];
  return shown === undefined ? (embeds[0]?.description ?? null) : readShownText(shown);
}

/** A reply whose utterance was in the queue of a process that was killed; null if it already says how it ended. */
export function afterRestart(message: SentMessage, t: Words) {
  return withoutLiveButtons(message, t, t.say.interruptedByRestart);
}

/**
 * The reply once its utterance has ended, with the status if that isn't known to follow. Null if it has no buttons that end it.
 */
export function withoutLiveButtons(message: SentMessage, t: Words, status: string | null) {
  const buttons = message.components.flatMap(buttonsOf);
  const live = buttons.find(isLive);
  if (!live) return null;
  const edit = message.embeds[0] ? fromEmbed(message.embeds[0], status) : withStatus(message.components, status);
  const kept = buttons.filter((one) => !isLive(one));
  const again = readAgain(live.custom_id);
  // An embed's own buttons still work.
  const controls = kept.length > 0 ? row(...kept) : again ? againControls(t, again) : null;
  return asEdit(cards(card(status === null ? 'neutral' : 'failed', ...edit.map(text), controls)));
}

/** The texts of the card, the last one with this status. */
function withStatus(components: SentMessage['components'], status: string | null): string[] {
  const texts = textsOf(components);
  const last = texts.at(-1) ?? '';
  return status === null ? texts : [...texts.slice(0, -1), replaceLast(last, status)];
}

/** What an earlier version showed, in a card's order. */
function fromEmbed({ author, description, footer }: APIEmbed, status: string | null): string[] {
  const facts = footer?.text ?? '';
  return [
    `**${asMarkdown(author?.name ?? '', 80) || '?'}**`,
    asMarkdown(description ?? '', 3_500) || '…',
    `-# ${asMarkdown(status === null ? facts : replaceLast(facts, status), 300) || '…'}`,
  ];
}

function replaceLast(facts: string, status: string): string {
  return [...facts.split(SEPARATOR).slice(0, -1), status].join(SEPARATOR);
}

/** From `say-stop:utterance:owner:textKey:manner:voice`; null for one of an earlier version. */
function readAgain(id: string): Again | null {
  const [, , ownerId, textKey, ...options] = id.split(':');
  if (ownerId === undefined || textKey === undefined) return null;
  return { ...parseVoiceOptions(options), ownerId, textKey: textKey === HIDDEN ? null : textKey };
}

function textsOf(components: SentMessage['components']): string[] {
  const [container] = components;
  if (container?.type !== ComponentType.Container) return [];
  return container.components.flatMap((part) => (part.type === ComponentType.TextDisplay ? [part.content] : []));
}

function buttonsOf(component: SentMessage['components'][number]): APIButtonComponentWithCustomId[] {
  const rows = component.type === ComponentType.Container ? component.components : [component];
  return rows
    .filter((one): one is APIActionRowComponent<APIButtonComponentWithCustomId> => one.type === ComponentType.ActionRow)
    .flatMap(({ components }) => components)
    .filter((one) => one.type === ComponentType.Button && 'custom_id' in one);
}

function isLive({ custom_id }: APIButtonComponentWithCustomId): boolean {
  return /^say-(skip|stop|cancel):/.test(custom_id);
}
