// /credit: the balance and who uses it for whoever pays; what a server and a member have used and have left for them.
import {
  type APIEmbed,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type ChatInputCommandInteraction,
  escapeMarkdown,
  InteractionContextType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord.js';
import { ApiError, type Credit as WalletRecord } from '../src/api/index.ts';
import type { Context, SlashCommand } from '../src/command.ts';
import type { Credit, Today, Use, Worth } from '../src/credit/index.ts';
import { COLOR, limits, truncate } from '../src/embed.ts';
import { apiSentence, sentences } from '../src/sentences/index.ts';

const DAYS = 30;
/** Servers that are shown by name. */
const SHOWN = 10;
const DAY_MS = 24 * 3600_000;

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
} satisfies SlashCommand;

/** For operators alone. Without the service there is still what was used. */
async function ofAccount(interaction: ChatInputCommandInteraction, { credit, signal }: Context): Promise<APIEmbed> {
  const [record, use] = await Promise.all([
    credit.balance({ signal }).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    }),
    credit.useByGuild(DAYS),
  ]);
  const nameOf = (id: string) => interaction.client.guilds.cache.get(id)?.name ?? null;
  const byServer = useLines(use, nameOf, (used) => costOf(credit, used));
  if (record instanceof ApiError) return embedOf(sentences.creditTitle, [sentences.balanceFailed(apiSentence(record)), ...byServer]);
  const { account } = credit;
  const worth = { speech: account.worth('speech'), transcription: account.worth('transcription') };
  return creditEmbed(record, { ...account.used(), isOut: account.isOut(), worth }, byServer);
}

async function ofServer(guildId: string, { user }: ChatInputCommandInteraction, credit: Credit): Promise<APIEmbed> {
  const [speech, transcription, use] = await Promise.all([...todayOf(guildId, user.id, credit), credit.useOf(guildId, DAYS)] as const);
  return embedOf(sentences.thisServer, [
    ...(speech.guild ? [sentences.budget('speech', speech.guild)] : []),
    ...(transcription.guild ? [sentences.budget('transcription', transcription.guild)] : []),
    sentences.useOfServer(DAYS, sentences.useOf(use, null)),
  ]);
}

async function ofMember(
  guildId: string | null,
  { user, createdTimestamp }: ChatInputCommandInteraction,
  credit: Credit,
): Promise<APIEmbed> {
  const [speech, transcription] = await Promise.all(todayOf(guildId, user.id, credit));
  return embedOf(sentences.you, [
    sentences.budget('speech', tightest(speech)),
    sentences.budget('transcription', tightest(transcription)),
    sentences.budgetsRenewed((Math.floor(createdTimestamp / DAY_MS) + 1) * DAY_MS),
  ]);
}

function todayOf(guildId: string | null, memberId: string, credit: Credit): [Promise<Today>, Promise<Today>] {
  return [credit.today('speech', { guildId, memberId }), credit.today('transcription', { guildId, memberId })];
}

/** The one of the member's two budgets, everywhere and here, of which less is left. */
function tightest({ member, memberHere }: Today) {
  return memberHere && memberHere.cap - memberHere.used < member.cap - member.used ? memberHere : member;
}

/** What is known of the account from memory; nothing yet where it is left out. */
export interface AccountFacts {
  part: number | null;
  changedAt: number | null;
  isOut: boolean;
  worth: { speech: Worth; transcription: Worth };
}

/** The balance is a decimal string of unknown unit, and shown as it is. */
export function creditEmbed(
  { credit, updatedAt, hasFreeCredit }: WalletRecord,
  facts?: AccountFacts,
  useByServer: string[] = [],
): APIEmbed {
  const updated = updatedAt === null ? Number.NaN : Date.parse(updatedAt);
  const changedAt = Number.isNaN(updated) ? (facts?.changedAt ?? null) : updated;
  const part = facts?.part ?? null;
  const lines = [
    ...(facts?.isOut ? [sentences.outOfCredit] : []),
    ...(changedAt === null ? [] : [sentences.changedAt(changedAt)]),
    ...(hasFreeCredit === true ? [sentences.freeCredit] : []),
    ...(facts ? [sentences.worth(facts.worth.speech, facts.worth.transcription)] : []),
    ...(part === null ? [] : [sentences.usedPart(part)]),
  ];
  return { ...embedOf(sentences.creditTitle, [...lines, ...useByServer]), title: truncate(credit.trim() || '?', limits.embedTitle) };
}

/** The servers that used most, those that used less together, and what was used outside of servers. */
export function useLines(
  use: Map<string | null, Use>,
  nameOf: (guildId: string) => string | null,
  costOf: (use: Use) => number | null,
): string[] {
  if (use.size === 0) return ['', sentences.noUse(DAYS)];
  const all = sum([...use.values()]);
  // Where prices are not known yet, by the share in what was spoken and transcribed.
  const weight = (one: Use) => costOf(one) ?? one.characters / Math.max(1, all.characters) + one.seconds / Math.max(1, all.seconds);
  const sorted = [...use].sort(([, a], [, b]) => weight(b) - weight(a));
  const line = (name: string, used: Use) => sentences.useLine(name, sentences.useOf(used, costOf(used)));
  const named = (id: string | null) => {
    if (id === null) return sentences.outsideOfServers;
    const name = nameOf(id);
    return name === null ? sentences.unknownServer(id) : escapeMarkdown(truncate(name, 40));
  };
  const rest = sorted.slice(SHOWN).map(([, used]) => used);
  return [
    '',
    sentences.useByServer(DAYS),
    ...sorted.slice(0, SHOWN).map(([id, used]) => line(named(id), used)),
    ...(rest.length > 0 ? [line(sentences.otherServers(rest.length), sum(rest))] : []),
  ];
}

function costOf({ account }: Credit, { characters, seconds }: Use): number | null {
  const speech = characters > 0 ? account.costOf({ kind: 'speech', amount: characters }) : 0;
  const transcription = seconds > 0 ? account.costOf({ kind: 'transcription', amount: seconds }) : 0;
  return speech === null || transcription === null ? null : speech + transcription;
}

function sum(uses: Use[]): Use {
  const total = { characters: 0, seconds: 0, times: 0 };
  for (const { characters, seconds, times } of uses) {
    total.characters += characters;
    total.seconds += seconds;
    total.times += times;
  }
  return total;
}

function embedOf(name: string, lines: string[]): APIEmbed {
  return { color: COLOR, author: { name }, description: truncate(lines.join('\n'), 2500) };
}
