// Hands the utterances that wait in a guild to the process that takes its shard over, through the store. They are sealed with a key that
// only processes with the bot's token have, and expire after two minutes. The old process waits until they are taken, and the new one notes
// each reply before it takes the utterance: whichever of the two is killed, the reply is corrected.
import {
  type APIInteraction,
  ApplicationCommandType,
  ChatInputCommandInteraction,
  type Client,
  GuildMember,
  InteractionType,
  type RepliableInteraction,
  ShardClientUtil,
} from 'discord.js';
import { z } from 'zod';
import { createTogetherByKey, createUnderWay, poll, retry } from '../async/waiting.ts';
import type { Log } from '../log.ts';
import type { SharedShards } from '../processes/processes.ts';
import { deriveSealingKey, readAs, type Store, seal, unseal, type Value } from '../store/index.ts';
import type { Session, Sessions, VoicePermit } from '../voice-session/types.ts';

/** An utterance in the queue, and what is needed to answer its interaction. */
const waitingShape = z.object({
  interaction: z.looseObject({
    id: z.string(),
    token: z.string(),
    application_id: z.string(),
    user: z.looseObject({ id: z.string() }),
    app_permissions: z.string(),
  }),
  utterance: z.looseObject({}),
});

/** A channel that a session stays in. */
const stayingShape = z.object({ channelId: z.string() });
const handoverShape = z.union([waitingShape, stayingShape]);

type Staying = z.infer<typeof stayingShape>;

/**
 * Leaves an utterance that is waiting here to another process. Resolves with true once one has taken it, with false if none will.
 * @param command the name of the slash command whose `resume` continues with it
 * @param signal aborted when this process can't wait any longer @throws StoreError
 */
export type HandOver = (interaction: RepliableInteraction, command: string, utterance: object, signal: AbortSignal) => Promise<boolean>;

export interface Handovers {
  put: HandOver;
  /** Notes where sessions of the shard stay. Never rejects. */
  keepStaying(shardId: number): Promise<void>;
  /** Takes what others have left to this process's shards, each item once. Resolves when all of it is queued. @throws StoreError */
  take(guildId?: string): Promise<void>;
  /** The ids of the interactions whose utterances nobody has taken yet. @throws StoreError */
  waiting(): Promise<Set<string>>;
  /** Resolves when everything that this process leaves to others is in the store. */
  noted(): Promise<unknown>;
  /** Seals what only processes of this bot may read. `unseal` returns null unless one of them has sealed it. */
  seal(content: object): string;
  unseal(sealed: Value): object | null;
  /**
   * Lets this process into a voice channel once everything left to it is queued, and others once everything that it leaves is in the store.
   */
  inTurn(permit: VoicePermit): VoicePermit;
}

const PREFIX = 'handover:';
const KEEP_MS = 120_000;
/** After this many milliseconds, nobody will take an utterance. */
const TIMEOUT_MS = 100_000;
const POLL_INTERVAL_MS = 250;
/** Milliseconds for which the store may fail while it is noted where sessions stay. */
const STAYING_MS = 5_000;

export interface HandoversOptions {
  client: Client<true>;
  sessions: Sessions;
  store: Store;
  token: string;
  leases: Pick<SharedShards['leases'], 'has'>;
  log: Log;
  /** Continues with an utterance once it is `claim`ed. Resolves when it is queued, or can't be. */
  resume(interaction: ChatInputCommandInteraction, utterance: object, claim: () => Promise<boolean>): Promise<void>;
}

