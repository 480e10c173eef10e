// What a process of the bot leaves to another one is spoken before what was said to that one.
import { ApplicationCommandType, ApplicationIntegrationType, InteractionType } from 'discord.js';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createHandovers } from '../../src/discord/handovers.ts';
import { createSpeaking } from '../../src/discord/speaking.ts';
import type { Log } from '../../src/log.ts';
import { createPeerRpc, type PeerRpc } from '../../src/processes/peer-rpc.ts';
import type { SharedShards } from '../../src/processes/processes.ts';
import type { SayContext } from '../../src/say/context.ts';
import { resumeSpeaking } from '../../src/say/say.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';
import { openVoiceFixture } from '../helpers/voice-fixture.ts';

const interactionIn = (guildId: string) => ({
  ...{ type: InteractionType.ApplicationCommand, id: '5', token: 'token', application_id: '6', version: 1, guild_id: guildId },
  ...{ user: { id: '7', username: 'robin', discriminator: '0', global_name: null, avatar: null }, app_permissions: '0', locale: 'en-GB' },
  ...{ entitlements: [], authorizing_integration_owners: { [ApplicationIntegrationType.GuildInstall]: guildId } },
  data: { id: '0', name: 'say', type: ApplicationCommandType.ChatInput },
});

type Resume = Parameters<typeof createHandovers>[0]['resume'];

/** Of a process that has every shard; what it logs is in `lines`. */
async function openHandovers(
  resume: (...given: [...Parameters<Resume>, log: Log]) => ReturnType<Resume>,
  wrapStore = (store: Store) => store,
) {
  const { client, sessions, discord, lounge } = await openVoiceFixture();
  const store = wrapStore(openSqliteStore(':memory:'));
  onTestFinished(() => store.close());
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const handovers = createHandovers({
    ...{ client, sessions, store, token: 'token', log, leases: { has: () => true } },
    resume: (...given) => resume(...given, log),
  });
  return { discord, lounge, sessions, store, handovers, log, lines };
}

it('joins a voice channel only once all that was left for that server is queued', async () => {
  const events: string[] = [];
  const resumed = Promise.withResolvers<void>();
  const queued = Promise.withResolvers<void>();
  const { discord, store, handovers } = await openHandovers(async (interaction, utterance, claim) => {
    expect(await claim()).toBe(true);
    events.push(`${interaction.id} resumed with ${JSON.stringify(utterance)}`);
    resumed.resolve();
    await queued.promise;
    events.push('queued');
  });
  const interaction = interactionIn(discord.guildId);
  await store.set(`handover:${discord.guildId}:5`, handovers.seal({ interaction, utterance: { text: 'Hello' } }));
  await store.set('handover:1:8', handovers.seal({ interaction, utterance: { text: 'Of another server' } }));

  const permit = handovers.inTurn(async () => {
    events.push('permitted');
    return () => {};
  });
  const joined = permit(discord.guildId, new AbortController().signal).then(() => events.push('joined'));
  await resumed.promise;
  // Whoever looks meanwhile takes nothing twice.
  const again = handovers.take();
  queued.resolve();
  await Promise.all([joined, again]);
  expect(events).toEqual(['permitted', '5 resumed with {"text":"Hello"}', 'queued', 'joined']);
  expect((await store.list('handover:')).map(([name]) => name)).toEqual(['handover:1:8']);
});

it('notes where the bot stays though the store is away when the server moves to another process', async () => {
  let isAway = true;
  const { discord, lounge, sessions, store, handovers } = await openHandovers(
    async () => {},
    (own) => ({
      ...own,
      async set(...given) {
        if (!isAway) return own.set(...given);
        isAway = false;
        throw new StoreError('the store is away');
      },
    }),
  );
  sessions.join(lounge).setStay(true);
  await handovers.keepStaying(lounge.guild.shardId);
  expect((await store.list('handover:')).map(([name]) => name)).toEqual([`handover:${discord.guildId}:stay`]);
  sessions.get(discord.guildId)?.leave();
});

it('leaves a text alone that another version of the bot has described in a way of its own', async () => {
  const { discord, store, handovers, lines } = await openHandovers((interaction, utterance, claim, log) =>
    // It must not get as far as to need anything else.
    resumeSpeaking(interaction, { log } as unknown as SayContext, utterance, { claim, onStart: () => {} }),
  );
  const utterance = { plan: { spoken: 'a secret' }, voiceChannelId: '9' };
  await store.set(`handover:${discord.guildId}:5`, handovers.seal({ interaction: interactionIn(discord.guildId), utterance }));
  await handovers.take();
  expect(await store.list('handover:')).toHaveLength(1);
  expect(lines.join('')).toContain('unexpected shape');
  expect(lines.join('')).not.toContain('secret');
});

it('doesn’t count on questions and answers of another version of the bot', async () => {
  const { discord, sessions, store, handovers, log, lines } = await openHandovers(async () => {});
  const [peerRpc, other] = ['new', 'old'].map((id) => createPeerRpc(store, { id, log })) as [PeerRpc, PeerRpc];
  const shards = { leases: { id: 'new' }, voice: { holder: async () => 'old' }, peerRpc } as unknown as SharedShards;
  const speaking = createSpeaking({ sessions, shards, handovers, log, endRead: () => 0 });
  onTestFinished(other.serve(async () => handovers.seal({ channelId: '9', queue: ['a secret'] })));
  onTestFinished(speaking.answer());
  expect(await speaking.find(discord.guildId)).toMatchObject({ items: [], elsewhere: 'unknown' });
  expect(await other.call('new', handovers.seal({ guildId: discord.guildId, end: 'everything' }))).toBe(null);
  const messages = lines.map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(Array(2).fill(expect.stringContaining('unexpected shape')));
  expect(lines.join('')).not.toContain('secret');
});
