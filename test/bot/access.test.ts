// Who may spend credit, where, and how fast.
import { type Interaction, PermissionFlagsBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChannelKindLookup,
  createAccess,
  createCooldown,
  findRefusal,
  findVoiceRefusal,
  type Requester,
} from '../../src/discord/access.ts';
import { UserError } from '../../src/discord/errors.ts';
import { en } from '../../src/locales/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSettings, type GuildSettings } from '../../src/store/settings.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { filesOf, type Member, textOf } from '../helpers/member.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const sam: Requester = { userId: 'sam', roleIds: ['everyone', 'singers'], isAdmin: false, channelIds: ['general'] };
const admin: Requester = { ...sam, userId: 'robin', isAdmin: true };
const noRules = { roles: [], channels: [], voiceChannels: [], muted: [] };
const kindOf: ChannelKindLookup = (id) => {
  if (id.startsWith('deleted')) return null;
  return id.startsWith('voice') ? 'voice' : 'text';
};

describe('the rules of a server', () => {
  it('allow everybody everywhere by default', () => {
    expect(findRefusal(sam, noRules, 'speech', kindOf)).toBeNull();
    expect(findVoiceRefusal('voice-1', false, noRules, kindOf)).toBeNull();
  });

  it('are for members with one of the roles', () => {
    expect(findRefusal(sam, { ...noRules, roles: ['1', 'singers'] }, 'speech', kindOf)).toBeNull();
    const sentence = findRefusal(sam, { ...noRules, roles: ['1', '2'] }, 'transcription', kindOf);
    expect(sentence?.(en)).toBe('Only members with <@&1> or <@&2> can use me here. A server admin can give you the role.');
  });

  it('stay closed when the only role was deleted', () => {
    expect(findRefusal(sam, { ...noRules, roles: ['deleted'] }, 'speech', kindOf)).not.toBeNull();
  });

  it('limit text channels if one is listed, and voice channels if one is', () => {
    expect(findRefusal(sam, { ...noRules, channels: ['general'] }, 'speech', kindOf)).toBeNull();
    expect(findRefusal(sam, { ...noRules, channels: ['bots'] }, 'speech', kindOf)?.(en)).toContain('I only work in <#bots> here');
    expect(findRefusal(sam, { ...noRules, channels: ['voice-1'] }, 'speech', kindOf)).toBeNull();
    expect(findVoiceRefusal('voice-2', false, { ...noRules, channels: ['bots'] }, kindOf)).toBeNull();
    expect(findVoiceRefusal('voice-1', false, { ...noRules, channels: ['voice-1'] }, kindOf)).toBeNull();
    expect(findVoiceRefusal('voice-2', false, { ...noRules, channels: ['voice-1'] }, kindOf)?.(en)).toContain(
      'I only speak in <#voice-1> here',
    );
  });

  it('still limit only voice after a voice channel was deleted, and name the remaining ones', () => {
    const rules = { ...noRules, channels: ['general', 'deleted-voice'], voiceChannels: ['deleted-voice'] };
    expect(findRefusal(sam, { ...rules, channels: ['deleted-voice'] }, 'speech', kindOf)).toBeNull();
    expect(findRefusal(sam, rules, 'speech', kindOf)).toBeNull();
    expect(findVoiceRefusal('voice-1', false, rules, kindOf)?.(en)).toContain(en('access.voiceChannelsGone'));
    const one = { ...rules, channels: ['deleted-voice', 'voice-2'] };
    expect(findVoiceRefusal('voice-1', false, one, kindOf)?.(en)).toContain('I only speak in <#voice-2> here');
    expect(findVoiceRefusal('voice-1', true, rules, kindOf)).toBeNull();
  });

  it('still limit only text after a text channel was deleted, and name the remaining ones', () => {
    const rules = { ...noRules, channels: ['deleted', 'voice-1'] };
    expect(findRefusal(sam, rules, 'speech', kindOf)?.(en)).toContain(en('access.channelsGone'));
    expect(findRefusal(sam, { ...rules, channels: ['deleted', 'bots'] }, 'speech', kindOf)?.(en)).toContain('I only work in <#bots> here');
    expect(findRefusal(admin, rules, 'speech', kindOf)).toBeNull();
    expect(findVoiceRefusal('voice-1', false, rules, kindOf)).toBeNull();
    expect(findVoiceRefusal('voice-2', false, { ...rules, channels: ['deleted'] }, kindOf)).toBeNull();
  });

  it('hold in a thread as in the channel it is in', () => {
    expect(findRefusal({ ...sam, channelIds: ['thread', 'bots'] }, { ...noRules, channels: ['bots'] }, 'speech', kindOf)).toBeNull();
  });

  it('do not bind admins', () => {
    expect(findRefusal(admin, { ...noRules, roles: ['1'], channels: ['bots'] }, 'speech', kindOf)).toBeNull();
    expect(findVoiceRefusal('voice-2', true, { ...noRules, channels: ['voice-1'] }, kindOf)).toBeNull();
  });

  it('refuse only /say to muted members', () => {
    expect(findRefusal(sam, { ...noRules, muted: ['sam'] }, 'speech', kindOf)?.(en)).toContain('switched `/say` off for you');
    expect(findRefusal(sam, { ...noRules, muted: ['sam'] }, 'transcription', kindOf)).toBeNull();
    const muted = findRefusal(admin, { ...noRules, muted: ['robin'] }, 'speech', kindOf)?.(en);
    expect(muted).toBe('`/say` is switched off for you here. You can switch it back on in `/settings`.');
  });
});

