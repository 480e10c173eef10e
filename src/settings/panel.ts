// The /settings panel: one section of a server's settings at a time, and the menu that leads to the others.
import {
  type APIButtonComponent,
  type APIComponentInMessageActionRow,
  ButtonStyle,
  ChannelType,
  ComponentType,
  channelMention,
  roleMention,
  SelectMenuDefaultValueType,
  userMention,
} from 'discord.js';
import {
  type Accent,
  button,
  type CardMessage,
  card,
  cards,
  customId,
  limits,
  menu,
  row,
  section,
  separator,
  text,
} from '../discord/cards.ts';
import { languages, type Words } from '../locales/index.ts';
import { type GuildSettings, LONGEST_TEXT } from '../store/settings.ts';
import { asCode, asMarkdown, asPlain, truncate } from '../text/untrusted-text.ts';
import { drawCaptions } from './captions-section.ts';
import {
  chosenValues,
  lines,
  listed,
  MAX_OPTIONS,
  MAX_TITLE,
  many,
  type Panel,
  type Part,
  type Section,
  sections,
  titleOf,
  withChosen,
} from './panel-parts.ts';
import { drawTranscripts } from './transcripts-section.ts';

export function settingsPanel(t: Words, panel: Panel): CardMessage {
  const { section, guildName, news, undoKey, messageAccess, question } = panel;
  const offered = sections.filter((one) => one !== 'reading' || messageAccess !== 'off');
  const words = t.settings;
  const title = text(`### ${words.title(asMarkdown(guildName, 200) || '?')}`);
  if (section === 'reset') {
    const buttons = row(
      button(words.resetYes, customId('settings', 'reset-now'), ButtonStyle.Danger),
      button(words.cancel, customId('settings', 'keep')),
    );
    return cards(card('waiting', title, text(words.resetQuestion), buttons));
  }
  if (section === 'import') {
    const buttons = row(
      button(words.importYes, customId('settings', 'import-now', question?.key ?? ''), ButtonStyle.Danger),
      button(words.cancel, customId('settings', 'keep')),
    );
    return cards(card('waiting', title, text([words.importQuestion, ...(question?.lines ?? [])].join('\n')), buttons));
  }
  const accent: Accent = news === undefined ? 'neutral' : 'done';
  return cards(
    card(
      accent,
      title,
      news === undefined ? null : text(news),
      undoKey === undefined ? null : row(button(t.dictionary.undo, customId('settings', 'undo', undoKey))),
      row(
        menu(
          customId('settings', 'section'),
          words.menu,
          offered.map((one) => ({
            label: words.sections[one].label,
            description: words.sections[one].what,
            value: one,
            default: one === section,
          })),
        ),
      ),
      separator(),
      text(`-# ${words.explain[section]}`),
      ...drawSection(t, section, panel),
      separator(),
      row(
        button(words.exportButton, customId('settings', 'export')),
        button(words.importButton, customId('settings', 'import')),
        button(words.resetButton, customId('settings', 'reset')),
      ),
    ),
  );
}

// The sections of the /settings panel: what is set, and the menus and buttons that change it.

/** Option for no voice; all others begin with VOICE_PREFIX. */
export const NO_VOICE = 'none';
/** Precedes the voice's id in the value of an option. */
export const VOICE_PREFIX = 'id:';
/** Option for the server's own language. */
export const SERVER_LANGUAGE = 'server';

const MAX_CHANNEL_VOICES = 8;
const MAX_TYPED = 60;
const VOLUMES = Array.from({ length: 21 }, (_, tenth) => tenth / 10);

function drawSection(t: Words, name: Section, panel: Panel): Part[] {
  return drawers[name](t, panel);
}

