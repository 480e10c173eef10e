// Settings from a file: which of them can be used, what they would change, the question, and how to undo it. Settings that aren't in the
// file stay as they are.
import { isDeepStrictEqual } from 'node:util';
import { channelMention, type Guild, roleMention, userMention } from 'discord.js';
import { createChannelKindLookup, listVoiceChannels } from '../discord/access.ts';
import { languages, type Translator } from '../locales/index.ts';
import { type Changes, type GuildSettings, LONGEST_TEXT, noSettings, readChanges, settingsGroups, withChanges } from '../store/settings.ts';
import { parseJson } from '../text/json.ts';
import { asCode, truncate } from '../text/untrusted-text.ts';
import { listed, titleOf, withoutUnknown } from './panel-parts.ts';

/** Enough to undo it. */
export interface Change {
  before: Changes;
  after: Changes;
}

export interface Import {
  change: Change;
  /** How many of its roles and channels the server doesn't have. */
  left: number;
  /** Settings that can't be used, as written in the file. */
  wrong: [name: string, value: string][];
}

/** What a file would change; null if it holds no settings at all. */
export function readImport(exported: string, before: GuildSettings, guild: Guild | null): Import | null {
  const read = readChanges(parseJson(exported));
  if (!read) return null;
  const { changes, wrong } = read;
  const { language, muted } = changes;
  if (language && !languages.some(({ locale }) => locale === language)) {
    wrong.push(['language', JSON.stringify(language)]);
    delete changes.language;
  }
  if (muted && !muted.every((id) => /^\d{15,20}$/.test(id))) {
    wrong.push(['muted', JSON.stringify(muted)]);
    delete changes.muted;
  }
  const { kept, left } = withoutUnknown(withChanges(noSettings(), changes), guild);
  const { voiceChannels: namedVoice = [], ...taken } = pick(kept, changes);
  const { channels } = taken;
  if (channels === undefined || isDeepStrictEqual(channels, before.channels))
    return { change: compareSettings(before, withChanges(before, taken)), left, wrong };
  const namedChannels = [...before.voiceChannels, ...namedVoice];
  const voiceChannels = listVoiceChannels({ channels, voiceChannels: namedChannels }, createChannelKindLookup(guild));
  return { change: compareSettings(before, withChanges(before, { ...taken, voiceChannels })), left, wrong };
}

type Values = Record<string, unknown>;

/** All settings side by side; those of a group are named after it, as in `reading.who`. */
function flatten(settings: Changes): Values {
  const grouped = settingsGroups.flatMap((group) =>
    Object.entries(settings[group] ?? {}).map(([name, value]) => [`${group}.${name}`, value] as const),
  );
  const others = Object.entries(settings).filter(([name]) => !settingsGroups.some((group) => group === name));
  return Object.fromEntries([...others, ...grouped]);
}

/** The reverse. What is in it came from settings. */
function unflatten(values: Values): Changes {
  const changes: Record<string, Values | unknown> = Object.fromEntries(settingsGroups.map((group) => [group, {}]));
  for (const [path, value] of Object.entries(values)) {
    const [group = '', name] = path.split('.');
    if (name === undefined) changes[path] = value;
    else (changes[group] as Values)[name] = value;
  }
  return changes as Changes;
}

const filtered = (values: Values, isKept: (name: string) => boolean) =>
  unflatten(Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name))));

/** The settings that differ, before and after. */
export function compareSettings(before: GuildSettings, after: GuildSettings): Change {
  const [old, now] = [flatten(before), flatten(after)];
  const changed = filtered(old, (name) => !isDeepStrictEqual(old[name], now[name]));
  return { before: changed, after: pick(after, changed) };
}

/** The values of `settings` for the keys of `like`. */
function pick(settings: GuildSettings, like: Changes): Changes {
  const wanted = flatten(like);
  return filtered(flatten(settings), (name) => name in wanted);
}

