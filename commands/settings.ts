// /settings: how I am set up in a server, as one panel that is drawn anew from the store with every change.
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  AttachmentBuilder,
  type ChatInputCommandInteraction,
  InteractionContextType,
  type MessageComponentInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
  PermissionFlagsBits,
} from 'discord.js';
import { createChannelKindLookup, isAdmin, listVoiceChannels } from '../src/bot/access.ts';
import type { SlashCommand } from '../src/bot/command.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { searchVoices, withChosen, withoutDeleted, withVoice } from '../src/settings/changes.ts';
import type { SettingsContext } from '../src/settings/context.ts';
import { budgetsForm, capForm, readBudgets, readCap, searchForm } from '../src/settings/forms.ts';
import type { ChosenVoice, GuildSettings } from '../src/settings/index.ts';
import { MOST_CHOSEN, NO_VOICE, type Panel, type Section, sections, settingsPanel, VOICE } from '../src/settings/panel.ts';

type Asked = ChatInputCommandInteraction | MessageComponentInteraction | ModalSubmitInteraction;

export const settings = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'settings',
    description: 'Set me up in this server: voices, volume, who may use me, budgets (for admins)',
    default_member_permissions: String(PermissionFlagsBits.ManageGuild),
    integration_types: [ApplicationIntegrationType.GuildInstall],
    contexts: [InteractionContextType.Guild],
  },

  async run(interaction, context) {
    const guildId = checkAdmin(interaction);
    const panel = panelOf(interaction, context, await context.settings.guild(guildId), { section: 'voices' });
    await interaction.reply({ ...settingsPanel(panel), flags: MessageFlags.Ephemeral });
  },

  components: {
    settings: {
      async run(interaction, context, [action = '', ...args]) {
        const guildId = checkAdmin(interaction);
        const form = formOf(interaction, action, args, context, await context.settings.guild(guildId));
        if (form) await interaction.showModal(form);
        else if (action === 'export') await sendExport(interaction, await context.settings.guild(guildId));
        else await interaction.update(settingsPanel(await use(interaction, context, guildId, action, args)));
      },
    },
  },

  modals: {
    /** `settings:search:target` */
    'settings:search': {
      browses: true,
      async run(interaction, context, [wanted]) {
        const guildId = checkAdmin(interaction);
        const target = readTarget(interaction, wanted);
        // The service is asked, which may take longer than Discord waits.
        await interaction.deferUpdate();
        const typed = interaction.fields.getTextInputValue('title').trim();
        const voices = await searchVoices(context, typed, interaction.user.id);
        const found = { section: 'voices', target, voices, typed } as const;
        await interaction.editReply(settingsPanel(panelOf(interaction, context, await context.settings.guild(guildId), found)));
      },
    },
    'settings:cap': { run: (interaction, context) => changeByForm(interaction, context, 'speaking', readCap) },
    'settings:budgets': {
      run: (interaction, context) => changeByForm(interaction, context, 'budgets', (form) => readBudgets(form, context.budgets)),
    },
  },
} satisfies SlashCommand<SettingsContext>;

/** Asked each time: the panel may be older than the admin's permission. @throws UserError */
function checkAdmin(interaction: Asked): string {
  if (!interaction.inCachedGuild()) throw new UserError(en.settings.notInGuild);
  if (!isAdmin(interaction.memberPermissions)) throw new UserError(en.settings.adminsOnly);
  return interaction.guildId;
}

async function changeByForm(
  interaction: ModalSubmitInteraction,
  context: SettingsContext,
  section: Section,
  read: (form: ModalSubmitInteraction) => Partial<GuildSettings>,
): Promise<void> {
  const guildId = checkAdmin(interaction);
  if (!interaction.isFromMessage()) throw new UserError(en.general.expiredMessage);
  const change = read(interaction);
  const changed = await changeSettings(interaction, context, guildId, () => change);
  await interaction.update(settingsPanel(panelOf(interaction, context, changed, { section })));
}

function formOf(interaction: Asked, action: string, [target]: string[], { budgets }: SettingsContext, settings: GuildSettings) {
  if (action === 'search') return searchForm(readTarget(interaction, target));
  if (action === 'cap') return capForm(settings);
  return action === 'budgets' ? budgetsForm(settings, budgets) : null;
}

