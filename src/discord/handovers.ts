// What waits in a guild when another process of the bot takes its shard over: passed on through the store, so that it is spoken there. Sealed
// with a key that only processes with the bot's token have, and gone after two minutes. The process that passes it on waits until it is
// taken, and the one that takes it notes its reply first: whichever is killed, the reply does not stay as it is.
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { Log } from '../log.ts';
import type { SharedShards } from '../processes/processes.ts';
import { deriveSealingKey, readAs, type Store, seal, unseal, type Value } from '../store/index.ts';
import type { Sessions, VoicePermit } from '../voice/types.ts';

/** An utterance that waits, and what is needed to answer its interaction. */
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
 * Leaves to another process an utterance that waits here. Resolves with true once one has taken it, or with false if none will any more.
 * @param signal aborted when this process can't wait any longer @throws StoreError
 */
export type HandOver = (interaction: RepliableInteraction, utterance: object, signal: AbortSignal) => Promise<boolean>;

export interface Handovers {
  put: HandOver;
  /** Notes where sessions of the shard stay. Never rejects. */
  keepStaying(shardId: number): Promise<void>;
  /** Takes what others have noted for the shards of this process, each once. Resolves when all of it is queued. @throws StoreError */
  take(guildId?: string): Promise<void>;
  /** Ids of the interactions of all that waits to be taken. @throws StoreError */
  waiting(): Promise<Set<string>>;
  /** Resolves when all that this process leaves is noted. */
  noted(): Promise<unknown>;
  /** For what only processes of this bot may read. `unseal` returns null unless it was sealed by one of them. */
  seal(what: object): string;
  unseal(sealed: Value): object | null;
  /** Lets this process into a voice channel once all that others have left to it is queued, and others once all that it leaves is noted. */
  inTurn(permit: VoicePermit): VoicePermit;
}

const PREFIX = 'handover:';
const KEEP_MS = 120_000;
/** After this long, in milliseconds, nobody will take it. */
const TIMEOUT_MS = 100_000;
const POLL_INTERVAL_MS = 250;

export function createHandovers({
  client,
  sessions,
  store,
  token,
  leases,
  log,
  resume,
}: {
  client: Client<true>;
  sessions: Sessions;
  store: Store;
  token: string;
  leases: Pick<SharedShards['leases'], 'has'>;
  log: Log;
  /** Goes on with an utterance once it is `claim`ed. Resolves when it is queued, or can't be. */
  resume(interaction: ChatInputCommandInteraction, utterance: object, claim: () => Promise<boolean>): Promise<void>;
}): Handovers {
  const key = deriveSealingKey(token, 'handover');

  const sealObject = (what: object) => seal(JSON.stringify(what), key);
  const unsealObject = (sealed: Value) => JSON.parse(unseal(String(sealed), key) ?? 'null') as object | null;
  /** What is being noted. */
  const noting = new Set<Promise<unknown>>();
  /** What is being taken, by its name. */
  const taking = new Map<string, Promise<void>>();

  /** @throws StoreError */
  async function put(guildId: string | null, id: string, what: object) {
    const [name, value] = [`${PREFIX}${guildId}:${id}`, sealObject(what)];
    const noted = store.set(name, value, { expiresInMs: KEEP_MS });
    noting.add(noted);
    await noted.finally(() => noting.delete(noted));
    return { name, value };
  }

  /** Takes it back if nobody has come for it in time. @throws StoreError */
  async function isTaken({ name, value }: { name: string; value: string }, signal: AbortSignal): Promise<boolean> {
    for (const until = performance.now() + TIMEOUT_MS; !signal.aborted && performance.now() < until; ) {
      if ((await store.get(name).catch(() => value)) === null) return true;
      await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
    return !(await store.compareAndSet(name, value, null));
  }

  function isOurs(guildId: string): boolean {
    return leases.has(ShardClientUtil.shardIdForGuildId(guildId, client.options.shardCount ?? 1)) && client.guilds.cache.has(guildId);
  }

  function stay(guildId: string, { channelId }: Staying): void {
    const channel = client.guilds.cache.get(guildId)?.channels.cache.get(channelId);
    // What somebody has said here meanwhile decides.
    if (channel?.isVoiceBased() && !sessions.get(guildId)) sessions.join(channel).setStay(true);
  }

  /** @throws StoreError */
  async function takeOne(name: string, value: Value, guildId: string): Promise<void> {
    const what = readAs(handoverShape, unsealObject(value), log, 'handover');
    if (what === null) return;
    const claim = () => store.compareAndSet(name, value, null);
    if (!('channelId' in what)) await resume(toInteraction(client, what.interaction), what.utterance, claim);
    else if (await claim()) stay(guildId, what);
  }

  /** @throws StoreError */
  async function take(from?: string): Promise<void> {
    const entries = await store.list(from === undefined ? PREFIX : `${PREFIX}${from}:`);
    const taken = entries.map(([name, value]) => {
      const guildId = name.split(':')[1] ?? '';
      if (!/^\d+$/.test(guildId) || !isOurs(guildId)) return null;
      const step = taking.get(name) ?? takeOne(name, value, guildId).finally(() => taking.delete(name));
      taking.set(name, step);
      return step;
    });
    await Promise.all(taken);
  }

  const noted = () => Promise.allSettled(noting);

  return {
    noted,
    seal: sealObject,
    unseal: unsealObject,
    put: async (interaction, utterance, signal) =>
      isTaken(await put(interaction.guildId, interaction.id, { interaction: toRaw(interaction), utterance }), signal),
    async keepStaying(shardId) {
      const staying = sessions.all().filter((session) => session.stay && client.guilds.cache.get(session.guildId)?.shardId === shardId);
      // One that can't be noted is joined again with the next command.
      await Promise.allSettled(staying.map(({ guildId, channelId }) => put(guildId, 'stay', { channelId } satisfies Staying)));
    },
    take,
    waiting: async () => new Set((await store.list(PREFIX)).map(([name]) => name.split(':')[2] ?? '')),
    inTurn: (permit) => async (guildId, signal) => {
      const release = await permit(guildId, signal);
      // Without the store, what is left to this process comes when it is back.
      await take(guildId).catch(() => {});
      return () => void noted().then(release);
    },
  };
}

/** As Discord would send it, as far as an answer needs it; whatever it was, it can be answered like a command. */
function toRaw(interaction: RepliableInteraction): object {
  const { user, member, memberPermissions } = interaction;
  return {
    type: InteractionType.ApplicationCommand,
    id: interaction.id,
    token: interaction.token,
    application_id: interaction.applicationId,
    version: interaction.version,
    ...(interaction.channelId !== null && { channel: { id: interaction.channelId } }),
    guild_id: interaction.guildId,
    user: { id: user.id, username: user.username, discriminator: user.discriminator, global_name: user.globalName, avatar: user.avatar },
    ...(member instanceof GuildMember && {
      member: {
        user: {
          id: user.id,
          username: user.username,
          discriminator: user.discriminator,
          global_name: user.globalName,
          avatar: user.avatar,
        },
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
    data: { id: '0', name: 'say', type: ApplicationCommandType.ChatInput },
  };
}

/** An interaction that was answered elsewhere. */
function toInteraction(client: Client<true>, raw: object): ChatInputCommandInteraction {
  const interaction: ChatInputCommandInteraction = Reflect.construct(ChatInputCommandInteraction, [client, raw as APIInteraction]);
  return Object.assign(interaction, { deferred: true, replied: true, ephemeral: false });
}
