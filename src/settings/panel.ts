// The /settings panel: the settings of a server, and the menus and buttons of one section.
import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  type APIEmbed,
  type APIEmbedField,
  ButtonStyle,
  ChannelType,
  ComponentType,
  channelMention,
  roleMention,
  SelectMenuDefaultValueType,
  userMention,
} from 'discord.js';
import { COLOR, customId, limits } from '../bot/discord-limits.ts';
import type { OperatorBudgets } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';
import { truncate } from '../text/truncate.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import { type ChosenVoice, type GuildSettings, LONGEST_TEXT } from './index.ts';

const text = en.settings;

export const sections = ['voices', 'speaking', 'access', 'budgets'] as const;
export type Section = (typeof sections)[number];

/** Whose voice is being chosen: the server's, or that of the voice channel with this id. */
type Target = 'server' | (string & {});

/** Everything the panel shows. */
export interface Panel {
  settings: GuildSettings;
  /** `reset` asks for confirmation in place of a section. */
  section: Section | 'reset';
  target?: Target | undefined;
  /** Voices to choose from. */
  voices: ChosenVoice[];
  /** The search that found them, if there was one. */
  typed?: string;
  /** Name of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  /** The operator's daily budgets. */
  budgets: OperatorBudgets;
  guildName: string;
  /** Do this role and this channel still exist? */
  hasRole(id: string): boolean;
  hasChannel(id: string): boolean;
}

/** The most options, or choices, of a select menu. */
export const MAX_OPTIONS = 25;
const MAX_CHANNEL_VOICES = 8;
/** Option for no voice; all others begin with VOICE_PREFIX. */
export const NO_VOICE = 'none';
/** Precedes the voice's id in the value of an option. */
export const VOICE_PREFIX = 'id:';
const MAX_TITLE = 100;
const VOLUMES = Array.from({ length: 21 }, (_, tenth) => tenth / 10);

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export function settingsPanel(panel: Panel): { embeds: [APIEmbed]; components: Row[] } {
  const { section, guildName } = panel;
  const asks = section === 'reset';
  return {
    embeds: [
      {
        color: COLOR,
        title: text.title(asMarkdown(guildName, 200)),
        description: asks ? text.resetAsk : text.explain[section],
        fields: fields(panel),
      },
    ],
    components: asks ? [resetButtons()] : [sectionMenu(section), ...controls[section](panel), footer()],
  };
}

function fields({ settings, defaultVoice, budgets, hasRole, hasChannel }: Panel): APIEmbedField[] {
  const named = (name: keyof typeof text.fields, value: string): APIEmbedField => ({
    name: text.fields[name],
    value: truncate(value, limits.fieldValue),
    inline: true,
  });
  const roles = settings.roles.map((id) => (hasRole(id) ? roleMention(id) : text.deletedRole));
  const deleted = (id: string) => (settings.voiceChannels.includes(id) ? text.deletedVoiceChannel : text.deletedChannel);
  const channels = settings.channels.map((id) => (hasChannel(id) ? channelMention(id) : deleted(id)));
  const ofChannels = Object.entries(settings.channelVoices).filter(([id]) => hasChannel(id));
  const own = ofChannels.map(([id, voice]) => text.channelVoice(id, titleOf(voice)));
  const characters = (chosen: number | null, most: number) => amount(chosen, most, text.characters);
  const minutes = (chosen: number | null, most: number) => amount(chosen, most / 60, text.minutes);
  const { speech, transcription } = budgets;
  return [
    named(
      'voice',
      settings.voice ? titleOf(settings.voice) : `${text.defaultVoice}${defaultVoice ? ` (${asMarkdown(defaultVoice, MAX_TITLE)})` : ''}`,
    ),
    named('channelVoices', listed(own, MAX_CHANNEL_VOICES, text.none, '\n')),
    named('volume', text.percent(settings.volume)),
    named('lengthCap', text.characters(settings.lengthCap ?? LONGEST_TEXT)),
    named('stay', settings.stay ? text.stays : text.leaves),
    named('showText', settings.showText ? text.shown : text.hidden),
    named('roles', listed(roles, MAX_OPTIONS, text.everybody)),
    named('channels', listed(channels, MAX_OPTIONS, text.everywhere)),
    named('muted', listed(settings.muted.map(userMention), MAX_OPTIONS, text.nobody)),
    named('speechBudget', text.budget(characters(settings.guildBudget, speech.guild), characters(settings.memberBudget, speech.member))),
    named(
      'transcriptionBudget',
      text.budget(minutes(settings.guildMinutes, transcription.guild), minutes(settings.memberMinutes, transcription.member)),
    ),
  ];
}

function listed(names: string[], most: number, none: string, between = ' '): string {
  const rest = names.length - most;
  return [...names.slice(0, most), ...(rest > 0 ? [text.more(rest)] : [])].join(between) || none;
}

/** The tighter cap applies. An admin's 0 switches off; an operator's 0 meant no cap and is infinite here. */
function amount(chosen: number | null, most: number, name: (count: number) => string): string {
  const cap = Math.min(chosen ?? most, most);
  if (cap === 0) return text.off;
  return Number.isFinite(cap) ? name(Math.floor(cap)) : text.noCap;
}