/** Leaves settings alone that somebody has changed again since. */
export function undoImport(now: GuildSettings, { before, after }: Change): GuildSettings {
  const changedSince = flatten(compareSettings(now, withChanges(now, after)).before);
  return withChanges(
    now,
    filtered(flatten(before), (name) => !(name in changedSince)),
  );
}

/** Null unless it is a change that was stored. */
export function parseChange(value: unknown): Change | null {
  if (typeof value !== 'object' || value === null || !('before' in value) || !('after' in value)) return null;
  const [before, after] = [readChanges(value.before), readChanges(value.after)];
  return before && after ? { before: before.changes, after: after.changes } : null;
}

/** Characters of the lines of a question, so that it stays within `limits.cardText`. */
const MAX_LINES = 2_500;
const MAX_VALUE = 300;
const MAX_LISTED = 10;
const MAX_WRONG = 10;
const MAX_WRONG_PART = 40;

export function isNothing({ before }: Change): boolean {
  return Object.keys(flatten(before)).length === 0;
}

/** A line for each setting that would change. */
export function changeLines(t: Translator, before: GuildSettings, { after }: Change): string[] {
  const [old, now] = [valuesOf(t, before), valuesOf(t, withChanges(before, after))];
  const lines = Object.keys(flatten(after)).flatMap((name) => {
    const [label, value] = now[name] ?? [];
    if (label === undefined || value === undefined) return [];
    return [t('settings.line', { name: label, value: `${truncate(old[name]?.[1] ?? '', MAX_VALUE)} → ${truncate(value, MAX_VALUE)}` })];
  });
  let length = 0;
  const shown = lines.filter((line) => {
    length += line.length;
    return length <= MAX_LINES;
  });
  return shown.length < lines.length ? [...shown, t('settings.more', { count: lines.length - shown.length })] : shown;
}

/** The settings that can't be used, as one text. */
export function wrongValues(t: Translator, wrong: Import['wrong']): string {
  const shown = wrong.slice(0, MAX_WRONG).map((parts) => parts.map((part) => asCode(truncate(part, MAX_WRONG_PART))).join(' = '));
  return [...shown, ...(wrong.length > MAX_WRONG ? [t('settings.more', { count: wrong.length - MAX_WRONG })] : [])].join(', ');
}

