// /privacy: what is kept, for how long, who gets it, and its deletion.
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIEmbed,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ButtonStyle,
  ComponentType,
  InteractionContextType,
  MessageFlags,
} from 'discord.js';
import type { InteractionContext, SlashCommand } from '../src/bot/command.ts';
import { COLOR, customId } from '../src/bot/discord-limits.ts';
import type { IsOperator } from '../src/bot/operators.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { deleteMemberData } from '../src/privacy/deletion.ts';
import type { PrivacyFacts } from '../src/privacy/facts.ts';
import type { Settings } from '../src/settings/index.ts';
import type { Speech } from '../src/speech/index.ts';
import type { Store } from '../src/store/index.ts';

const text = en.privacy;

interface PrivacyContext extends InteractionContext {
  settings: Settings;
  speech: Speech;
  store: Store;
  privacyFacts: PrivacyFacts;
  isOperator: IsOperator;
}

export const privacy = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'privacy',
    description: 'What I keep of you, for how long, who gets it, and how to delete it',
    integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
  },

  async run(interaction, { privacyFacts, isOperator }) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply(privacyMessage(privacyFacts, await isOperator(interaction.user.id)));
  },

  components: {
    /** `privacy:button`: only who asked sees the message. */
    privacy: {
      async run(interaction, context, [action]) {
        const { privacyFacts, isOperator } = context;
        const { user } = interaction;
        if (action === 'delete') {
          await interaction.update(question(text.deleteAsk(privacyFacts.cacheBytes > 0), text.deleteYes, 'delete-now'));
          return;
        }
        await interaction.deferUpdate();
        if (action === 'keep') await interaction.editReply(privacyMessage(privacyFacts, await isOperator(user.id)));
        else if (action === 'delete-now') await interaction.editReply(done(text.deleted(await deleteMemberData(context, user.id))));
        else if (action === 'empty' || action === 'empty-now') await interaction.editReply(await empty(user.id, context, action));
        else throw new UserError(en.general.expiredMessage);
      },
    },
  },
} satisfies SlashCommand<PrivacyContext>;

/** @throws UserError where it is no operator (any more) who asks */
async function empty(userId: string, { speech, isOperator, store }: PrivacyContext, action: 'empty' | 'empty-now') {
  if (!(await isOperator(userId))) throw new UserError(text.operatorsOnly);
  if (action === 'empty') return question(text.emptyAsk, text.emptyYes, 'empty-now');
  const bytes = await speech.clearCache();
  await store.scrub();
  return done(text.emptied(bytes));
}

type Row = APIActionRowComponent<APIButtonComponent>;

export function privacyMessage({ voiceService, cacheBytes }: PrivacyFacts, isOperator: boolean): { embeds: [APIEmbed]; components: [Row] } {
  const value = {
    sent: text.sent(voiceService),
    kept: text.kept,
    sound: text.sound(cacheBytes),
    notKept: text.notKept,
    answers: text.answers,
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

function question(description: string, yes: string, action: string): { embeds: [APIEmbed]; components: [Row] } {
  const buttons = [button(yes, action, ButtonStyle.Danger), button(text.deleteNo, 'keep', ButtonStyle.Secondary)];
  return { embeds: [{ color: COLOR, description }], components: [{ type: ComponentType.ActionRow, components: buttons }] };
}

function done(description: string): { embeds: [APIEmbed]; components: [] } {
  return { embeds: [{ color: COLOR, description }], components: [] };
}

function button(label: string, action: string, style: ButtonStyle.Danger | ButtonStyle.Secondary): APIButtonComponent {
  return { type: ComponentType.Button, style, label, custom_id: customId('privacy', action) };
}
