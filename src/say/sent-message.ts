// A reply of /say as Discord has it: what its menu and buttons need is read from it.
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIComponentInMessageActionRow,
  type APIMessage,
  ComponentType,
  type Message,
} from 'discord.js';
import { readTexts } from '../bot/card-parts.ts';
import { asEdit, card, cards, text } from '../bot/cards.ts';
import type { Words } from '../locales/index.ts';
import { type Again, againControls, HIDDEN, SEPARATOR } from './message.ts';
import { parseVoiceOptions } from './request.ts';
import { readShownText } from './shown-text.ts';

export type SentMessage = Pick<APIMessage, 'components'>;

export function toSentMessage({ components }: Message): SentMessage {
  return { components: components.map((component) => component.toJSON()) };
}

/** The text of a reply that shows it as it was typed; null if there is none. */
export function readText({ components }: SentMessage): string | null {
  const shown = readTexts(components)[1];
  return shown === undefined ? null : readShownText(shown);
}

/** A reply whose utterance was in the queue of a process that was killed; null if it already says how it ended. */
export function afterRestart(message: SentMessage, t: Words) {
  return withoutLiveButtons(message, t, t.say.interruptedByRestart);
}

/**
 * The reply once its utterance has ended, with the status if that isn't known to follow. Null if it has no buttons that end it.
 */
export function withoutLiveButtons(message: SentMessage, t: Words, status: string | null) {
  const live = buttonsOf(message).find(({ custom_id }) => /^say-(skip|stop|cancel):/.test(custom_id));
  if (!live) return null;
  const again = readAgain(live.custom_id);
  const texts = readTexts(message.components);
  const shown = status === null ? texts : [...texts.slice(0, -1), replaceLast(texts.at(-1) ?? '', status)];
  return asEdit(cards(card(status === null ? 'neutral' : 'failed', ...shown.map(text), again && againControls(t, again))));
}

function replaceLast(facts: string, status: string): string {
  return [...facts.split(SEPARATOR).slice(0, -1), status].join(SEPARATOR);
}

/** From `say-stop:utterance:owner:textKey:manner:voice`; null if the id had no room for it, or there is nothing to say again. */
function readAgain(id: string): Again | null {
  const [, , ownerId, textKey, ...options] = id.split(':');
  if (ownerId === undefined || textKey === undefined) return null;
  return { ...parseVoiceOptions(options), ownerId, textKey: textKey === HIDDEN ? null : textKey };
}

function buttonsOf({ components: [container] = [] }: SentMessage): APIButtonComponentWithCustomId[] {
  if (container?.type !== ComponentType.Container) return [];
  return container.components
    .filter((part): part is APIActionRowComponent<APIComponentInMessageActionRow> => part.type === ComponentType.ActionRow)
    .flatMap(({ components }) => components)
    .filter((part): part is APIButtonComponentWithCustomId => part.type === ComponentType.Button && 'custom_id' in part);
}
