// /credit: the balance and who uses it, for operators; usage and remaining budgets, for admins and members.
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
import type { CreditService, TodaysBudgets, Usage } from '../src/credit/index.ts';
import { ACCOUNT_LENGTH, creditEmbed, embedOf, usageLines } from '../src/credit/view.ts';
import { en } from '../src/locales/en/index.ts';

const DAYS = 30;
const DAY_MS = 24 * 3600_000;

interface CreditContext extends InteractionContext {
  credit: CreditService;
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
    // Servers that the bot isn't in have no budget: usage there counts as outside servers.
    const guildId = interaction.inCachedGuild() ? interaction.guildId : null;
    const isAdmin = guildId !== null && interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild);
    const isOperator = await context.isOperator(interaction.user.id);
    const embeds = await Promise.all([
      ...(isOperator ? [accountEmbed(interaction, context)] : []),
      ...(isAdmin ? [serverEmbed(guildId, interaction, context.credit)] : []),
      memberEmbed(guildId, interaction, context.credit),
    ]);
    await interaction.editReply({ embeds });
  },
} satisfies SlashCommand<CreditContext>;

/** For operators only. Usage is shown even if the balance can't be read. */
async function accountEmbed(interaction: ChatInputCommandInteraction, { credit, signal }: CreditContext): Promise<APIEmbed> {
  const [record, usage] = await Promise.all([
    credit.fetchBalance({ signal }).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    }),
    credit.usageByGuild(DAYS),
  ]);
  const nameOf = (id: string) => interaction.client.guilds.cache.get(id)?.name ?? null;
  const byServer = usageLines(usage, nameOf, (used) => costOf(credit, used), DAYS);
  if (record instanceof ApiError) return embedOf(en.credit.title, [withoutBalance(record), ...byServer], ACCOUNT_LENGTH);
  const { account } = credit;
  const affordable = { speech: account.affordable('speech'), transcription: account.affordable('transcription') };
  return creditEmbed(record, { ...account.usedSinceTopUp(), isUsedUp: account.isUsedUp(), affordable }, byServer);
}

function withoutBalance(error: ApiError): string {
  const sentence = en.errors.api(error);
  return error.kind === 'unsupported' ? sentence : en.credit.balanceFailed(sentence);
}

async function serverEmbed(guildId: string, { user }: ChatInputCommandInteraction, credit: CreditService): Promise<APIEmbed> {
  const [speech, transcription, usage] = await Promise.all([
    ...todaysBudgets(guildId, user.id, credit),
    credit.usageOf(guildId, DAYS),
  ] as const);
  return embedOf(en.credit.thisServer, [
    ...(speech.guild ? [en.credit.budget('speech', speech.guild)] : []),
    ...(transcription.guild ? [en.credit.budget('transcription', transcription.guild)] : []),
    en.credit.serverUsage(DAYS, en.credit.usage(usage, null)),
  ]);
}

async function memberEmbed(
  guildId: string | null,
  { user, createdTimestamp }: ChatInputCommandInteraction,
  credit: CreditService,
): Promise<APIEmbed> {
  const [speech, transcription] = await Promise.all(todaysBudgets(guildId, user.id, credit));
  return embedOf(en.credit.you, [
    en.credit.budget('speech', tightest(speech)),
    en.credit.budget('transcription', tightest(transcription)),
    // A budget that is switched off doesn't reset.
    ...(tightest(speech).cap + tightest(transcription).cap > 0
      ? [en.credit.budgetsReset((Math.floor(createdTimestamp / DAY_MS) + 1) * DAY_MS)]
      : []),
  ]);
}

function todaysBudgets(guildId: string | null, memberId: string, credit: CreditService): [Promise<TodaysBudgets>, Promise<TodaysBudgets>] {
  return [credit.todaysBudgets('speech', { guildId, memberId }), credit.todaysBudgets('transcription', { guildId, memberId })];
}

/** Of the member's two budgets, everywhere and here, the one with less left. */
function tightest({ member, memberHere }: TodaysBudgets) {
  return memberHere && memberHere.cap - memberHere.used < member.cap - member.used ? memberHere : member;
}

function costOf({ account }: CreditService, { characters, seconds }: Usage): number | null {
  const speech = characters > 0 ? account.costOf({ kind: 'speech', amount: characters }) : 0;
  const transcription = seconds > 0 ? account.costOf({ kind: 'transcription', amount: seconds }) : 0;
  return speech === null || transcription === null ? null : speech + transcription;
}