/** Does what a button or menu is for, and gives what is to be seen then. */
async function use(
  interaction: MessageComponentInteraction,
  context: SettingsContext,
  guildId: string,
  action: string,
  args: string[],
): Promise<Panel> {
  const chosen = interaction.isAnySelectMenu() ? interaction.values : [];
  const change = async (section: Section, by: (before: GuildSettings) => Partial<GuildSettings>, target?: string) => {
    const changed = await changeSettings(interaction, context, guildId, by);
    return panelOf(interaction, context, changed, { section, ...(target === undefined ? {} : { target }) });
  };
  const show = async (view: View) => panelOf(interaction, context, await context.settings.guild(guildId), view);

  switch (action) {
    case 'section':
      return show({ section: sections.find((section) => section === chosen[0]) ?? 'voices' });
    case 'target':
      return show({ section: 'voices', target: readTarget(interaction, chosen[0]) });
    case 'voice': {
      const target = readTarget(interaction, args[0]);
      return change('voices', (before) => withVoice(before, target, voiceOf(chosen[0], context)), target);
    }
    case 'volume':
      return change('speaking', () => ({ volume: Number(chosen[0] ?? 100) / 100 }));
    case 'set': {
      const [name, on] = args;
      if (name !== 'stay' && name !== 'showText') throw new UserError(en.general.expiredMessage);
      const panel = await change('speaking', () => ({ [name]: on === '1' }));
      // Whoever is spoken to now is bound by it as well.
      context.sessions.get(guildId)?.setStay(panel.settings.stay);
      return panel;
    }
    case 'roles':
    case 'channels':
    case 'muted':
      return change('access', (before) => {
        const ids = withChosen(stillThere(action, before, interaction), readIds(chosen), shownBefore(interaction));
        const after = { ...before, [action]: ids };
        return { ...after, voiceChannels: listVoiceChannels(after, createChannelKindLookup(interaction.guild)) };
      });
    case 'reset':
      return show({ section: 'reset' });
    case 'reset-now':
      await context.settings.resetGuild(guildId);
      context.sessions.get(guildId)?.setStay(false);
      return show({ section: 'voices' });
    case 'keep':
      return show({ section: 'voices' });
    default:
      throw new UserError(en.general.expiredMessage);
  }
}

/** What is kept of deleted channels goes with it; in an outage of the server it is not known which they are. */
function changeSettings(
  { guild }: Asked,
  { settings }: SettingsContext,
  guildId: string,
  by: (before: GuildSettings) => Partial<GuildSettings>,
): Promise<GuildSettings> {
  const hasChannel = (id: string) => !guild?.available || guild.channels.cache.has(id);
  return settings.changeGuild(guildId, (before) => withoutDeleted({ ...before, ...by(before) }, hasChannel));
}

/** The voice of an option: null for none of one's own. @throws UserError */
function voiceOf(value: string | undefined, { voiceTitles }: SettingsContext): ChosenVoice | null {
  if (value === undefined || value === NO_VOICE) return null;
  const id = value.startsWith(VOICE) ? value.slice(VOICE.length).trim() : '';
  if (id === '') throw new UserError(en.general.expiredMessage);
  return voiceTitles.resolve(id);
}

/** Whose voice is chosen: the server's unless said otherwise. @throws UserError where it is that of a channel that is gone */
function readTarget({ guild }: Asked, target = 'server'): string {
  if (target !== 'server' && !guild?.channels.cache.has(target)) throw new UserError(en.general.expiredMessage);
  return target;
}

/** @throws UserError where one is no id, so that it stands in none of my menus */
function readIds(values: string[]): string[] {
  if (!values.every((value) => /^\d{15,20}$/.test(value))) throw new UserError(en.general.expiredMessage);
  return values;
}

/** Without the roles and channels that were deleted since. */
function stillThere(name: 'roles' | 'channels' | 'muted', before: GuildSettings, { guild }: MessageComponentInteraction): string[] {
  return name === 'muted' ? before.muted : before[name].filter((id) => guild?.[name].cache.has(id));
}

/** What the menu showed as chosen when it was used: only the difference to that was this admin's doing. */
function shownBefore(interaction: MessageComponentInteraction): string[] {
  const { component } = interaction;
  // Nothing where the message has no such menu, as Discord itself would have seen.
  const data = component && ('data' in component ? component.data : component);
  return data && 'default_values' in data ? (data.default_values ?? []).map(({ id }) => id) : [];
}

type View = Pick<Panel, 'section' | 'target' | 'typed'> & { voices?: ChosenVoice[] };

function panelOf(interaction: Asked, context: SettingsContext, settings: GuildSettings, view: View): Panel {
  const { voiceTitles, defaultVoice, budgets } = context;
  const { guild } = interaction;
  return {
    voices: voiceTitles.find('', MOST_CHOSEN),
    ...view,
    ...{ settings, budgets },
    defaultVoice: defaultVoice === null ? null : (voiceTitles.resolve(defaultVoice).title ?? defaultVoice),
    guildName: guild?.name ?? '',
    hasRole: (id) => guild?.roles.cache.has(id) ?? false,
    hasChannel: (id) => guild?.channels.cache.has(id) ?? false,
  };
}

async function sendExport(interaction: MessageComponentInteraction, settings: GuildSettings): Promise<void> {
  const file = new AttachmentBuilder(Buffer.from(`${JSON.stringify(settings, null, 2)}\n`), { name: 'parley-settings.json' });
  await interaction.reply({ content: en.settings.exported, files: [file], flags: MessageFlags.Ephemeral });
}
