// The messages of /say: who says what in which voice, its status, and buttons that work after a restart.
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
import { COLOR, customId, limits } from '../bot/discord-limits.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import { truncate } from '../text/truncate.ts';
import { asPlain } from '../text/untrusted-text.ts';
import type { Outcome } from '../voice/types.ts';
import type { Plan, SayInteraction } from './plan.ts';
import { type SayRequest, type VoiceOptions, voiceOptionsId } from './request.ts';
import { type Voice, voiceName } from './voices.ts';

/** In the footer. */
const SEPARATOR = ' · ';

/** The member, as shown in the server. */
export interface Speaker {
  id: string;
  name: string;
  picture: string | null;
}

export function speakerOf({ user, member }: SayInteraction): Speaker {
  const name = member instanceof GuildMember ? member.displayName : user.displayName;
  return { id: user.id, name, picture: user.avatarURL() };
}

export interface SayView {
  speaker: Speaker;
  plan: Plan;
  voice: Voice;
  status: string;
}

/** @param liveId id of the utterance while it waits or plays; null once it has ended */
export function sayMessage(view: SayView, liveId: string | null) {
  const { speaker, plan, voice } = view;
  const options = { voice: voice?.id ?? '', speed: plan.speed };
  const buttons = [
    ...(liveId === null ? [] : liveButtons(liveId, speaker.id)),
    ...(plan.showText ? [voiceButton('say-replay', en.say.replayButton, speaker.id, options)] : []),
    ...(plan.showText ? [voiceButton('say-file', en.say.saveButton, speaker.id, options)] : []),
    voiceButton('say-more', en.say.sayMoreButton, speaker.id, options),
  ].filter((button) => button !== null);
  return { embeds: [sayEmbed(view)], components: buttons.length > 0 ? [row(buttons)] : [] };
}

export function sayEmbed({ speaker, plan, voice, status }: SayView): APIEmbed {
  const { request, speed, isCut, showText } = plan;
  const facts = [voiceName(voice), speed === 1 ? null : `${speed}×`, isCut ? en.say.shortened : null, status];
  return {
    color: COLOR,
    author: { name: asPlain(speaker.name, limits.embedAuthor) || '?', ...(speaker.picture ? { icon_url: speaker.picture } : {}) },
    // Unescaped, as typed by the member, with mentions, emoji and spoilers. Buttons read the text from here.
    description: showText ? truncate(request.text, limits.embedDescription) : en.say.textHidden,
    footer: { text: truncate(facts.filter((fact) => fact !== null).join(SEPARATOR), limits.embedFooter) },
  };
}

/**
 * Asks the member before a large part of the credit is spent.
 * @param share of the balance, 0 to 1
 * @param output 's' for speech, 'f' for a file
 */
export function confirmMessage(plan: Plan, share: number, output: 's' | 'f', channelId: string | null) {
  const { request, spoken } = plan;
  const id = voiceOptionsId('say-yes', [output, channelId ?? ''], request);
  return {
    content: (id === null ? en.say.tooExpensive : en.say.confirm)(spoken.length, share),
    embeds: [{ color: COLOR, description: truncate(request.text, limits.embedDescription) }],
    components: id === null ? [] : [row([{ ...button(en.say.confirmButton, id), style: ButtonStyle.Primary }])],
  };
}

/** The status of an utterance that has ended. */
export function outcomeStatus(outcome: Outcome, { fromCache, characters }: { fromCache: boolean; characters: number }): string {
  if (outcome.ended === 'failed') return outcome.seconds > 0 ? en.say.interrupted(outcome.seconds) : en.say.notSpoken;
  const isUnheard = outcome.ended !== 'played' && outcome.seconds === 0;
  if (isUnheard && !fromCache && characters > 0) return en.say.stoppedUnheard(characters);
  const took = fromCache ? en.say.fromCache : characters > 0 ? en.say.characters(characters) : null;
  const end = { played: en.say.spoken(outcome.seconds), skipped: en.say.skipped, stopped: en.say.stopped }[outcome.ended];
  return [end, took].filter((part) => part !== null).join(', ');
}

/** A message as Discord has it, fetched or received with a button. */
export interface SentMessage {
  embeds: readonly APIEmbed[];
  components: readonly unknown[];
}

export function toSentMessage({ embeds, components }: Message): SentMessage {
  return { embeds: embeds.map((embed) => embed.toJSON()), components: components.map((component) => component.toJSON()) };
}

/** A reply whose utterance was in the queue of a process that was killed; null if it already says how it ended. */
export function afterRestart({ embeds, components }: SentMessage) {
  if (!components.some((one) => buttonsOf(one).some(isLive))) return null;
  return { embeds: embeds.map((embed) => withStatus(embed, en.say.interruptedByRestart)), components: withoutLiveButtons(components) };
}

/** The status comes last. */
function withStatus({ color, author, description, footer }: APIEmbed, status: string): APIEmbed {
  const facts = [...(footer?.text.split(SEPARATOR).slice(0, -1) ?? []), status];
  return {
    ...(color === undefined ? {} : { color }),
    ...(author ? { author: { name: author.name, ...(author.icon_url ? { icon_url: author.icon_url } : {}) } } : {}),
    ...(description ? { description } : {}),
    footer: { text: truncate(facts.join(SEPARATOR), limits.embedFooter) },
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

/** The text that a reply shows, to be said with these options. @throws UserError if a moderator removed the embed */
export function readRequest(message: { embeds: readonly { description: string | null }[] }, options: VoiceOptions): SayRequest {
  const text = message.embeds[0]?.description;
  if (!text) throw new UserError((t) => t.say.textGone);
  return { ...options, text };
}

function liveButtons(id: string, ownerId: string): APIButtonComponentWithCustomId[] {
  return [button(en.say.stopButton, customId('say-stop', id, ownerId)), button(en.say.skipButton, customId('say-skip', id, ownerId))];
}

function voiceButton(prefix: string, label: string, ownerId: string, options: VoiceOptions): APIButtonComponentWithCustomId | null {
  const id = voiceOptionsId(prefix, [ownerId], options);
  return id === null ? null : button(label, id);
}

function button(label: string, custom_id: string): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style: ButtonStyle.Secondary, label, custom_id };
}

function row(components: APIButtonComponent[]): APIActionRowComponent<APIButtonComponent> {
  return { type: ComponentType.ActionRow, components };
}
