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
} from 'discord.js';
import { UserError } from '../command.ts';
import { COLOR, customId, limits, truncate } from '../embed.ts';
import { sentences } from '../sentences/index.ts';
import type { Outcome } from '../voice/types.ts';
import type { Asked, Plan } from './plan.ts';
import { nameOf, type Voice } from './voices.ts';
import { type Manner, mannerId, type Wish } from './wish.ts';

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
    ...(plan.showText ? [mannerButton('say-replay', sentences.replay, speaker.id, manner)] : []),
    ...(plan.showText ? [mannerButton('say-file', sentences.saveAsFile, speaker.id, manner)] : []),
    mannerButton('say-more', sentences.sayMore, speaker.id, manner),
  ].filter((button) => button !== null);
  return { embeds: [sayEmbed(shown)], components: buttons.length > 0 ? [row(buttons)] : [] };
}

/** Who says what, in which voice, and how it stands. */
export function sayEmbed({ speaker, plan, voice, status }: Shown): APIEmbed {
  const { wish, speed, isCut, showText } = plan;
  const facts = [truncate(nameOf(voice), 100), speed === 1 ? null : `${speed}×`, isCut ? sentences.shortened : null, status];
  return {
    color: COLOR,
    author: { name: truncate(speaker.name, limits.embedAuthor), ...(speaker.picture ? { icon_url: speaker.picture } : {}) },
    // As the member could have written it: mentions, emoji and spoilers are shown as Discord shows them. Buttons read it from here.
    description: showText ? truncate(wish.text, limits.embedDescription) : sentences.textLeftOut,
    footer: { text: truncate(facts.filter((fact) => fact !== null).join(' · '), limits.embedFooter) },
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
    content: (id === null ? sentences.tooExpensive : sentences.reallySay)(spoken.length, share),
    embeds: [{ color: COLOR, description: truncate(wish.text, limits.embedDescription) }],
    components: id === null ? [] : [row([{ ...button(sentences.yesSayIt, id), style: ButtonStyle.Primary }])],
  };
}

/** How it stands once it has ended. */
export function statusOf(outcome: Outcome, { fromCache, characters }: { fromCache: boolean; characters: number }): string {
  if (outcome.ended === 'failed') return outcome.seconds > 0 ? sentences.brokenOff(outcome.seconds) : sentences.notSpoken;
  const isUnheard = outcome.ended !== 'played' && outcome.seconds === 0;
  if (isUnheard && !fromCache && characters > 0) return sentences.stoppedUnheard(characters);
  const took = fromCache ? sentences.fromCache : characters > 0 ? sentences.characters(characters) : null;
  const end = { played: sentences.spoken(outcome.seconds), skipped: sentences.skipped, stopped: sentences.stopped }[outcome.ended];
  return [end, took].filter((part) => part !== null).join(', ');
}

/** Without the buttons of an utterance that has ended. */
export function withoutLiveButtons(components: readonly { toJSON(): unknown }[]): NonNullable<BaseMessageOptions['components']> {
  return components.flatMap((one) => {
    const { components = [] } = one.toJSON() as APIActionRowComponent<APIButtonComponent>;
    const left = components.filter((part) => !('custom_id' in part && /^say-(skip|stop):/.test(part.custom_id)));
    return left.length > 0 ? [{ type: ComponentType.ActionRow as const, components: left }] : [];
  });
}

/** The text that a reply shows, with how it is to be said. @throws UserError where a moderator took the embed away */
export function wishOf(message: { embeds: readonly { description: string | null }[] }, manner: Manner): Wish {
  const text = message.embeds[0]?.description;
  if (!text) throw new UserError(sentences.textGone);
  return { ...manner, text };
}

function liveButtons(id: string, ownerId: string): APIButtonComponentWithCustomId[] {
  return [button(sentences.stop, customId('say-stop', id, ownerId)), button(sentences.skip, customId('say-skip', id, ownerId))];
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