const drawers: Record<Section, (t: Words, panel: Panel) => Part[]> = {
  voices(t, { settings, target = 'server', voices, typed, defaultVoice, hasChannel }) {
    const words = t.settings;
    const ofServer = target === 'server';
    const chosen = ofServer ? settings.voice : (settings.channelVoices[target] ?? null);
    // The current choice is always offered.
    const offered = [...(chosen ? [chosen] : []), ...voices.filter(({ id }) => id !== chosen?.id)];
    const fitting = new Map((typed === undefined ? offered : voices).map((voice) => [VOICE_PREFIX + voice.id, voice]));
    const options = [...fitting].filter(([value]) => value.length <= limits.choiceValue).slice(0, MAX_OPTIONS - 1);
    const usual = defaultVoice === null ? words.defaultVoice : words.defaultVoiceNamed(asMarkdown(defaultVoice, MAX_TITLE));
    const ofChannels = Object.entries(settings.channelVoices).filter(([id]) => hasChannel(id));
    const own = ofChannels.map(([id, voice]) => words.channelVoice(id, titleOf(voice)));
    return [
      lines(
        words.line(words.names.voice, settings.voice ? titleOf(settings.voice) : usual),
        words.line(words.names.channelVoices, listed(t, own, MAX_CHANNEL_VOICES, words.none)),
      ),
      row({
        type: ComponentType.ChannelSelect,
        custom_id: customId('settings', 'target'),
        placeholder: words.channelMenu,
        channel_types: [ChannelType.GuildVoice],
        min_values: 0,
        max_values: 1,
        ...(ofServer || !hasChannel(target) ? {} : { default_values: [{ id: target, type: SelectMenuDefaultValueType.Channel }] }),
      }),
      row(
        menu(
          customId('settings', 'voice', target),
          typed === undefined ? words.voiceMenu : words.found(options.length, asPlain(typed, MAX_TYPED)),
          [
            { label: ofServer ? words.defaultVoice : words.serverVoice, value: NO_VOICE, default: chosen === null && typed === undefined },
            ...options.map(([value, { id, title }]) => ({
              label: asPlain(title ?? '', limits.optionLabel) || truncate(words.asId(asPlain(id, limits.optionLabel)), limits.optionLabel),
              value,
              default: id === chosen?.id && typed === undefined,
            })),
          ],
        ),
      ),
      row(button(words.search, customId('settings', 'search', target))),
    ];
  },

  speaking(t, { settings: { volume, language, lengthCap, stay, showText } }) {
    const words = t.settings;
    const percent = Math.round(volume * 100);
    const volumes = VOLUMES.some((one) => Math.round(one * 100) === percent) ? VOLUMES : [...VOLUMES, volume].sort((a, b) => a - b);
    return [
      row(
        menu(
          customId('settings', 'volume'),
          words.names.volume,
          volumes.map((one) => ({
            label: words.volume(one),
            value: String(Math.round(one * 100)),
            default: Math.round(one * 100) === percent,
          })),
        ),
      ),
      row(
        menu(customId('settings', 'language'), words.names.language, [
          { label: words.serverLanguage, value: SERVER_LANGUAGE, default: !languages.some(({ locale }) => locale === language) },
          ...languages.map(({ locale, languageName }) => ({
            label: words.language(languageName),
            value: locale,
            default: locale === language,
          })),
        ]),
      ),
      section(
        button(words.change, customId('settings', 'cap')),
        words.line(words.names.lengthCap, words.characters(lengthCap ?? LONGEST_TEXT)),
        `-# ${words.lengthCapWhat}`,
      ),
      section(toggle(t, 'stay', stay), words.line(words.names.stay, stay ? words.isOn : words.isOff), `-# ${words.stayWhat}`),
      section(
        toggle(t, 'showText', showText),
        words.line(words.names.showText, showText ? words.isOn : words.isOff),
        `-# ${words.showTextWhat}`,
      ),
    ];
  },

  access(
    t,
    { settings: { roles, dictionaryRoles, voiceMakerRoles, channels, voiceChannels, muted }, choosesVoiceMakers, hasRole, hasChannel },
  ) {
    const words = t.settings;
    const deleted = (id: string) => (voiceChannels.includes(id) ? words.deletedVoiceChannel : words.deletedChannel);
    const namesOf = (ids: string[]) => ids.map((id) => (hasRole(id) ? roleMention(id) : words.deletedRole));
    const channelNames = channels.map((id) => (hasChannel(id) ? channelMention(id) : deleted(id)));
    const line = (name: keyof typeof words.names, items: string[], none: string) =>
      lines(words.line(words.names[name], listed(t, items, MAX_OPTIONS, none)));
    return [
      line('roles', namesOf(roles), words.everyone),
      row({
        type: ComponentType.RoleSelect,
        ...many(words.rolesMenu, 'roles'),
        default_values: chosenValues(roles.filter(hasRole), SelectMenuDefaultValueType.Role),
      }),
      line('channels', channelNames, words.everywhere),
      row({
        type: ComponentType.ChannelSelect,
        ...many(words.channelsMenu, 'channels'),
        channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildForum, ChannelType.GuildVoice],
        default_values: chosenValues(channels.filter(hasChannel), SelectMenuDefaultValueType.Channel),
      }),
      line('muted', muted.map(userMention), words.nobody),
      row({
        type: ComponentType.UserSelect,
        ...many(words.mutedMenu, 'muted'),
        default_values: chosenValues(muted, SelectMenuDefaultValueType.User),
      }),
      line('dictionary', namesOf(dictionaryRoles), words.onlyAdmins),
      row({
        type: ComponentType.RoleSelect,
        ...many(words.dictionaryMenu, 'dictionaryRoles'),
        default_values: chosenValues(dictionaryRoles.filter(hasRole), SelectMenuDefaultValueType.Role),
      }),
      ...(choosesVoiceMakers
        ? [
            line('voiceMakers', namesOf(voiceMakerRoles), words.onlyAdmins),
            row({
              type: ComponentType.RoleSelect,
              ...many(words.voiceMakersMenu, 'voiceMakerRoles'),
              default_values: chosenValues(voiceMakerRoles.filter(hasRole), SelectMenuDefaultValueType.Role),
            }),
          ]
        : []),
    ];
  },

  reading: drawReading,

  transcripts: drawTranscripts,

  captions: drawCaptions,

  budgets(t, { settings, budgets: { speech, transcription } }) {
    const words = t.settings;
    const line = (name: keyof typeof words.names, value: string) => words.line(words.names[name], value);
    return [
      lines(
        line('guildSpeech', amount(t, settings.guildBudget, speech.guild, words.characters)),
        line('memberSpeech', amount(t, settings.memberBudget, speech.member, words.characters)),
        line('guildTranscription', amount(t, settings.guildMinutes, transcription.guild / 60, words.minutes)),
        line('memberTranscription', amount(t, settings.memberMinutes, transcription.member / 60, words.minutes)),
      ),
      row(button(words.budgetsButton, customId('settings', 'budgets'))),
    ];
  },
};

