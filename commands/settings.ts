// /settings: shows and changes the settings of a server, in one panel that is redrawn from the store after every change.
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  AttachmentBuilder,
  InteractionContextType,
  type MessageComponentInteraction,
  type ModalSubmitInteraction,
  PermissionFlagsBits,
} from 'discord.js';
import { isAdmin } from '../src/discord/access.ts';
import { asEdit, asPrivate, card, cards, file, text } from '../src/discord/cards.ts';
import type { SlashCommand } from '../src/discord/command.ts';
import { on } from '../src/discord/custom-ids.ts';
import { UserError } from '../src/discord/errors.ts';
import { described } from '../src/locales/command-texts.ts';
import type { Translator } from '../src/locales/index.ts';
import {
  budgetsForm,
  budgetsFormId,
  capForm,
  capFormId,
  importForm,
  importFormId,
  readBudgets,
  readCap,
  readingForm,
  readingFormId,
  readReadingForm,
  searchForm,
  searchFormId,
} from '../src/settings/forms.ts';
import { changeLines, isNothing, readImport, wrongValues } from '../src/settings/import.ts';
import { settingsPanel } from '../src/settings/panel.ts';
import {
  applyAction,
  changeSettings,
  createPanel,
  keepChange,
  type PanelInteraction,
  type Pressed,
  readTarget,
} from '../src/settings/panel-actions.ts';
import { type Section, type SettingsContext, searchVoices, settingsId } from '../src/settings/panel-parts.ts';
import type { GuildSettings } from '../src/store/settings.ts';

const EXPORT_NAME = 'parley-settings.json';
/** Far more than any exported settings need. */
const MAX_IMPORT_BYTES = 256 * 1024;

export const settings = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'settings',
    ...described('commands.settings.description'),
    default_member_permissions: String(PermissionFlagsBits.ManageGuild),
    integration_types: [ApplicationIntegrationType.GuildInstall],
    contexts: [InteractionContextType.Guild],
  },

  async run(interaction, context) {
    const guildId = checkAdmin(interaction);
    const panel = await createPanel(interaction, context, await context.settings.guild(guildId), { section: 'voices' });
    await interaction.reply(asPrivate(settingsPanel(context.t, panel)));
  },

  components: [
    on(settingsId, {
      async run(interaction, context, pressed) {
        const guildId = checkAdmin(interaction);
        const form = formOf(interaction, pressed, context, await context.settings.guild(guildId));
        if (form) await interaction.showModal(form);
        else if (pressed.action === 'export') await sendExport(interaction, context.t, await context.settings.guild(guildId));
        else await interaction.update(asEdit(settingsPanel(context.t, await applyAction(interaction, context, guildId, pressed))));
      },
    }),
  ],

  modals: [
    on(searchFormId, {
      browses: true,
      async run(interaction, context, { target: wanted }) {
        const guildId = checkAdmin(interaction);
        const target = readTarget(interaction, wanted);
        // The voice service may take longer than Discord waits.
        await interaction.deferUpdate();
        const typed = interaction.fields.getTextInputValue('title').trim();
        const voices = await searchVoices(context, typed, { userId: interaction.user.id, guildId });
        const searched = { section: 'voices', target, voices, typed } as const;
        const panel = await createPanel(interaction, context, await context.settings.guild(guildId), searched);
        await interaction.editReply(asEdit(settingsPanel(context.t, panel)));
      },
    }),
    on(importFormId, { run: askToImport }),
    on(capFormId, { run: (interaction, context) => changeByForm(interaction, context, 'speaking', readCap) }),
    on(budgetsFormId, {
      run: (interaction, context) => changeByForm(interaction, context, 'budgets', (form) => readBudgets(form, context.budgets)),
    }),
    on(readingFormId, { run: (interaction, context) => changeByForm(interaction, context, 'reading', readReadingForm) }),
  ],
} satisfies SlashCommand<SettingsContext>;

/** Checked at every press, because the admin may have lost the permission since the panel was sent. @throws UserError */
function checkAdmin(interaction: PanelInteraction): string {
  if (!interaction.inCachedGuild()) throw new UserError((t) => t('settings.notInGuild'));
  if (!isAdmin(interaction.memberPermissions)) throw new UserError((t) => t('settings.adminsOnly'));
  return interaction.guildId;
}

async function changeByForm(
  interaction: ModalSubmitInteraction,
  context: SettingsContext,
  section: Section,
  read: (form: ModalSubmitInteraction, before: GuildSettings) => Partial<GuildSettings>,
): Promise<void> {
  const guildId = checkAdmin(interaction);
  if (!interaction.isFromMessage()) throw new UserError((t) => t('general.expiredMessage'));
  const changed = await changeSettings(interaction, context, guildId, (before) => read(interaction, before));
  await interaction.update(asEdit(settingsPanel(context.t, await createPanel(interaction, context, changed, { section }))));
}

/** Shows what a file would change, and asks. */
async function askToImport(interaction: ModalSubmitInteraction, context: SettingsContext): Promise<void> {
  const guildId = checkAdmin(interaction);
  if (!interaction.isFromMessage()) throw new UserError((t) => t('general.expiredMessage'));
  const uploaded = interaction.fields.getUploadedFiles('file', true).first();
  if (!uploaded) throw new UserError((t) => t('general.expiredMessage'));
  await interaction.deferUpdate();
  const exported = await context.attachments.readText(uploaded, context.signal, MAX_IMPORT_BYTES);
  const before = await context.settings.guild(guildId);
  const read = readImport(exported, before, interaction.guild);
  if (!read) throw new UserError((t) => t('settings.importFailed', { file: uploaded.name }));
  const { change, left, wrong } = read;
  const reasons = (t: Translator) => [
    ...(left > 0 ? [t('settings.importWithout', { count: left })] : []),
    ...(wrong.length > 0 ? [t('settings.importWrong', { values: wrongValues(t, wrong) })] : []),
  ];
  if (isNothing(change)) throw new UserError((t) => [t('settings.importNothing', { file: uploaded.name }), ...reasons(t)].join('\n'));
  const { t } = context;
  const question = {
    lines: [...changeLines(t, before, change), ...reasons(t)],
    key: await keepChange(interaction, context, change),
  };
  const panel = await createPanel(interaction, context, before, { section: 'import', question });
  await interaction.editReply(asEdit(settingsPanel(t, panel)));
}

/** The form a button opens; null if it opens none. */
function formOf(interaction: PanelInteraction, { action, name }: Pressed, { t, budgets }: SettingsContext, settings: GuildSettings) {
  if (action === 'search') return searchForm(t, readTarget(interaction, name));
  if (action === 'import') return importForm(t);
  if (action === 'cap') return capForm(t, settings);
  if (action === 'reading-form') return readingForm(t, settings);
  return action === 'budgets' ? budgetsForm(t, settings, budgets) : null;
}

async function sendExport(interaction: MessageComponentInteraction, t: Translator, settings: GuildSettings): Promise<void> {
  const attachment = new AttachmentBuilder(Buffer.from(`${JSON.stringify(settings, null, 2)}\n`), { name: EXPORT_NAME });
  const message = cards(card('done', text(t('settings.exported')), file(EXPORT_NAME)));
  await interaction.reply({ ...asPrivate(message), files: [attachment] });
}
