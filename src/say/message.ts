// The reply to /say: who says what in which voice, how it stands, and buttons that work after a restart.
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIButtonComponentWithCustomId,
  type APIEmbed,
  type BaseMessageOptions,
  ButtonStyle,
  ComponentType,
  GuildMember,
  type Message,
} from 'discord.js';
import { COLOR, customId, limits, truncate } from '../bot/discord-limits.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import { asPlain } from '../text/foreign.ts';
import type { Outcome } from '../voice/types.ts';
import type { Asked, Plan } from './plan.ts';
import { nameOf, type Voice } from './voices.ts';
import { type Manner, mannerId, type Wish } from './wish.ts';

/** Between the facts in the footer. */
const FACTS_APART = ' · ';

/** Who speaks, as the server knows them. */
export interface Speaker {
  id: string;
  name: string;
  picture: string | null;
}

export function speakerOf({ user, member }: Asked): Speaker {
  const name = member instanceof GuildMember ? member.displayName : user.displayName;
  return { id: user.id, name, picture: user.avatarURL() };
}

export interface Shown {
  speaker: Speaker;
  plan: Plan;
  voice: Voice;
  status: string;
}

/** @param live id of the utterance while it waits or plays; null once it has ended */
export function sayMessage(shown: Shown, live: string | null) {
  const { speaker, plan, voice } = shown;
  const manner = { voice: voice?.id ?? '', speed: plan.speed };
  const buttons = [
    ...(live === null ? [] : liveButtons(live, speaker.id)),
    ...(plan.showText ? [mannerButton('say-replay', en.say.replayButton, speaker.id, manner)] : []),
    ...(plan.showText ? [mannerButton('say-file', en.say.saveButton, speaker.id, manner)] : []),
    mannerButton('say-more', en.say.sayMoreButton, speaker.id, manner),
  ].filter((button) => button !== null);
  return { embeds: [sayEmbed(shown)], components: buttons.length > 0 ? [row(buttons)] : [] };
}

/** Who says what, in which voice, and how it stands. */
export function sayEmbed({ speaker, plan, voice, status }: Shown): APIEmbed {
  const { wish, speed, isCut, showText } = plan;
  const facts = [nameOf(voice), speed === 1 ? null : `${speed}×`, isCut ? en.say.shortened : null, status];
  return {
    color: COLOR,
    author: { name: asPlain(speaker.name, limits.embedAuthor) || '?', ...(speaker.picture ? { icon_url: speaker.picture } : {}) },
    // As the member could have written it: mentions, emoji and spoilers are shown as Discord shows them. Buttons read it from here.
    description: showText ? truncate(wish.text, limits.embedDescription) : en.say.textHidden,
    footer: { text: truncate(facts.filter((fact) => fact !== null).join(FACTS_APART), limits.embedFooter) },
  };
}

/**
 * What is asked before much of the credit is spent.
 * @param share of the balance that it would take, 0 to 1
 * @param how 's' to speak it, 'f' for a file
 */
export function questionMessage(plan: Plan, share: number, how: 's' | 'f', channelId: string | null) {
  const { wish, spoken } = plan;
  const id = mannerId('say-yes', [how, channelId ?? ''], wish);
  return {
    content: (id === null ? en.say.tooExpensive : en.say.confirm)(spoken.length, share),
    embeds: [{ color: COLOR, description: truncate(wish.text, limits.embedDescription) }],
    components: id === null ? [] : [row([{ ...button(en.say.confirmButton, id), style: ButtonStyle.Primary }])],
  };
}

/** How it stands once it has ended. */
export function statusOf(outcome: Outcome, { fromCache, characters }: { fromCache: boolean; characters: number }): string {
  if (outcome.ended === 'failed') return outcome.seconds > 0 ? en.say.interrupted(outcome.seconds) : en.say.notSpoken;
  const isUnheard = outcome.ended !== 'played' && outcome.seconds === 0;
  if (isUnheard && !fromCache && characters > 0) return en.say.stoppedUnheard(characters);
  const took = fromCache ? en.say.fromCache : characters > 0 ? en.say.characters(characters) : null;
  const end = { played: en.say.spoken(outcome.seconds), skipped: en.say.skipped, stopped: en.say.stopped }[outcome.ended];
  return [end, took].filter((part) => part !== null).join(', ');
}

/** What is known of a message from Discord, be it by REST or from a button. */
export interface SentMessage {
  embeds: readonly APIEmbed[];
  components: readonly unknown[];
}

export function asSent({ embeds, components }: Message): SentMessage {
  return { embeds: embeds.map((embed) => embed.toJSON()), components: components.map((component) => component.toJSON()) };
}

/** How a reply looks whose utterance was in the queue of a killed process; null if it says already how it ended. */
export function afterRestart({ embeds, components }: SentMessage) {
  if (!components.some((one) => buttonsOf(one).some(isLive))) return null;
  return { embeds: embeds.map((embed) => withStatus(embed, en.say.interruptedByRestart)), components: withoutLiveButtons(components) };
}

/** The status stands last. */
function withStatus({ color, author, description, footer }: APIEmbed, status: string): APIEmbed {
  const facts = [...(footer?.text.split(FACTS_APART).slice(0, -1) ?? []), status];
  return {
    ...(color === undefined ? {} : { color }),
    ...(author ? { author: { name: author.name, ...(author.icon_url ? { icon_url: author.icon_url } : {}) } } : {}),
    ...(description ? { description } : {}),
    footer: { text: truncate(facts.join(FACTS_APART), limits.embedFooter) },
  };
}

/** Without the buttons of an utterance that has ended. */
export function withoutLiveButtons(components: SentMessage['components']): NonNullable<BaseMessageOptions['components']> {
  return components.flatMap((one) => {
    const left = buttonsOf(one).filter((part) => !isLive(part));
    return left.length > 0 ? [{ type: ComponentType.ActionRow as const, components: left }] : [];
  });
}

function buttonsOf(component: unknown): APIButtonComponent[] {
  return (component as Partial<APIActionRowComponent<APIButtonComponent>>).components ?? [];
}

function isLive(button: APIButtonComponent): boolean {
  return 'custom_id' in button && /^say-(skip|stop):/.test(button.custom_id);
}

/** The text that a reply shows, with how it is to be said. @throws UserError where a moderator took the embed away */
export function wishOf(message: { embeds: readonly { description: string | null }[] }, manner: Manner): Wish {
  const text = message.embeds[0]?.description;
  if (!text) throw new UserError(en.say.textGone);
  return { ...manner, text };
}

function liveButtons(id: string, ownerId: string): APIButtonComponentWithCustomId[] {
  return [button(en.say.stopButton, customId('say-stop', id, ownerId)), button(en.say.skipButton, customId('say-skip', id, ownerId))];
}

function mannerButton(prefix: string, label: string, ownerId: string, manner: Manner): APIButtonComponentWithCustomId | null {
  const id = mannerId(prefix, [ownerId], manner);
  return id === null ? null : button(label, id);
}

function button(label: string, custom_id: string): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style: ButtonStyle.Secondary, label, custom_id };
}

function row(components: APIButtonComponent[]): APIActionRowComponent<APIButtonComponent> {
  return { type: ComponentType.ActionRow, components };
}
