// /credit: the balance for whoever pays, a reason for everybody else.
import { TeamMemberMembershipState, TeamMemberRole } from 'discord.js';
import { expect, it } from 'vitest';
import { isEphemeral } from './helpers/member.ts';
import { startParley, useParley } from './helpers/parley.ts';
import { startTestVoiceService } from './helpers/voice-service.ts';

const parley = useParley({ credit: '12.3400' });

it('shows the balance as the service gives it, to the owner of the application alone', async () => {
  const { credit } = await parley.api.getCredit();
  const asked = await parley.member.run('credit');
  const reply = await asked.message((message) => message.embeds.length > 0);
  expect(isEphemeral(reply)).toBe(true);
  expect(reply.embeds[0]?.title).toBe(credit);
  expect(reply.embeds[0]?.description).toMatch(/Last changed <t:\d+:R>/);
});

it('tells anybody else why not', async () => {
  const asked = await parley.other.run('credit');
  expect(await asked.sentence()).toContain('the money of whoever runs me');
  expect(asked.messages().every(isEphemeral)).toBe(true);
});

it('shows it to the members of the team that owns the application, not to those who were only asked to join', async () => {
  const { discord, member, other } = parley;
  const { application } = discord.world;
  const inTeam = (userId: string, membership_state: TeamMemberMembershipState) => ({
    ...{ membership_state, team_id: '1', role: TeamMemberRole.Developer, permissions: ['*'] as ['*'] },
    user: discord.world.users.get(userId) ?? application.user,
  });
  application.team = {
    ...{ id: '1', name: 'A team', icon: null, owner_user_id: other.client.userId },
    members: [
      inTeam(other.client.userId, TeamMemberMembershipState.Accepted),
      inTeam(member.client.userId, TeamMemberMembershipState.Invited),
    ],
  };
  await parley.restartBot();
  const shown = await other.run('credit');
  await shown.message((message) => message.embeds.length > 0);
  const refused = await member.run('credit');
  expect(await refused.sentence()).toContain('the money of whoever runs me');
});

it('shows it to those in OPERATOR_IDS', async () => {
  const service = await startTestVoiceService();
  const second = await startParley({ service, operatorsAreOthers: true });
  try {
    const asked = await second.other.run('credit');
    await asked.message((message) => message.embeds.length > 0);
  } finally {
    await second.close();
    await service.close();
  }
});
