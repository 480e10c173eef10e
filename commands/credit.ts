// /credit: the balance and who uses it for whoever pays; what a server and a member have used and have left for them.
import {
  type APIEmbed,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type ChatInputCommandInteraction,
  InteractionContextType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord.js';
import { ApiError } from '../src/api/index.ts';
import type { InteractionContext, SlashCommand } from '../src/bot/command.ts';
import type { IsOperator } from '../src/bot/operators.ts';
import type { Credit, Today, Use } from '../src/credit/index.ts';
import { ACCOUNT_LENGTH, creditEmbed, embedOf, useLines } from '../src/credit/view.ts';
import { en } from '../src/locales/en/index.ts';

const DAYS = 30;
const DAY_MS = 24 * 3600_000;

interface CreditContext extends InteractionContext {
  credit: Credit;
  isOperator: IsOperator;
}

export const credit = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'credit',
    description: 'Show what was used and what is left',
    integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
  },
  async run(interaction, context) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    // A server that I am no member of has no budget: what is used there counts as outside of servers.
    const guildId = interaction.inCachedGuild() ? interaction.guildId : null;
    const isAdmin = guildId !== null && interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild);
    const isOperator = await context.isOperator(interaction.user.id);
    const embeds = await Promise.all([
      ...(isOperator ? [ofAccount(interaction, context)] : []),
      ...(isAdmin ? [ofServer(guildId, interaction, context.credit)] : []),
      ofMember(guildId, interaction, context.credit),
    ]);
    await interaction.editReply({ embeds });
  },
} satisfies SlashCommand<CreditContext>;

/** For operators alone. Without the service there is still what was used. */
async function ofAccount(interaction: ChatInputCommandInteraction, { credit, signal }: CreditContext): Promise<APIEmbed> {
  const [record, use] = await Promise.all([
    credit.balance({ signal }).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    }),
    credit.useByGuild(DAYS),
  ]);
  const nameOf = (id: string) => interaction.client.guilds.cache.get(id)?.name ?? null;
  const byServer = useLines(use, nameOf, (used) => costOf(credit, used), DAYS);
  if (record instanceof ApiError) return embedOf(en.credit.title, [withoutBalance(record), ...byServer], ACCOUNT_LENGTH);
  const { account } = credit;
  const worth = { speech: account.worth('speech'), transcription: account.worth('transcription') };
  return creditEmbed(record, { ...account.used(), isOut: account.isOut(), worth }, byServer);
}

function withoutBalance(error: ApiError): string {
  const sentence = en.errors.api(error);
  return error.kind === 'unsupported' ? sentence : en.credit.balanceFailed(sentence);
}

async function ofServer(guildId: string, { user }: ChatInputCommandInteraction, credit: Credit): Promise<APIEmbed> {
  const [speech, transcription, use] = await Promise.all([...todayOf(guildId, user.id, credit), credit.useOf(guildId, DAYS)] as const);
  return embedOf(en.credit.thisServer, [
    ...(speech.guild ? [en.credit.budget('speech', speech.guild)] : []),
    ...(transcription.guild ? [en.credit.budget('transcription', transcription.guild)] : []),
    en.credit.serverUsage(DAYS, en.credit.usage(use, null)),
  ]);
}

async function ofMember(
  guildId: string | null,
  { user, createdTimestamp }: ChatInputCommandInteraction,
  credit: Credit,
): Promise<APIEmbed> {
  const [speech, transcription] = await Promise.all(todayOf(guildId, user.id, credit));
  return embedOf(en.credit.you, [
    en.credit.budget('speech', tightest(speech)),
    en.credit.budget('transcription', tightest(transcription)),
    // Nothing of what is switched off comes back with the next day.
    ...(tightest(speech).cap + tightest(transcription).cap > 0
      ? [en.credit.budgetsReset((Math.floor(createdTimestamp / DAY_MS) + 1) * DAY_MS)]
      : []),
  ]);
}

function todayOf(guildId: string | null, memberId: string, credit: Credit): [Promise<Today>, Promise<Today>] {
  return [credit.today('speech', { guildId, memberId }), credit.today('transcription', { guildId, memberId })];
}

/** The one of the member's two budgets, everywhere and here, of which less is left. */
function tightest({ member, memberHere }: Today) {
  return memberHere && memberHere.cap - memberHere.used < member.cap - member.used ? memberHere : member;
}

function costOf({ account }: Credit, { characters, seconds }: Use): number | null {
  const speech = characters > 0 ? account.costOf({ kind: 'speech', amount: characters }) : 0;
  const transcription = seconds > 0 ? account.costOf({ kind: 'transcription', amount: seconds }) : 0;
  return speech === null || transcription === null ? null : speech + transcription;
}
