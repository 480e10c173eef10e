// /credit: the balance and who uses it, for operators; use and remaining budgets, for admins and members.
import {
  type APIContainerComponent,
  type APIGuild,
  ApplicationCommandType,
  type ChatInputCommandInteraction,
  type Client,
  MessageFlags,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';
import { ApiError } from '../src/api/index.ts';
import { type CreditService, type DailyUsage, sumUsage, type TodaysBudgets, type Usage } from '../src/charging/index.ts';
import { renderChart } from '../src/credit/chart.ts';
import { accountCard, type Budgets, memberCard, type RankedUsage, rankUsage, serverCard, usageLines } from '../src/credit/view.ts';
import { asEdit, cards } from '../src/discord/cards.ts';
import { EVERYWHERE, type InteractionContext, type SlashCommand } from '../src/discord/command.ts';
import { apiSentence, describeError } from '../src/discord/errors.ts';
import type { IsOperator } from '../src/discord/operators.ts';
import { described } from '../src/locales/command-texts.ts';
import type { Translator } from '../src/locales/index.ts';

const DAYS = 30;
const DAY_MS = 24 * 3600_000;

interface CreditContext extends InteractionContext {
  credit: CreditService;
  isOperator: IsOperator;
  /** Returns those of the guilds that the bot is in, on any shard. @throws StoreError */
  stillIn(ids: string[]): Promise<Set<string>>;
}

/** A card, and the picture in it. */
interface Part {
  card: APIContainerComponent;
  files: { attachment: Buffer; name: string }[];
}

export const credit = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'credit',
    ...described('commands.credit.description'),
    ...EVERYWHERE,
  },
  async run(interaction, context) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    // Servers that the bot isn't in have no budget: usage there counts as outside servers.
    const guildId = interaction.inCachedGuild() ? interaction.guildId : null;
    const isAdmin = guildId !== null && interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild);
    const isOperator = await context.isOperator(interaction.user.id);
    const parts = await Promise.all([
      ...(isOperator ? [accountPart(interaction, context)] : []),
      ...(isAdmin ? [serverPart(guildId, interaction, context)] : []),
      memberPart(guildId, interaction, context),
    ]);
    const message = cards(...parts.map(({ card }) => card));
    await interaction.editReply({ ...asEdit(message), files: parts.flatMap(({ files }) => files) });
  },
} satisfies SlashCommand<CreditContext>;

/** For operators only. Usage is shown even if the balance can't be read. */
async function accountPart(interaction: ChatInputCommandInteraction, context: CreditContext): Promise<Part> {
  const { credit, signal, t } = context;
  const [wallet, usage, chart] = await Promise.all([
    credit.fetchBalance({ signal }).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    }),
    credit.usageByGuild(DAYS),
    drawChart('all', 'use.png', context),
  ]);
  const { account } = credit;
  const facts = {
    ...account.usedSinceTopUp(),
    isUsedUp: account.isUsedUp(),
    unbooked: account.unbooked(),
    daysLeft: account.daysLeft(),
    affordable: {
      speech: affordableCharacters(account.affordable('speech'), usage.values()),
      transcription: account.affordable('transcription'),
    },
  };
  const balance = wallet instanceof ApiError ? { problem: withoutBalance(t, wallet) } : { wallet, facts };
  const price = (used: Usage) => costOf(credit, used);
  const ids = [...usage.keys()].filter((id) => id !== null);
  const ranked = rankUsage(usage, await context.stillIn(ids), price);
  const servers = usageLines(t, ranked, await namesOf(interaction.client, ranked), price);
  return { card: accountCard(t, balance, servers, chart?.shown ?? null, DAYS), files: chart ? [chart.file] : [] };
}

/** The names of the servers with the most use. Discord is asked for those on other processes' shards. */
async function namesOf({ guilds, rest }: Client, { top }: RankedUsage): Promise<Map<string, string>> {
  const named = await Promise.all(
    top.map(async ([id]): Promise<[string, string][]> => {
      if (id === null) return [];
      const cachedName = guilds.cache.get(id)?.name;
      const name =
        cachedName ??
        (await rest.get(Routes.guild(id)).then(
          (guild) => (guild as APIGuild).name,
          () => null,
        ));
      return name === null ? [] : [[id, name]];
    }),
  );
  return new Map(named.flat());
}

function withoutBalance(t: Translator, error: ApiError): string {
  const sentence = apiSentence(t, error);
  return error.kind === 'unsupported' ? sentence : t('credit.balanceFailed', { reason: sentence });
}

async function serverPart(guildId: string, { user }: ChatInputCommandInteraction, context: CreditContext): Promise<Part> {
  const { credit, t } = context;
  const [speech, transcription, usage, chart] = await Promise.all([
    ...todaysBudgets(guildId, user.id, credit),
    credit.usageOf(guildId, DAYS),
    drawChart(guildId, 'use-here.png', context),
  ] as const);
  const budgets: Budgets = [
    ...(speech.guild ? [['speech', speech.guild] as const] : []),
    ...(transcription.guild ? [['transcription', transcription.guild] as const] : []),
  ];
  return { card: serverCard(t, budgets, usage, chart?.shown ?? null, DAYS), files: chart ? [chart.file] : [] };
}

async function memberPart(
  guildId: string | null,
  { user, createdTimestamp }: ChatInputCommandInteraction,
  { credit, t }: CreditContext,
): Promise<Part> {
  const [speech, transcription] = await Promise.all(todaysBudgets(guildId, user.id, credit));
  const budgets: Budgets = [
    ['speech', tightest(speech)],
    ['transcription', tightest(transcription)],
  ];
  return { card: memberCard(t, budgets, (Math.floor(createdTimestamp / DAY_MS) + 1) * DAY_MS), files: [] };
}

/** Null if nothing was used, or the picture can't be drawn, in which case the words have to do. */
async function drawChart(guildId: string | 'all', name: string, { credit, log }: CreditContext) {
  const days: DailyUsage[] = await credit.dailyUsage(guildId, DAYS);
  if (days.every(({ times }) => times === 0)) return null;
  try {
    return { file: { attachment: await renderChart(days), name }, shown: { name, days } };
  } catch (error) {
    log.warn(describeError(error), 'could not draw the chart of usage');
    return null;
  }
}

function todaysBudgets(guildId: string | null, memberId: string, credit: CreditService): [Promise<TodaysBudgets>, Promise<TodaysBudgets>] {
  return [credit.todaysBudgets('speech', { guildId, memberId }), credit.todaysBudgets('transcription', { guildId, memberId })];
}

/** The one of the member's two budgets, everywhere and here, with less left. */
function tightest({ member, memberHere }: TodaysBudgets) {
  return memberHere && memberHere.cap - memberHere.used < member.cap - member.used ? memberHere : member;
}

function costOf({ account }: CreditService, { bytes, billedSeconds }: Usage): number | null {
  const speech = bytes > 0 ? account.costOf({ kind: 'speech', billed: bytes }) : 0;
  const transcription = billedSeconds > 0 ? account.costOf({ kind: 'transcription', billed: billedSeconds }) : 0;
  return speech === null || transcription === null ? null : speech + transcription;
}

/**
 * Characters that the balance pays for. In a script whose characters take several bytes, fewer are affordable: bytes are converted as in
 * what was spoken so far.
 */
function affordableCharacters(bytes: number | null, used: Iterable<Usage>): number | null {
  const total = sumUsage(used);
  return bytes === null || total.bytes === 0 ? bytes : (bytes * total.characters) / total.bytes;
}