describe('the cooldown', () => {
  it('lets each member run a handful of commands immediately, then one after the other', () => {
    let now = 1_000_000;
    const take = createCooldown({ burst: 5, perMs: 10_000 }, () => now);
    for (let count = 0; count < 5; count++) expect(take('sam')).toBeNull();
    expect(take('sam')).toBe(now + 2_000);
    expect(take('robin')).toBeNull();
    now += 1_999;
    expect(take('sam')).toBe(now + 1);
    now += 1;
    expect(take('sam')).toBeNull();
    expect(take('sam')).toBe(now + 2_000);
    now += 10_000;
    for (let count = 0; count < 5; count++) expect(take('sam')).toBeNull();
    expect(take('sam')).not.toBeNull();
  });

  it('lets each member import a file every 30 seconds', async () => {
    let now = 1_000_000;
    const access = createAccess({ now: () => now });
    const settings = createSettings(openSqliteStore(':memory:'));
    const send = (id: string) => access.check({ user: { id } } as Interaction, { readsFile: true }, settings);
    await send('sam');
    await send('robin');
    now += 29_999;
    await expect(send('sam')).rejects.toThrow(UserError);
    now += 1;
    await send('sam');
  });

  it('forgets members whose allowance is full again', () => {
    let now = 0;
    const take = createCooldown({ burst: 1, perMs: 10 }, () => now);
    for (let id = 0; id < 5_000; id++) {
      now += 1;
      expect(take(String(id))).toBeNull();
    }
    expect(take('4999')).not.toBeNull();
  });
});

