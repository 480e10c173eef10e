// /credit: the balance at the voice service, for whoever pays for it.
import { type APIEmbed, ApplicationCommandType, MessageFlags, TimestampStyles, time } from 'discord.js';
import type { Credit } from '../src/api/index.ts';
import { type SlashCommand, UserError } from '../src/command.ts';
import { COLOR, limits, truncate } from '../src/embed.ts';
import { sentences } from '../src/sentences/index.ts';

export const credit = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'credit',
    description: 'Show what is left to spend at the voice service (for whoever runs me)',
  },
  async run(interaction, { api, isOperator, signal }) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    if (!(await isOperator(interaction.user.id))) throw new UserError(sentences.creditForOperators);
    await interaction.editReply({ embeds: [creditEmbed(await api.getCredit({ signal }))] });
  },
} satisfies SlashCommand;

/** The balance is a decimal string of unknown unit, and shown as it is. */
export function creditEmbed({ credit, updatedAt, hasFreeCredit }: Credit): APIEmbed {
  const changed = updatedAt === null ? Number.NaN : Date.parse(updatedAt);
  const lines = [
    Number.isNaN(changed)
      ? null
      : `Last changed ${moment(changed, TimestampStyles.RelativeTime)}, ${moment(changed, TimestampStyles.LongDateTime)}`,
    hasFreeCredit === true ? 'Free credit is left.' : null,
  ];
  return {
    color: COLOR,
    author: { name: 'Credit' },
    title: truncate(credit.trim() || '?', limits.embedTitle),
    description: lines.filter((line) => line !== null).join('\n'),
  };
}

function moment(milliseconds: number, style: 'R' | 'F'): string {
  return time(Math.floor(milliseconds / 1000), style);
}