/** The tighter cap applies. An admin's 0 switches off; an operator's 0 meant no cap and is infinite here. */
function amount({ settings: t }: Words, chosen: number | null, most: number, name: (count: number) => string): string {
  const cap = Math.min(chosen ?? most, most);
  if (cap === 0) return t.off;
  return Number.isFinite(cap) ? name(Math.floor(cap)) : t.noLimit;
}

function toggle({ settings: t }: Words, name: 'stay' | 'showText', isOn: boolean): APIButtonComponent & APIComponentInMessageActionRow {
  return button(
    isOn ? t.turnOff : t.turnOn,
    customId('settings', 'set', name, isOn ? 0 : 1),
    isOn ? ButtonStyle.Secondary : ButtonStyle.Success,
  );
}

// The section of the /settings panel for reading channels aloud: what is always read, who is read, and how.

const WHO = ['everyone', 'listeners'] as const;
const OPTIONS = ['names', 'bots', 'reactions'] as const;
/** Most pairs of channels that are always read. Nobody fills so many menus. */
const MAX_PAIRS = 100;

function drawReading(t: Words, { settings, target, messageAccess, hasRole, hasChannel }: Panel): Part[] {
  const { settings: common } = t;
  const { panel: words } = t.reading;
  const { reading, readerRoles } = settings;
  const pairs = reading.always.filter((pair) => hasChannel(pair.textChannelId) && hasChannel(pair.voiceChannelId));
  const voiceChannelId = target !== undefined && target !== 'server' && hasChannel(target) ? target : null;
  const readThere = pairs.filter((pair) => pair.voiceChannelId === voiceChannelId).map((pair) => pair.textChannelId);
  const names = (ids: string[], none: string) =>
    listed(
      t,
      ids.map((id) => (hasRole(id) ? roleMention(id) : common.deletedRole)),
      MAX_OPTIONS,
      none,
    );
  const shown = pairs.map((pair) => words.pair(channelMention(pair.textChannelId), channelMention(pair.voiceChannelId)));
  return [
    messageAccess === 'refused' ? text(t.reading.noAccess) : null,
    lines(common.line(words.always, listed(t, shown, MAX_OPTIONS, common.none))),
    row({
      type: ComponentType.ChannelSelect,
      custom_id: customId('settings', 'always-in'),
      placeholder: words.alwaysMenu,
      channel_types: [ChannelType.GuildVoice],
      min_values: 0,
      max_values: 1,
      ...(voiceChannelId === null ? {} : { default_values: chosenValues([voiceChannelId], SelectMenuDefaultValueType.Channel) }),
    }),
    voiceChannelId === null
      ? null
      : row({
          type: ComponentType.ChannelSelect,
          ...many(words.textMenu, 'reading', 'always', voiceChannelId),
          channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildVoice],
          default_values: chosenValues(readThere, SelectMenuDefaultValueType.Channel),
        }),
    row(
      menu(
        customId('settings', 'reading', 'who'),
        words.who.everyone,
        WHO.map((value) => ({ label: words.who[value], value, default: value === reading.who })),
      ),
    ),
    row(
      menu(
        customId('settings', 'reading', 'options'),
        words.optionsMenu,
        OPTIONS.map((value) => ({ ...words.options[value], value, default: reading[value] })),
        { min_values: 0, max_values: OPTIONS.length },
      ),
    ),
    lines(common.line(words.roles, names(reading.roles, common.everyone))),
    row({
      type: ComponentType.RoleSelect,
      ...many(words.rolesMenu, 'reading', 'roles'),
      default_values: chosenValues(reading.roles.filter(hasRole), SelectMenuDefaultValueType.Role),
    }),
    lines(common.line(words.readerRoles, names(readerRoles, words.adminsOnly))),
    row({
      type: ComponentType.RoleSelect,
      ...many(words.readerRolesMenu, 'reading', 'readerRoles'),
      default_values: chosenValues(readerRoles.filter(hasRole), SelectMenuDefaultValueType.Role),
    }),
    section(
      button(common.change, customId('settings', 'reading-form')),
      [
        common.line(words.delay, words.seconds(reading.maxDelay)),
        common.line(words.prefix, reading.ignorePrefix === '' ? common.none : asCode(reading.ignorePrefix)),
      ].join('\n'),
    ),
  ];
}