describe('a command that costs credit', () => {
  let service: TestVoiceService;
  let parley: Parley;

  const change = (changes: Partial<GuildSettings>) =>
    createSettings(parley.store).changeGuild(parley.discord.guildId, (before) => ({ ...before, ...noRules, ...changes }));
  const refused = async () => (await parley.other.run('say', { text: 'Hello', send_as: 'file' })).sentence();

  beforeAll(async () => {
    service = await startTestVoiceService();
    parley = await startParley({ service, cooldown: { burst: 6, perMs: 3_600_000 } });
  });
  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  it('is refused by what admins have chosen, from the very next time, and costs the member nothing', async () => {
    const { discord, other } = parley;
    const role = discord.addRole('Singers', PermissionFlagsBits.ViewChannel);
    await change({ roles: [role] });
    expect(await refused()).toContain(`<@&${role}>`);
    await change({ channels: [discord.channelId('random')] });
    expect(await refused()).toContain(`<#${discord.channelId('random')}>`);
    await change({ muted: [other.client.userId] });
    expect(await refused()).toContain('switched `/say` off');
    discord.setRoles(other.client.userId, [role]);
    await change({ roles: [role], channels: [discord.channelId('general')] });
    const interaction = await other.run('say', { text: 'Hello', send_as: 'file' });
    await interaction.message((message) => filesOf(message).length > 0);
  });

  it('speaks only in the voice channels that admins have chosen, and so do its buttons', async () => {
    const { discord, other } = parley;
    await other.listen();
    await change({ channels: [discord.channelId('Workshop')] });
    const elsewhere = await other.run('say', { text: 'Hello' });
    expect(await elsewhere.sentence()).toContain(`I only speak in <#${discord.channelId('Workshop')}>`);
    await change({ channels: [discord.channelId('Lounge')] });
    const interaction = await other.run('say', { text: 'Hello' });
    const spoken = await interaction.message((message) => textOf(message).includes('Spoken'));
    const form = await (await other.select(spoken, en('say.moreMenu'), en('say.sayMore'))).modal();
    await change({ muted: [other.client.userId] });
    expect(await (await other.select(spoken, en('say.moreMenu'), en('say.replay'))).sentence()).toContain('switched `/say` off');
    expect(await (await other.submitModal(form, { text: 'More' })).sentence()).toContain('switched `/say` off');
    // Before anything is typed for nothing.
    expect(await (await other.select(spoken, en('say.moreMenu'), en('say.sayMore'))).sentence()).toContain('switched `/say` off');
    await change({ channels: [discord.channelId('Workshop')] });
    expect(await (await other.select(spoken, en('say.moreMenu'), en('say.sayMore'))).sentence()).toContain('I only speak in');
    await other.leaveVoice();
  });

  it('is spoken nowhere else when the voice channel that admins have chosen is deleted', async () => {
    const { discord, other } = parley;
    const [random, workshop] = [discord.channelId('random'), discord.channelId('Workshop')];
    const aloud = async (member: Member) => (await member.run('say', { text: 'Hello' })).sentence();
    await other.listen();
    await change({ channels: [random, workshop], voiceChannels: [workshop] });
    expect(await aloud(other)).toContain(`I only work in <#${random}>`);
    discord.deleteChannel(workshop);
    expect(await aloud(other)).toContain(`I only work in <#${random}>`);
    expect(await aloud(other.inChannel(random))).toContain(en('access.voiceChannelsGone'));
    await change({ channels: [workshop], voiceChannels: [workshop] });
    expect(await aloud(other)).toContain('pick others in `/settings`');
    await (await other.run('say', { text: 'Hello', send_as: 'file' })).message((message) => filesOf(message).length > 0);
    await other.leaveVoice();
  });

  it('shares its rules about roles and channels with those that cost nothing and are seen by others', async () => {
    const { discord, other } = parley;
    const role = discord.addRole('Choir', PermissionFlagsBits.ViewChannel);
    const names = ['queue', 'skip', 'stop', 'leave'];
    for (const name of names) {
      await change({ roles: [role] });
      expect(await (await other.run(name)).sentence()).toContain(`<@&${role}>`);
      await change({ channels: [discord.channelId('random')] });
      expect(await (await other.run(name)).sentence()).toContain(`<#${discord.channelId('random')}>`);
    }
    // Members who may not speak a text can still stop speech.
    await change({ muted: [other.client.userId] });
    expect(await (await other.run('stop')).sentence()).toContain(en('queue.empty'));
  });

  it('is asked for a few times, and then not before some time has passed', async () => {
    const { member } = parley;
    await change({});
    const interactions = [];
    for (let count = 0; count < 7; count++) interactions.push(await member.run('say', { text: `Hello ${count}`, send_as: 'file' }));
    for (const one of interactions.slice(0, 6)) await one.message((message) => filesOf(message).length > 0);
    expect(await interactions[6]?.sentence()).toMatch(/a bit too fast for me.*<t:\d+:R>/);
  });

  it('doesn’t count towards the cooldown of imported files, which is asked before their form opens', async () => {
    const { member } = parley;
    for (let count = 0; count < 6; count++) {
      const form = await member.run('dictionary import');
      const sent = await member.submitModal(form, { file: member.upload('words.csv', Buffer.from('gif,jif\n')) });
      expect(await sent.sentence()).toContain('Imported');
    }
    expect(await (await member.run('dictionary import')).sentence()).toMatch(/a bit too fast for me.*<t:\d+:R>/);
  });
});

describe('free calls to the voice service', () => {
  it('is asked for a few times, and then not before some time has passed, while speech is still asked for', async () => {
    const service = await startMisbehavingService(answerJson(200, { total: 12, items: [modelOnWire('v')] }));
    const parley = await startParley({ service: { url: service.url, key: 'key' }, cooldown: { burst: 3, perMs: 3_600_000 } });
    try {
      const { member, other } = parley;
      const interaction = await member.run('voices');
      const first = await interaction.message((message) => textOf(message).includes('page 1 of 3'));
      await member.click(first, 'Next');
      const second = await interaction.message((message) => textOf(message).includes('page 2 of 3'));
      await member.select(second, en('voices.open'), 'v');
      const open = await interaction.message((message) => textOf(message).includes('## v'));
      const asks = () => service.requests.filter(({ url }) => url.includes('sort_by=score')).length;
      const before = asks();
      const tooFast = /a bit too fast for me.*<t:\d+:R>/;
      for (const label of ['Back', en('voices.choices.mine.off')])
        expect(await (await member.click(open, label)).sentence()).toMatch(tooFast);
      for (const command of ['voices', 'status']) expect(await (await member.run(command)).sentence()).toMatch(tooFast);
      expect(asks()).toBe(before);
      await (await other.run('voices')).message((message) => textOf(message).includes('page 1 of 3'));
      expect(await (await member.run('say', { text: 'Hello', send_as: 'file' })).sentence()).not.toMatch(tooFast);
    } finally {
      await parley.close();
      await service.close();
    }
  });
});
