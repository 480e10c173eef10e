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
import { type Accent, button, type CardMessage, card, cards, limits, menu, row, section, separator, text } from '../discord/cards.ts';
import { languages, type Translator } from '../locales/index.ts';
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
  settingsId,
  titleOf,
  withChosen,
} from './panel-parts.ts';
import { drawTranscripts } from './transcripts-section.ts';

export function settingsPanel(t: Translator, panel: Panel): CardMessage {
  const { section, guildName, news, undoKey, messageAccess, question } = panel;
  const offered = sections.filter((name) => name !== 'reading' || messageAccess !== 'off');

  const title = text(`### ${t('settings.title', { server: asMarkdown(guildName, 200) || '?' })}`);
  if (section === 'reset') {
    const buttons = row(
      button(t('settings.resetYes'), settingsId.write({ action: 'reset-now' }), ButtonStyle.Danger),
      button(t('settings.cancel'), settingsId.write({ action: 'keep' })),
    );
    return cards(card('waiting', title, text(t('settings.resetQuestion')), buttons));
  }
  if (section === 'import') {
    const buttons = row(
      button(t('settings.importYes'), settingsId.write({ action: 'import-now', name: question?.key ?? '' }), ButtonStyle.Danger),
      button(t('settings.cancel'), settingsId.write({ action: 'keep' })),
    );
    return cards(card('waiting', title, text([t('settings.importQuestion'), ...(question?.lines ?? [])].join('\n')), buttons));
  }
  const accent: Accent = news === undefined ? 'neutral' : 'done';
  return cards(
    card(
      accent,
      title,
      news === undefined ? null : text(news),
      undoKey === undefined ? null : row(button(t('dictionary.undo'), settingsId.write({ action: 'undo', name: undoKey }))),
      row(
        menu(
          settingsId.write({ action: 'section' }),
          t('settings.menu'),
          offered.map((name) => ({
            label: t(`settings.sections.${name}.label`),
            description: t(`settings.sections.${name}.what`),
            value: name,
            default: name === section,
          })),
        ),
      ),
      separator(),
      text(`-# ${t(`settings.explain.${section}`)}`),
      ...drawSection(t, section, panel),
      separator(),
      row(
        button(t('settings.exportButton'), settingsId.write({ action: 'export' })),
        button(t('settings.importButton'), settingsId.write({ action: 'import' })),
        button(t('settings.resetButton'), settingsId.write({ action: 'reset' })),
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

function drawSection(t: Translator, name: Section, panel: Panel): Part[] {
  return drawers[name](t, panel);
}

const drawers: Record<Section, (t: Translator, panel: Panel) => Part[]> = {
  voices(t, { settings, target = 'server', voices, typed, defaultVoice, hasChannel }) {
    const ofServer = target === 'server';
    const chosen = ofServer ? settings.voice : (settings.channelVoices[target] ?? null);
    // The current choice is always offered, whatever was found.
    const offered = [...(chosen ? [chosen] : []), ...voices.filter(({ id }) => id !== chosen?.id)];
    const fitting = new Map((typed === undefined ? offered : voices).map((voice) => [VOICE_PREFIX + voice.id, voice]));
    const options = [...fitting].filter(([value]) => value.length <= limits.choiceValue).slice(0, MAX_OPTIONS - 1);
    const usual =
      defaultVoice === null ? t('settings.defaultVoice') : t('settings.defaultVoiceNamed', { voice: asMarkdown(defaultVoice, MAX_TITLE) });
    const ofChannels = Object.entries(settings.channelVoices).filter(([id]) => hasChannel(id));
    const own = ofChannels.map(([id, voice]) => t('settings.channelVoice', { channel: id, voice: titleOf(voice) }));
    return [
      lines(
        t('settings.line', { name: t('settings.names.voice'), value: settings.voice ? titleOf(settings.voice) : usual }),
        t('settings.line', { name: t('settings.names.channelVoices'), value: listed(t, own, MAX_CHANNEL_VOICES, t('settings.none')) }),
      ),
      row({
        type: ComponentType.ChannelSelect,
        custom_id: settingsId.write({ action: 'target' }),
        placeholder: t('settings.channelMenu'),
        channel_types: [ChannelType.GuildVoice],
        min_values: 0,
        max_values: 1,
        ...(ofServer || !hasChannel(target) ? {} : { default_values: [{ id: target, type: SelectMenuDefaultValueType.Channel }] }),
      }),
      row(
        menu(
          settingsId.write({ action: 'voice', name: target }),
          typed === undefined ? t('settings.voiceMenu') : t('settings.found', { count: options.length, search: asPlain(typed, MAX_TYPED) }),
          [
            {
              label: ofServer ? t('settings.defaultVoice') : t('settings.serverVoice'),
              value: NO_VOICE,
              default: chosen === null && typed === undefined,
            },
            ...options.map(([value, { id, title }]) => ({
              label:
                asPlain(title ?? '', limits.optionLabel) ||
                truncate(t('settings.asId', { id: asPlain(id, limits.optionLabel) }), limits.optionLabel),
              value,
              default: id === chosen?.id && typed === undefined,
            })),
          ],
        ),
      ),
      row(button(t('settings.search'), settingsId.write({ action: 'search', name: target }))),
    ];
  },

  speaking(t, { settings: { volume, language, lengthCap, stay, showText } }) {
    const percent = Math.round(volume * 100);
    const volumes = VOLUMES.some((step) => Math.round(step * 100) === percent) ? VOLUMES : [...VOLUMES, volume].sort((a, b) => a - b);
    return [
      row(
        menu(
          settingsId.write({ action: 'volume' }),
          t('settings.names.volume'),
          volumes.map((step) => ({
            label: t('settings.volume', { volume: step }),
            value: String(Math.round(step * 100)),
            default: Math.round(step * 100) === percent,
          })),
        ),
      ),
      row(
        menu(settingsId.write({ action: 'language' }), t('settings.names.language'), [
          { label: t('settings.serverLanguage'), value: SERVER_LANGUAGE, default: !languages.some(({ locale }) => locale === language) },
          ...languages.map(({ locale, languageName }) => ({
            label: t('settings.language', { language: languageName }),
            value: locale,
            default: locale === language,
          })),
        ]),
      ),
      section(
        button(t('settings.change'), settingsId.write({ action: 'cap' })),
        t('settings.line', { name: t('settings.names.lengthCap'), value: t('settings.characters', { count: lengthCap ?? LONGEST_TEXT }) }),
        `-# ${t('settings.lengthCapWhat')}`,
      ),
      section(
        toggle(t, 'stay', stay),
        t('settings.line', { name: t('settings.names.stay'), value: stay ? t('settings.isOn') : t('settings.isOff') }),
        `-# ${t('settings.stayWhat')}`,
      ),
      section(
        toggle(t, 'showText', showText),
        t('settings.line', { name: t('settings.names.showText'), value: showText ? t('settings.isOn') : t('settings.isOff') }),
        `-# ${t('settings.showTextWhat')}`,
      ),
    ];
  },

  access(
    t,
    { settings: { roles, dictionaryRoles, voiceMakerRoles, channels, voiceChannels, muted }, choosesVoiceMakers, hasRole, hasChannel },
  ) {
    const deleted = (id: string) => (voiceChannels.includes(id) ? t('settings.deletedVoiceChannel') : t('settings.deletedChannel'));
    const namesOf = (ids: string[]) => ids.map((id) => (hasRole(id) ? roleMention(id) : t('settings.deletedRole')));
    const channelNames = channels.map((id) => (hasChannel(id) ? channelMention(id) : deleted(id)));
    const line = (name: 'roles' | 'channels' | 'muted' | 'dictionary' | 'voiceMakers', items: string[], none: string) =>
      lines(t('settings.line', { name: t(`settings.names.${name}`), value: listed(t, items, MAX_OPTIONS, none) }));
    return [
      line('roles', namesOf(roles), t('settings.everyone')),
      row({
        type: ComponentType.RoleSelect,
        ...many(t('settings.rolesMenu'), 'roles'),
        default_values: chosenValues(roles.filter(hasRole), SelectMenuDefaultValueType.Role),
      }),
      line('channels', channelNames, t('settings.everywhere')),
      row({
        type: ComponentType.ChannelSelect,
        ...many(t('settings.channelsMenu'), 'channels'),
        channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildForum, ChannelType.GuildVoice],
        default_values: chosenValues(channels.filter(hasChannel), SelectMenuDefaultValueType.Channel),
      }),
      line('muted', muted.map(userMention), t('settings.nobody')),
      row({
        type: ComponentType.UserSelect,
        ...many(t('settings.mutedMenu'), 'muted'),
        default_values: chosenValues(muted, SelectMenuDefaultValueType.User),
      }),
      line('dictionary', namesOf(dictionaryRoles), t('settings.onlyAdmins')),
      row({
        type: ComponentType.RoleSelect,
        ...many(t('settings.dictionaryMenu'), 'dictionaryRoles'),
        default_values: chosenValues(dictionaryRoles.filter(hasRole), SelectMenuDefaultValueType.Role),
      }),
      ...(choosesVoiceMakers
        ? [
            line('voiceMakers', namesOf(voiceMakerRoles), t('settings.onlyAdmins')),
            row({
              type: ComponentType.RoleSelect,
              ...many(t('settings.voiceMakersMenu'), 'voiceMakerRoles'),
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
    const line = (name: 'guildSpeech' | 'memberSpeech' | 'guildTranscription' | 'memberTranscription', value: string) =>
      t('settings.line', { name: t(`settings.names.${name}`), value });
    return [
      lines(
        line(
          'guildSpeech',
          amount(t, settings.guildBudget, speech.guild, (count) => t('settings.characters', { count })),
        ),
        line(
          'memberSpeech',
          amount(t, settings.memberBudget, speech.member, (count) => t('settings.characters', { count })),
        ),
        line(
          'guildTranscription',
          amount(t, settings.guildMinutes, transcription.guild / 60, (count) => t('settings.minutes', { count })),
        ),
        line(
          'memberTranscription',
          amount(t, settings.memberMinutes, transcription.member / 60, (count) => t('settings.minutes', { count })),
        ),
      ),
      row(button(t('settings.budgetsButton'), settingsId.write({ action: 'budgets' }))),
    ];
  },
};

/** The tighter cap applies. An admin's 0 switches off; an operator's 0 meant no cap and is infinite here. */
function amount(t: Translator, chosen: number | null, most: number, name: (count: number) => string): string {
  const cap = Math.min(chosen ?? most, most);
  if (cap === 0) return t('settings.off');
  return Number.isFinite(cap) ? name(Math.floor(cap)) : t('settings.noLimit');
}

function toggle(t: Translator, name: 'stay' | 'showText', isOn: boolean): APIButtonComponent & APIComponentInMessageActionRow {
  return button(
    isOn ? t('settings.turnOff') : t('settings.turnOn'),
    settingsId.write({ action: 'set', name, value: isOn ? '0' : '1' }),
    isOn ? ButtonStyle.Secondary : ButtonStyle.Success,
  );
}

// The section of the /settings panel for reading channels aloud: what is always read, who is read, and how.

const WHO = ['everyone', 'listeners'] as const;
const OPTIONS = ['names', 'bots', 'reactions'] as const;
/** Most pairs of channels that are always read. Nobody fills so many menus. */
const MAX_PAIRS = 100;

function drawReading(t: Translator, { settings, target, messageAccess, hasRole, hasChannel }: Panel): Part[] {
  const { reading, readerRoles } = settings;
  const pairs = reading.always.filter((pair) => hasChannel(pair.textChannelId) && hasChannel(pair.voiceChannelId));
  const voiceChannelId = target !== undefined && target !== 'server' && hasChannel(target) ? target : null;
  const readThere = pairs.filter((pair) => pair.voiceChannelId === voiceChannelId).map((pair) => pair.textChannelId);
  const names = (ids: string[], none: string) =>
    listed(
      t,
      ids.map((id) => (hasRole(id) ? roleMention(id) : t('settings.deletedRole'))),
      MAX_OPTIONS,
      none,
    );
  const shown = pairs.map((pair) => t('reading.panel.pair', { textChannel: pair.textChannelId, voiceChannel: pair.voiceChannelId }));
  return [
    messageAccess === 'refused' ? text(t('reading.noAccess')) : null,
    lines(t('settings.line', { name: t('reading.panel.always'), value: listed(t, shown, MAX_OPTIONS, t('settings.none')) })),
    row({
      type: ComponentType.ChannelSelect,
      custom_id: settingsId.write({ action: 'always-in' }),
      placeholder: t('reading.panel.alwaysMenu'),
      channel_types: [ChannelType.GuildVoice],
      min_values: 0,
      max_values: 1,
      ...(voiceChannelId === null ? {} : { default_values: chosenValues([voiceChannelId], SelectMenuDefaultValueType.Channel) }),
    }),
    voiceChannelId === null
      ? null
      : row({
          type: ComponentType.ChannelSelect,
          ...many(t('reading.panel.textMenu'), 'reading', 'always', voiceChannelId),
          channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildVoice],
          default_values: chosenValues(readThere, SelectMenuDefaultValueType.Channel),
        }),
    row(
      menu(
        settingsId.write({ action: 'reading', name: 'who' }),
        t('reading.panel.who.everyone'),
        WHO.map((value) => ({ label: t(`reading.panel.who.${value}`), value, default: value === reading.who })),
      ),
    ),
    row(
      menu(
        settingsId.write({ action: 'reading', name: 'options' }),
        t('reading.panel.optionsMenu'),
        OPTIONS.map((value) => ({
          label: t(`reading.panel.options.${value}.label`),
          description: t(`reading.panel.options.${value}.description`),
          value,
          default: reading[value],
        })),
        { min_values: 0, max_values: OPTIONS.length },
      ),
    ),
    lines(t('settings.line', { name: t('reading.panel.roles'), value: names(reading.roles, t('settings.everyone')) })),
    row({
      type: ComponentType.RoleSelect,
      ...many(t('reading.panel.rolesMenu'), 'reading', 'roles'),
      default_values: chosenValues(reading.roles.filter(hasRole), SelectMenuDefaultValueType.Role),
    }),
    lines(t('settings.line', { name: t('reading.panel.readerRoles'), value: names(readerRoles, t('reading.panel.adminsOnly')) })),
    row({
      type: ComponentType.RoleSelect,
      ...many(t('reading.panel.readerRolesMenu'), 'reading', 'readerRoles'),
      default_values: chosenValues(readerRoles.filter(hasRole), SelectMenuDefaultValueType.Role),
    }),
    section(
      button(t('settings.change'), settingsId.write({ action: 'reading-form' })),
      [
        t('settings.line', { name: t('reading.panel.delay'), value: t('reading.panel.seconds', { count: reading.maxDelay }) }),
        t('settings.line', {
          name: t('reading.panel.prefix'),
          value: reading.ignorePrefix === '' ? t('settings.none') : asCode(reading.ignorePrefix),
        }),
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
      return change(({ who }) => ({ who: WHO.find((value) => value === chosen[0]) ?? who }));
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
