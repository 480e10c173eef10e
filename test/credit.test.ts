// /credit: the balance for whoever pays, a server's use for its admins, and everybody's own; messages to operators; used-up credit.
import { ChannelType, PermissionFlagsBits, TeamMemberMembershipState, TeamMemberRole } from 'discord.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../src/log.ts';
import { createOperators } from '../src/operators.ts';
import { isEphemeral, type Member, shown } from './helpers/member.ts';
import { startParley, useParley } from './helpers/parley.ts';
import { startTestVoiceService } from './helpers/voice-service.ts';

/** All the embeds of the answer, by their headlines. */
async function creditOf(member: Member): Promise<Record<string, string>> {
  const reply = await (await member.run('credit')).message((message) => message.embeds.length > 0);
  expect(isEphemeral(reply)).toBe(true);
  return Object.fromEntries(
    reply.embeds.map(({ author, title, description }) => [author?.name, [title, description].filter(Boolean).join('\n')]),
  );
}

describe('/credit', () => {
  const parley = useParley({ credit: '12.3400' });

  it('shows the balance as the service gives it to the owner of the application', async () => {
    const { credit } = await parley.api.getCredit();
    const answer = await creditOf(parley.member);
    expect(answer.Credit).toMatch(new RegExp(`^${credit}\n`));
    expect(answer.Credit).toMatch(/Last changed <t:\d+:R>/);
    expect(answer.Credit).toContain('not known yet');
  });

  it('shows a member what is their own, and nothing of the balance or of the server', async () => {
    const answer = await creditOf(parley.other);
    expect(Object.keys(answer)).toEqual(['You']);
    expect(answer.You).toContain('Today: 0 characters of speech, of a budget of 20,000 characters of speech');
    expect(answer.You).toContain('120 minutes of transcription');
    expect(answer.You).not.toContain('12.34');
  });
});
