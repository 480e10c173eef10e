// The /settings panel: one section of a server's settings at a time, and the menu that leads to the others.
import { type APIButtonComponent, type APIComponentInMessageActionRow, ButtonStyle, ChannelType, userMention } from 'discord.js';
import { type Accent, button, type CardMessage, card, cards, limits, menu, row, section, separator, text } from '../discord/cards.ts';
import { languages, type Translator } from '../locales/index.ts';
import { type GuildSettings, LONGEST_TEXT } from '../store/settings.ts';
import { asCode, asMarkdown, asPlain, truncate } from '../text/untrusted-text.ts';
import { drawCaptions } from './captions-section.ts';
import {
  changeGroup,
  channelNames,
  channelRow,
  lines,
  listed,
  listLine,
  MAX_OPTIONS,
  MAX_TITLE,
  memberRow,
  type Panel,
  type Part,
  roleNames,
  roleRow,
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
      ...drawers[section](t, panel),
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
      channelRow(
        t('settings.channelMenu'),
        { action: 'target' },
        [ChannelType.GuildVoice],
        ofServer || !hasChannel(target) ? [] : [target],
        1,
      ),
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

  access(t, panel) {
    const { choosesVoiceMakers, hasRole, hasChannel } = panel;
    const { roles, dictionaryRoles, voiceMakerRoles, channels, voiceChannels, muted } = panel.settings;
    const deleted = (id: string) => (voiceChannels.includes(id) ? t('settings.deletedVoiceChannel') : t('settings.deletedChannel'));
    const line = (name: 'roles' | 'channels' | 'muted' | 'dictionary' | 'voiceMakers', items: string[], none: string) =>
      lines(listLine(t, t(`settings.names.${name}`), items, none));
    return [
      line('roles', roleNames(t, roles, panel), t('settings.everyone')),
      roleRow(t('settings.rolesMenu'), { action: 'roles' }, roles.filter(hasRole)),
      line('channels', channelNames(channels, panel, deleted), t('settings.everywhere')),
      channelRow(
        t('settings.channelsMenu'),
        { action: 'channels' },
        [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildForum, ChannelType.GuildVoice],
        channels.filter(hasChannel),
      ),
      line('muted', muted.map(userMention), t('settings.nobody')),
      memberRow(t('settings.mutedMenu'), { action: 'muted' }, muted),
      line('dictionary', roleNames(t, dictionaryRoles, panel), t('settings.onlyAdmins')),
      roleRow(t('settings.dictionaryMenu'), { action: 'dictionaryRoles' }, dictionaryRoles.filter(hasRole)),
      ...(choosesVoiceMakers
        ? [
            line('voiceMakers', roleNames(t, voiceMakerRoles, panel), t('settings.onlyAdmins')),
            roleRow(t('settings.voiceMakersMenu'), { action: 'voiceMakerRoles' }, voiceMakerRoles.filter(hasRole)),
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

function drawReading(t: Translator, panel: Panel): Part[] {
  const { target, messageAccess, hasRole, hasChannel } = panel;
  const { reading, readerRoles } = panel.settings;
  const pairs = reading.always.filter((pair) => hasChannel(pair.textChannelId) && hasChannel(pair.voiceChannelId));
  const voiceChannelId = target !== undefined && target !== 'server' && hasChannel(target) ? target : null;
  const readThere = pairs.filter((pair) => pair.voiceChannelId === voiceChannelId).map((pair) => pair.textChannelId);
  const shown = pairs.map((pair) => t('reading.panel.pair', { textChannel: pair.textChannelId, voiceChannel: pair.voiceChannelId }));
  return [
    messageAccess === 'refused' ? text(t('reading.noAccess')) : null,
    lines(listLine(t, t('reading.panel.always'), shown, t('settings.none'))),
    channelRow(
      t('reading.panel.alwaysMenu'),
      { action: 'always-in' },
      [ChannelType.GuildVoice],
      voiceChannelId === null ? [] : [voiceChannelId],
      1,
    ),
    voiceChannelId === null
      ? null
      : channelRow(
          t('reading.panel.textMenu'),
          { action: 'reading', name: 'always', value: voiceChannelId },
          [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildVoice],
          readThere,
        ),
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
    lines(listLine(t, t('reading.panel.roles'), roleNames(t, reading.roles, panel), t('settings.everyone'))),
    roleRow(t('reading.panel.rolesMenu'), { action: 'reading', name: 'roles' }, reading.roles.filter(hasRole)),
    lines(listLine(t, t('reading.panel.readerRoles'), roleNames(t, readerRoles, panel), t('reading.panel.adminsOnly'))),
    roleRow(t('reading.panel.readerRolesMenu'), { action: 'reading', name: 'readerRoles' }, readerRoles.filter(hasRole)),
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
  const change = (by: Parameters<typeof changeGroup<'reading'>>[1]) => changeGroup('reading', by);
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