/** The label and the value of each setting, by its name. */
function valuesOf(t: Translator, settings: GuildSettings): Record<string, [label: string, value: string]> {
  const { reading, transcripts, captions } = settings;
  const many = (ids: readonly string[], mention: (id: string) => string, none: string) => listed(t, ids.map(mention), MAX_LISTED, none);
  const roles = (ids: readonly string[], none: string) => many(ids, roleMention, none);
  const onOff = (isOn: boolean) => (isOn ? t('settings.isOn') : t('settings.isOff'));
  const most = (amount: number | null, name: (count: number) => string) =>
    amount === null ? t('settings.noLimit') : amount === 0 ? t('settings.off') : name(amount);
  const channelVoices = Object.entries(settings.channelVoices).map(([id, voice]) =>
    t('settings.channelVoice', { channel: id, voice: titleOf(voice) }),
  );
  const pairs = reading.always.map((pair) =>
    t('reading.panel.pair', { textChannel: pair.textChannelId, voiceChannel: pair.voiceChannelId }),
  );
  return {
    voice: [t('settings.names.voice'), settings.voice ? titleOf(settings.voice) : t('settings.defaultVoice')],
    channelVoices: [t('settings.names.channelVoices'), listed(t, channelVoices, MAX_LISTED, t('settings.none'))],
    volume: [t('settings.names.volume'), t.format.percent(settings.volume)],
    lengthCap: [t('settings.names.lengthCap'), t('settings.characters', { count: settings.lengthCap ?? LONGEST_TEXT })],
    roles: [t('settings.names.roles'), roles(settings.roles, t('settings.everyone'))],
    channels: [t('settings.names.channels'), many(settings.channels, channelMention, t('settings.everywhere'))],
    muted: [t('settings.names.muted'), many(settings.muted, userMention, t('settings.nobody'))],
    stay: [t('settings.names.stay'), onOff(settings.stay)],
    showText: [t('settings.names.showText'), onOff(settings.showText)],
    voiceMakerRoles: [t('settings.names.voiceMakers'), roles(settings.voiceMakerRoles, t('settings.onlyAdmins'))],
    dictionaryRoles: [t('settings.names.dictionary'), roles(settings.dictionaryRoles, t('settings.onlyAdmins'))],
    readerRoles: [t('reading.panel.readerRoles'), roles(settings.readerRoles, t('reading.panel.adminsOnly'))],
    language: [
      t('settings.names.language'),
      languages.find(({ locale }) => locale === settings.language)?.languageName ?? t('settings.serverOwn'),
    ],
    guildBudget: [t('settings.names.guildSpeech'), most(settings.guildBudget, (count) => t('settings.characters', { count }))],
    memberBudget: [t('settings.names.memberSpeech'), most(settings.memberBudget, (count) => t('settings.characters', { count }))],
    guildMinutes: [t('settings.names.guildTranscription'), most(settings.guildMinutes, (count) => t('settings.minutes', { count }))],
    memberMinutes: [t('settings.names.memberTranscription'), most(settings.memberMinutes, (count) => t('settings.minutes', { count }))],
    'reading.always': [t('reading.panel.always'), listed(t, pairs, MAX_LISTED, t('settings.none'))],
    'reading.who': [t('settings.sections.reading.label'), t(`reading.panel.who.${reading.who}`)],
    'reading.roles': [t('reading.panel.roles'), roles(reading.roles, t('settings.everyone'))],
    'reading.bots': [t('reading.panel.options.bots.label'), onOff(reading.bots)],
    'reading.names': [t('reading.panel.options.names.label'), onOff(reading.names)],
    'reading.reactions': [t('reading.panel.options.reactions.label'), onOff(reading.reactions)],
    'reading.maxDelay': [t('reading.panel.delay'), t('reading.panel.seconds', { count: reading.maxDelay })],
    'reading.ignorePrefix': [t('reading.panel.prefix'), reading.ignorePrefix === '' ? t('settings.none') : asCode(reading.ignorePrefix)],
    'transcripts.channels': [t('voiceMessages.panel.channels'), many(transcripts.channels, channelMention, t('settings.none'))],
    'transcripts.who': [t('settings.sections.transcripts.label'), t(`voiceMessages.panel.who.${transcripts.who}`)],
    'transcripts.spoiler': [t('voiceMessages.panel.options.spoiler.label'), onOff(transcripts.spoiler)],
    'transcripts.files': [t('voiceMessages.panel.options.files.label'), onOff(transcripts.files)],
    'transcripts.longest': [t('voiceMessages.panel.longestName'), t('settings.minutes', { count: transcripts.longest })],
    'transcripts.language': [
      t('voiceMessages.panel.languageName'),
      transcripts.language === null ? t('transcription.detectLanguage') : asCode(transcripts.language),
    ],
    'captions.starters': [t('captions.panel.starters'), roles(captions.starters, t('settings.everyone'))],
    'captions.channels': [t('captions.panel.channels'), many(captions.channels, channelMention, t('settings.everywhere'))],
    'captions.excluded': [t('captions.panel.excluded'), roles(captions.excluded, t('settings.nobody'))],
    'captions.consent': [t('captions.panel.consentName'), t(`captions.panel.consent.${captions.consent}`)],
    'captions.place': [t('captions.panel.placeName'), t(`captions.panel.place.${captions.place}`)],
    'captions.language': [
      t('captions.panel.languageName'),
      captions.language === null ? t('transcription.detectLanguage') : asCode(captions.language),
    ],
  };
}
