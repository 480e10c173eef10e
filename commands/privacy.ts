// /privacy: says what is stored, for how long and who receives it, and deletes it on request.
import { ApplicationCommandType, ApplicationIntegrationType, InteractionContextType, MessageFlags } from 'discord.js';
import type { InteractionContext, SlashCommand } from '../src/bot/command.ts';
import type { IsOperator } from '../src/bot/operators.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { deleteMemberData } from '../src/privacy/deletion.ts';
import type { PrivacyFacts } from '../src/privacy/facts.ts';
import { doneMessage, privacyMessage, questionMessage } from '../src/privacy/view.ts';
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
    /** `privacy:action`; the message is ephemeral, so only its member can press. */
    privacy: {
      async run(interaction, context, [action]) {
        const { privacyFacts, isOperator } = context;
        const { user } = interaction;
        if (action === 'delete') {
          await interaction.update(questionMessage(text.deleteAsk(privacyFacts.cacheBytes > 0), text.deleteYes, 'delete-now'));
          return;
        }
        await interaction.deferUpdate();
        if (action === 'keep') await interaction.editReply(privacyMessage(privacyFacts, await isOperator(user.id)));
        else if (action === 'delete-now') await interaction.editReply(doneMessage(text.deleted(await deleteMemberData(context, user.id))));
        else if (action === 'empty' || action === 'empty-now') await interaction.editReply(await emptyCache(user.id, context, action));
        else throw new UserError((t) => t.general.expiredMessage);
      },
    },
  },
} satisfies SlashCommand<PrivacyContext>;

/** Asks for confirmation, then empties the cache of sound. @throws UserError unless an operator asks */
async function emptyCache(userId: string, { speech, isOperator, store }: PrivacyContext, action: 'empty' | 'empty-now') {
  if (!(await isOperator(userId))) throw new UserError((t) => t.privacy.operatorsOnly);
  if (action === 'empty') return questionMessage(text.emptyAsk, text.emptyYes, 'empty-now');
  const bytes = await speech.clearCache();
  await store.scrub();
  return doneMessage(text.emptied(bytes));
}
