// What the buttons and menus of the /settings panel do, and the panel that is shown afterwards.
import type { ChatInputCommandInteraction, MessageComponentInteraction, ModalSubmitInteraction } from 'discord.js';
import { createChannelKindLookup, listVoiceChannels } from '../discord/access.ts';
import { UserError } from '../discord/errors.ts';
import { listMissingForTranscripts } from '../discord/permissions.ts';
import { translatorFor } from '../locales/index.ts';
import { KEEP_QUESTION_MS, keepValue, takeKeptValue } from '../store/index.ts';
import { type ChosenVoice, type GuildSettings, withChanges } from '../store/settings.ts';
import { changeCaptions } from './captions-section.ts';
import { type Change, compareSettings, parseChange, undoImport } from './import.ts';
import { changeReading, NO_VOICE, SERVER_LANGUAGE, VOICE_PREFIX } from './panel.ts';
import {
  existingIn,
  MAX_OPTIONS,
  type Panel,
  type Section,
  type SettingsContext,
  sections,
  serverVoices,
  type settingsId,
  withChosen,
  withoutDeleted,
  withVoice,
} from './panel-parts.ts';
import { changeTranscripts } from './transcripts-section.ts';

/** The command itself, or the panel's buttons, menus and forms. */
export type PanelInteraction = ChatInputCommandInteraction | MessageComponentInteraction | ModalSubmitInteraction;

/** What the custom_id of a button or menu says. */
export type Pressed = NonNullable<ReturnType<typeof settingsId.read>>;

/** Carries out a press of a button or a choice in a menu. @returns the panel to show afterwards @throws UserError, StoreError */
export async function applyAction(
  interaction: MessageComponentInteraction,
  context: SettingsContext,
  guildId: string,
  { action, name, value }: Pressed,
): Promise<Panel> {
  const chosen = interaction.isAnySelectMenu() ? interaction.values : [];
  const change = async (section: Section, by: (before: GuildSettings) => Partial<GuildSettings>, target?: string) => {
    const changed = await changeSettings(interaction, context, guildId, by);
    return createPanel(interaction, context, changed, { section, target });
  };
  const { hasRole, hasChannel } = existingIn(interaction.guild);
  const show = async (view: View) => createPanel(interaction, context, await context.settings.guild(guildId), view);

  switch (action) {
    case 'section':
      return show({ section: sections.find((section) => section === chosen[0]) ?? 'voices' });
    case 'target':
      return show({ section: 'voices', target: readTarget(interaction, chosen[0]) });
    case 'voice': {
      const target = readTarget(interaction, name);
      const voice = await readVoice(chosen[0], guildId, context);
      return change('voices', (before) => withVoice(before, target, voice), target);
    }
    case 'volume':
      return change('speaking', () => ({ volume: Number(chosen[0] ?? 100) / 100 }));
    case 'language': {
      const [language = SERVER_LANGUAGE] = chosen;
      return change('speaking', () => ({ language: language === SERVER_LANGUAGE ? null : translatorFor(language).locale }));
    }
    case 'set': {
      if (name !== 'stay' && name !== 'showText') throw new UserError((t) => t('general.expiredMessage'));
      const panel = await change('speaking', () => ({ [name]: value === '1' }));
      // It also applies to the running session.
      context.sessions.get(guildId)?.setStay(panel.settings.stay);
      return panel;
    }
    case 'roles':
    case 'voiceMakerRoles':
    case 'dictionaryRoles':
    case 'channels':
    case 'muted':
      return change('access', (before) => {
        const ids = withChosen(listExisting(action, before, interaction), readIds(chosen), listShown(interaction));
        const after = { ...before, [action]: ids };
        return { ...after, voiceChannels: listVoiceChannels(after, createChannelKindLookup(interaction.guild)) };
      });
    case 'always-in':
      return show({ section: 'reading', target: readTarget(interaction, chosen[0]) });
    case 'reading': {
      const target = value;
      const values = interaction.isStringSelectMenu() ? chosen : readIds(chosen);
      const by = changeReading(name ?? '', { target, chosen: values, shown: listShown(interaction), hasRole });
      if (!by) throw new UserError((t) => t('general.expiredMessage'));
      return change('reading', by, target);
    }
    case 'transcripts':
    case 'captions': {
      const values = interaction.isStringSelectMenu() ? chosen : readIds(chosen);
      const choice = { chosen: values, shown: listShown(interaction), hasRole, hasChannel };
      const by = (action === 'captions' ? changeCaptions : changeTranscripts)(name ?? '', choice);
      if (!by) throw new UserError((t) => t('general.expiredMessage'));
      return change(action, by);
    }
    case 'reset':
      return show({ section: 'reset' });
    case 'reset-now':
      await context.settings.resetGuild(guildId);
      context.sessions.get(guildId)?.setStay(false);
      return show({ section: 'voices' });
    case 'import-now': {
      const change = parseChange(await takeKeptValue(context.store, interaction.user.id, name ?? ''));
      if (!change) throw new UserError((t) => t('general.expiredMessage'));
      // Somebody else may have changed them since the question.
      let appliedChange = change;
      const changed = await changeAndStay(interaction, context, guildId, (before) => {
        const after = withChanges(before, change.after);
        appliedChange = compareSettings(before, after);
        return after;
      });
      const undoKey = await keepChange(interaction, context, appliedChange);
      return createPanel(interaction, context, changed, { section: 'voices', news: context.t('settings.imported'), undoKey });
    }
    case 'undo': {
      const change = parseChange(await takeKeptValue(context.store, interaction.user.id, name ?? ''));
      if (!change) throw new UserError((t) => t('settings.undoExpired'));
      const changed = await changeAndStay(interaction, context, guildId, (before) => undoImport(before, change));
      return createPanel(interaction, context, changed, { section: 'voices', news: context.t('settings.undone') });
    }
    case 'keep':
      return show({ section: 'voices' });
    default:
      throw new UserError((t) => t('general.expiredMessage'));
  }
}