function titleOf({ id, title }: ChosenVoice): string {
  return asMarkdown(title ?? '', MAX_TITLE) || asMarkdown(id, MAX_TITLE) || '?';
}

const controls: Record<Section, (panel: Panel) => Row[]> = {
  voices({ settings, target = 'server', voices, typed, hasChannel }) {
    const ofServer = target === 'server';
    const chosen = ofServer ? settings.voice : (settings.channelVoices[target] ?? null);
    // The current choice is always offered.
    const offered = [...(chosen ? [chosen] : []), ...voices.filter(({ id }) => id !== chosen?.id)];
    const fitting = new Map((typed === undefined ? offered : voices).map((voice) => [VOICE_PREFIX + voice.id, voice]));
    const options = [...fitting].filter(([value]) => value.length <= limits.choiceValue).slice(0, MAX_OPTIONS - 1);
    return [
      row({
        type: ComponentType.ChannelSelect,
        custom_id: customId('settings', 'target'),
        placeholder: text.channelMenu,
        channel_types: [ChannelType.GuildVoice],
        min_values: 0,
        max_values: 1,
        ...(ofServer || !hasChannel(target) ? {} : { default_values: [{ id: target, type: SelectMenuDefaultValueType.Channel }] }),
      }),
      row({
        type: ComponentType.StringSelect,
        custom_id: customId('settings', 'voice', target),
        placeholder: typed === undefined ? text.voiceMenu : text.found(options.length, asPlain(typed, 60)),
        options: [
          { label: ofServer ? text.defaultVoice : text.serverVoice, value: NO_VOICE, default: chosen === null && typed === undefined },
          ...options.map(([value, { id, title }]) => ({
            label: asPlain(title ?? '', limits.choiceName) || truncate(text.asId(asPlain(id, limits.choiceName)), limits.choiceName),
            value,
            default: id === chosen?.id && typed === undefined,
          })),
        ],
      }),
      row(button(text.search, 'search', target)),
    ];
  },

  speaking({ settings: { volume, stay, showText } }) {
    const percent = Math.round(volume * 100);
    const volumes = VOLUMES.some((one) => Math.round(one * 100) === percent) ? VOLUMES : [...VOLUMES, volume].sort((a, b) => a - b);
    return [
      row({
        type: ComponentType.StringSelect,
        custom_id: customId('settings', 'volume'),
        placeholder: text.volumeMenu,
        options: volumes.map((one) => ({
          label: text.volumeOption(one),
          value: String(Math.round(one * 100)),
          default: Math.round(one * 100) === percent,
        })),
      }),
      row(
        button(text.capButton, 'cap'),
        button(stay ? text.stayOff : text.stayOn, 'set', 'stay', stay ? 0 : 1),
        button(showText ? text.showOff : text.showOn, 'set', 'showText', showText ? 0 : 1),
      ),
    ];
  },

  access({ settings: { roles, channels, muted }, hasRole, hasChannel }) {
    const many = (custom: string, placeholder: string) => ({
      custom_id: customId('settings', custom),
      placeholder,
      min_values: 0,
      max_values: MAX_OPTIONS,
    });
    const values = <T extends SelectMenuDefaultValueType>(ids: string[], type: T) => ids.slice(0, MAX_OPTIONS).map((id) => ({ id, type }));
    return [
      row({
        type: ComponentType.RoleSelect,
        ...many('roles', text.rolesMenu),
        default_values: values(roles.filter(hasRole), SelectMenuDefaultValueType.Role),
      }),
      row({
        type: ComponentType.ChannelSelect,
        ...many('channels', text.channelsMenu),
        channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildForum, ChannelType.GuildVoice],
        default_values: values(channels.filter(hasChannel), SelectMenuDefaultValueType.Channel),
      }),
      row({
        type: ComponentType.UserSelect,
        ...many('muted', text.mutedMenu),
        default_values: values(muted, SelectMenuDefaultValueType.User),
      }),
    ];
  },

  budgets: () => [row(button(text.budgetsButton, 'budgets'))],
};

function row(...components: APIComponentInMessageActionRow[]): Row {
  return { type: ComponentType.ActionRow, components };
}

function button(label: string, ...id: (string | number)[]): APIComponentInMessageActionRow {
  return { type: ComponentType.Button, style: ButtonStyle.Secondary, label, custom_id: customId('settings', ...id) };
}

function sectionMenu(shown: Section): Row {
  return row({
    type: ComponentType.StringSelect,
    custom_id: customId('settings', 'section'),
    placeholder: text.menu,
    options: sections.map((section) => {
      const { label, what } = text.sections[section];
      return { label, description: what, value: section, default: section === shown };
    }),
  });
}

function footer(): Row {
  return row(button(text.exportButton, 'export'), button(text.resetButton, 'reset'));
}

function resetButtons(): Row {
  return row(
    { type: ComponentType.Button, style: ButtonStyle.Danger, label: text.resetYes, custom_id: customId('settings', 'reset-now') },
    button(text.resetNo, 'keep'),
  );
}
