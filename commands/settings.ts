// /settings: shows and changes the settings of a server, in one panel that is redrawn from the store after every change.
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  AttachmentBuilder,
  InteractionContextType,
  type MessageComponentInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
  PermissionFlagsBits,
} from 'discord.js';
import { isAdmin } from '../src/bot/access.ts';
import type { SlashCommand } from '../src/bot/command.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { searchVoices } from '../src/settings/changes.ts';
import type { SettingsContext } from '../src/settings/context.ts';
import { budgetsForm, capForm, readBudgets, readCap, searchForm } from '../src/settings/forms.ts';
import type { GuildSettings } from '../src/settings/index.ts';
import { type Section, settingsPanel } from '../src/settings/panel.ts';
import { applyAction, changeSettings, createPanel, type PanelInteraction, readTarget } from '../src/settings/panel-actions.ts';

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
    const panel = createPanel(interaction, context, await context.settings.guild(guildId), { section: 'voices' });
    await interaction.reply({ ...settingsPanel(panel), flags: MessageFlags.Ephemeral });
  },

  components: {
    /** `settings:action:…` */
    settings: {
      async run(interaction, context, [action = '', ...args]) {
        const guildId = checkAdmin(interaction);
        const form = formOf(interaction, action, args, context, await context.settings.guild(guildId));
        if (form) await interaction.showModal(form);
        else if (action === 'export') await sendExport(interaction, await context.settings.guild(guildId));
        else await interaction.update(settingsPanel(await applyAction(interaction, context, guildId, action, args)));
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
        // The voice service may take longer than Discord waits.
        await interaction.deferUpdate();
        const typed = interaction.fields.getTextInputValue('title').trim();
        const voices = await searchVoices(context, typed, interaction.user.id);
        const found = { section: 'voices', target, voices, typed } as const;
        await interaction.editReply(settingsPanel(createPanel(interaction, context, await context.settings.guild(guildId), found)));
      },
    },
    'settings:cap': { run: (interaction, context) => changeByForm(interaction, context, 'speaking', readCap) },
    'settings:budgets': {
      run: (interaction, context) => changeByForm(interaction, context, 'budgets', (form) => readBudgets(form, context.budgets)),
    },
  },
} satisfies SlashCommand<SettingsContext>;

/** Called every time, since the panel may be older than the loss of the admin's permission. @throws UserError */
function checkAdmin(interaction: PanelInteraction): string {
  if (!interaction.inCachedGuild()) throw new UserError((t) => t.settings.notInGuild);
  if (!isAdmin(interaction.memberPermissions)) throw new UserError((t) => t.settings.adminsOnly);
  return interaction.guildId;
}

async function changeByForm(
  interaction: ModalSubmitInteraction,
  context: SettingsContext,
  section: Section,
  read: (form: ModalSubmitInteraction) => Partial<GuildSettings>,
): Promise<void> {
  const guildId = checkAdmin(interaction);
  if (!interaction.isFromMessage()) throw new UserError((t) => t.general.expiredMessage);
  const change = read(interaction);
  const changed = await changeSettings(interaction, context, guildId, () => change);
  await interaction.update(settingsPanel(createPanel(interaction, context, changed, { section })));
}

/** The form a button opens; null if it opens none. */
function formOf(interaction: PanelInteraction, action: string, [target]: string[], { budgets }: SettingsContext, settings: GuildSettings) {
  if (action === 'search') return searchForm(readTarget(interaction, target));
  if (action === 'cap') return capForm(settings);
  return action === 'budgets' ? budgetsForm(settings, budgets) : null;
}

async function sendExport(interaction: MessageComponentInteraction, settings: GuildSettings): Promise<void> {
  const file = new AttachmentBuilder(Buffer.from(`${JSON.stringify(settings, null, 2)}\n`), { name: 'parley-settings.json' });
  await interaction.reply({ content: en.settings.exported, files: [file], flags: MessageFlags.Ephemeral });
}
