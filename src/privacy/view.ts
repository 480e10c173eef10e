// The messages of /privacy.
import { type APIActionRowComponent, type APIButtonComponent, type APIEmbed, ButtonStyle, ComponentType } from 'discord.js';
import { COLOR, customId } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import type { PrivacyFacts } from './facts.ts';

const text = en.privacy;

type Row = APIActionRowComponent<APIButtonComponent>;

/** What is stored, and the buttons to delete it; operators can also empty the cache of sound. */
export function privacyMessage(
  { voiceService, cacheBytes, onLocalDiscord }: PrivacyFacts,
  isOperator: boolean,
): { embeds: [APIEmbed]; components: [Row] } {
  const value = {
    sent: text.sent(voiceService),
    kept: text.kept,
    sound: text.sound(cacheBytes),
    notKept: text.notKept,
    answers: text.answers(onLocalDiscord),
  };
  const names = ['sent', 'kept', 'sound', 'notKept', 'answers'] as const;
  const buttons = [
    button(text.deleteButton, 'delete', ButtonStyle.Danger),
    ...(isOperator && cacheBytes > 0 ? [button(text.emptyButton, 'empty', ButtonStyle.Secondary)] : []),
  ];
  return {
    embeds: [{ color: COLOR, title: text.title, fields: names.map((name) => ({ name: text.fields[name], value: value[name] })) }],
    components: [{ type: ComponentType.ActionRow, components: buttons }],
  };
}

export function questionMessage(description: string, yes: string, action: string): { embeds: [APIEmbed]; components: [Row] } {
  const buttons = [button(yes, action, ButtonStyle.Danger), button(text.deleteNo, 'keep', ButtonStyle.Secondary)];
  return { embeds: [{ color: COLOR, description }], components: [{ type: ComponentType.ActionRow, components: buttons }] };
}

export function doneMessage(description: string): { embeds: [APIEmbed]; components: [] } {
  return { embeds: [{ color: COLOR, description }], components: [] };
}

function button(label: string, action: string, style: ButtonStyle.Danger | ButtonStyle.Secondary): APIButtonComponent {
  return { type: ComponentType.Button, style, label, custom_id: customId('privacy', action) };
}