/** What was chosen in a menu, and what it had shown as chosen before. */
interface Choice {
  /** Id of a voice channel, for what is always read there. */
  target: string | undefined;
  chosen: string[];
  shown: string[];
  /** Deleted roles are dropped. */
  hasRole(id: string): boolean;
}

/** How a menu of the section changes the settings; null if there is none of this name. */
export function changeReading(
  name: string,
  { target, chosen, shown, hasRole }: Choice,
): ((before: GuildSettings) => Partial<GuildSettings>) | null {
  const change = (by: (reading: GuildSettings['reading']) => Partial<GuildSettings['reading']>) => (before: GuildSettings) => ({
    reading: { ...before.reading, ...by(before.reading) },
  });
  switch (name) {
    case 'always':
      return target === undefined ? null : change(({ always }) => ({ always: withAlways(always, target, chosen, shown) }));
    case 'who':
      return change(({ who }) => ({ who: WHO.find((one) => one === chosen[0]) ?? who }));
    case 'options':
      return change(() => Object.fromEntries(OPTIONS.map((option) => [option, chosen.includes(option)])));
    case 'roles':
      return change(({ roles }) => ({ roles: withChosen(roles.filter(hasRole), chosen, shown) }));
    case 'readerRoles':
      return ({ readerRoles }) => ({ readerRoles: withChosen(readerRoles.filter(hasRole), chosen, shown) });
    default:
      return null;
  }
}

type Pairs = GuildSettings['reading']['always'];

function withAlways(always: Pairs, voiceChannelId: string, chosen: string[], shown: string[]): Pairs {
  const others = always.filter((pair) => pair.voiceChannelId !== voiceChannelId);
  const here = always.filter((pair) => pair.voiceChannelId === voiceChannelId).map((pair) => pair.textChannelId);
  const added = withChosen(here, chosen, shown).map((textChannelId) => ({ textChannelId, voiceChannelId }));
  return [...others, ...added].slice(0, MAX_PAIRS);
}