export function createHandovers({ client, sessions, store, token, leases, log, resume }: HandoversOptions): Handovers {
  const key = deriveSealingKey(token, 'handover');

  const sealObject = (content: object) => seal(JSON.stringify(content), key);
  const unsealObject = (sealed: Value) => JSON.parse(unseal(String(sealed), key) ?? 'null') as object | null;
  /** Writes to the store in progress. */
  const noting = createUnderWay();
  /** By the names of what is taken. */
  const takeTogether = createTogetherByKey<string, void>();

  /** @throws StoreError */
  async function put(guildId: string | null, id: string, content: object) {
    const [name, value] = [`${PREFIX}${guildId}:${id}`, sealObject(content)];
    await noting.add(store.set(name, value, { expiresInMs: KEEP_MS }));
    return { name, value };
  }

  /** Waits until another process has taken the item; takes it back if none does so in time. @throws StoreError */
  async function isTaken({ name, value }: { name: string; value: string }, signal: AbortSignal): Promise<boolean> {
    const isGone = async () => (await store.get(name).catch(() => value)) === null;
    const hasTaken = await poll(isGone, { everyMs: POLL_INTERVAL_MS, maxMs: TIMEOUT_MS, signal }).catch(() => false);
    return hasTaken || !(await store.compareAndSet(name, value, null));
  }

  function isOurs(guildId: string): boolean {
    return leases.has(ShardClientUtil.shardIdForGuildId(guildId, client.options.shardCount ?? 1)) && client.guilds.cache.has(guildId);
  }

  function stay(guildId: string, { channelId }: Staying): void {
    const channel = client.guilds.cache.get(guildId)?.channels.cache.get(channelId);
    // If there is a session by now, because somebody has spoken here, it decides.
    if (channel?.isVoiceBased() && !sessions.get(guildId)) sessions.join(channel).setStay(true);
  }

  /** @throws StoreError */
  async function takeOne(name: string, value: Value, guildId: string): Promise<void> {
    const handover = readAs(handoverShape, unsealObject(value), log, 'handover');
    if (handover === null) return;
    const claim = () => store.compareAndSet(name, value, null);
    if (!('channelId' in handover)) await resume(toInteraction(client, handover.interaction), handover.utterance, claim);
    else if (await claim()) stay(guildId, handover);
  }

  /** @throws StoreError */
  async function take(from?: string): Promise<void> {
    const entries = await store.list(from === undefined ? PREFIX : `${PREFIX}${from}:`);
    const taken = entries.map(([name, value]) => {
      const guildId = name.split(':')[1] ?? '';
      if (!/^\d+$/.test(guildId) || !isOurs(guildId)) return null;
      return takeTogether(name, () => takeOne(name, value, guildId));
    });
    await Promise.all(taken);
  }

  return {
    noted: () => noting.current(),
    seal: sealObject,
    unseal: unsealObject,
    put: async (interaction, command, utterance, signal) =>
      isTaken(await put(interaction.guildId, interaction.id, { interaction: toRaw(interaction, command), utterance }), signal),
    async keepStaying(shardId) {
      const staying = sessions.all().filter((session) => session.stay && client.guilds.cache.get(session.guildId)?.shardId === shardId);
      const until = performance.now() + STAYING_MS;
      const pauseAfter = () => (performance.now() < until ? POLL_INTERVAL_MS : null);
      // It may have been sent away meanwhile.
      const note = async ({ guildId, channelId, stay }: Session) => stay && put(guildId, 'stay', { channelId } satisfies Staying);
      // A channel that can't be noted is joined again with the next command.
      await Promise.allSettled(staying.map((session) => retry(() => note(session), pauseAfter)));
    },
    take,
    waiting: async () => new Set((await store.list(PREFIX)).map(([name]) => name.split(':')[2] ?? '')),
    inTurn: (permit) => async (guildId, signal) => {
      const release = await permit(guildId, signal);
      // If the store fails, what others have left is taken once it is back.
      await take(guildId).catch(() => {});
      return () => void noting.current().then(release);
    },
  };
}

/** The interaction as Discord would send it, reduced to what an answer needs. Any kind can be answered like a command. */
function toRaw(interaction: RepliableInteraction, command: string): object {
  const { member, memberPermissions } = interaction;
  const { id, username, discriminator, globalName: global_name, avatar } = interaction.user;
  const user = { id, username, discriminator, global_name, avatar };
  return {
    type: InteractionType.ApplicationCommand,
    id: interaction.id,
    token: interaction.token,
    application_id: interaction.applicationId,
    version: interaction.version,
    ...(interaction.channelId !== null && { channel: { id: interaction.channelId } }),
    guild_id: interaction.guildId,
    user,
    ...(member instanceof GuildMember && {
      member: {
        user,
        nick: member.nickname,
        roles: [...member.roles.cache.keys()],
        joined_at: member.joinedAt?.toISOString() ?? null,
        permissions: memberPermissions?.bitfield.toString() ?? '0',
        flags: member.flags.bitfield,
      },
    }),
    app_permissions: interaction.appPermissions.bitfield.toString(),
    locale: interaction.locale,
    guild_locale: interaction.guildLocale,
    entitlements: [],
    authorizing_integration_owners: {},
    context: interaction.context,
    attachment_size_limit: interaction.attachmentSizeLimit,
    data: { id: '0', name: command, type: ApplicationCommandType.ChatInput },
  };
}

/** An interaction that was answered elsewhere. */
function toInteraction(client: Client<true>, raw: object): ChatInputCommandInteraction {
  const interaction: ChatInputCommandInteraction = Reflect.construct(ChatInputCommandInteraction, [client, raw as APIInteraction]);
  return Object.assign(interaction, { deferred: true, replied: true, ephemeral: false });
}