/** Also drops what is stored for deleted channels, except in an outage, when it isn't known which those are. @throws StoreError */
export function changeSettings(
  { guild }: PanelInteraction,
  { settings }: SettingsContext,
  guildId: string,
  by: (before: GuildSettings) => Partial<GuildSettings>,
): Promise<GuildSettings> {
  const hasChannel = (id: string) => !guild?.available || guild.channels.cache.has(id);
  return settings.changeGuild(guildId, (before) => withoutDeleted({ ...before, ...by(before) }, hasChannel));
}

/** Changes settings, and tells the running session whether to stay. @throws StoreError */
async function changeAndStay(
  interaction: PanelInteraction,
  context: SettingsContext,
  guildId: string,
  by: (before: GuildSettings) => GuildSettings,
): Promise<GuildSettings> {
  const changed = await changeSettings(interaction, context, guildId, by);
  context.sessions.get(guildId)?.setStay(changed.stay);
  return changed;
}

/** Stores a change of settings, sealed, until it is made or undone. @returns the key @throws StoreError */
export function keepChange({ user }: PanelInteraction, { store }: SettingsContext, change: Change): Promise<string> {
  return keepValue(store, user.id, change, KEEP_QUESTION_MS);
}

/** Whose voice is being chosen: a channel's, or the server's by default. @throws UserError if the channel is gone */
export function readTarget({ guild }: PanelInteraction, target = 'server'): string {
  if (target !== 'server' && !guild?.channels.cache.has(target)) throw new UserError((t) => t('general.expiredMessage'));
  return target;
}

/** What to show of the settings. */
type View = Pick<Panel, 'section' | 'target' | 'typed' | 'news' | 'question' | 'undoKey'> & { voices?: ChosenVoice[] };

/** @throws StoreError */
export async function createPanel(
  interaction: PanelInteraction,
  context: SettingsContext,
  settings: GuildSettings,
  view: View,
): Promise<Panel> {
  const { voiceTitles, defaultVoice, budgets, voiceMakers, messageAccess } = context;
  const { guild } = interaction;
  const own = await serverVoices(guild?.id ?? '', context).findOwn('');
  return {
    voices: [...own, ...voiceTitles.find('', MAX_OPTIONS)],
    ...view,
    settings,
    budgets,
    choosesVoiceMakers: voiceMakers === 'admins',
    defaultVoice: defaultVoice === null ? null : (voiceTitles.resolve(defaultVoice).title ?? defaultVoice),
    guildName: guild?.name ?? '',
    messageAccess: messageAccess(),
    languages: context.transcriptionLanguages.offered(),
    lacksFor(id) {
      const channel = guild?.channels.cache.get(id);
      return channel && guild?.members.me ? listMissingForTranscripts(channel, guild.members.me) : [];
    },
    ...existingIn(guild),
  };
}

/** The voice of a menu option; null = none. @throws UserError, StoreError */
async function readVoice(value: string | undefined, guildId: string, context: SettingsContext): Promise<ChosenVoice | null> {
  if (value === undefined || value === NO_VOICE) return null;
  const id = value.startsWith(VOICE_PREFIX) ? value.slice(VOICE_PREFIX.length).trim() : '';
  if (id === '') throw new UserError((t) => t('general.expiredMessage'));
  return serverVoices(guildId, context).resolve(id);
}

/** @throws UserError if a value is not an id, though our menus offer nothing else */
function readIds(values: string[]): string[] {
  if (!values.every((value) => /^\d{15,20}$/.test(value))) throw new UserError((t) => t('general.expiredMessage'));
  return values;
}

/** The choices without roles and channels that have been deleted since. */
function listExisting(
  name: 'roles' | 'voiceMakerRoles' | 'dictionaryRoles' | 'channels' | 'muted',
  before: GuildSettings,
  { guild }: MessageComponentInteraction,
): string[] {
  if (name === 'muted') return before.muted;
  return before[name].filter((id) => guild?.[name === 'channels' ? 'channels' : 'roles'].cache.has(id));
}

/** What the menu had shown as chosen: the admin only changed the difference. */
function listShown(interaction: MessageComponentInteraction): string[] {
  const { component } = interaction;
  // Empty if the message has no such menu, which Discord itself would have refused.
  const data = component && ('data' in component ? component.data : component);
  return data && 'default_values' in data ? (data.default_values ?? []).map(({ id }) => id) : [];
}
