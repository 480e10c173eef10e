// What waits in a guild when another process of the bot takes its shard over: passed on through the store, so that it is spoken there. Sealed
// with a key that only processes with the bot's token have, and gone after two minutes.
import { hkdfSync } from 'node:crypto';
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
import type { SharedShards } from '../processes/index.ts';
import { type Store, seal, unseal, type Value } from '../store/index.ts';
import type { Sessions } from '../voice/types.ts';

/** Waits for an utterance, and what is needed to answer its interaction. */
interface Waiting {
  interaction: object;
  utterance: object;
}

/** A channel that a session stays in. */
interface Staying {
  channelId: string;
}

/** Notes for another process an utterance that waits here. @throws StoreError */
export type HandOver = (interaction: RepliableInteraction, utterance: object) => Promise<void>;

export interface Handovers {
  put: HandOver;
  /** Notes where sessions of the shard stay. Never rejects. */
  keepStaying(shardId: number): Promise<void>;
  /** Takes what others have noted for the shards of this process: each is taken once. @throws StoreError */
  take(resume: (interaction: ChatInputCommandInteraction, utterance: object) => void): Promise<void>;
}

const PREFIX = 'handover:';
const KEEP_MS = 120_000;

export function createHandovers({
  client,
  sessions,
  store,
  token,
  leases,
}: {
  client: Client<true>;
  sessions: Sessions;
  store: Store;
  token: string;
  leases: Pick<SharedShards['leases'], 'has'>;
}): Handovers {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'parley handover', 32));

  const put = (guildId: string | null, id: string, what: object) =>
    store.set(`${PREFIX}${guildId}:${id}`, seal(JSON.stringify(what), key), { expiresInMs: KEEP_MS });

  function isOurs(guildId: string): boolean {
    return leases.has(ShardClientUtil.shardIdForGuildId(guildId, client.options.shardCount ?? 1)) && client.guilds.cache.has(guildId);
  }

  function stay(guildId: string, { channelId }: Staying): void {
    const channel = client.guilds.cache.get(guildId)?.channels.cache.get(channelId);
    // What somebody has said here meanwhile decides.
    if (channel?.isVoiceBased() && !sessions.get(guildId)) sessions.join(channel).setStay(true);
  }

  return {
    put: (interaction, utterance) =>
      put(interaction.guildId, interaction.id, { interaction: toRaw(interaction), utterance } satisfies Waiting),
    async keepStaying(shardId) {
      const staying = sessions.all().filter((session) => session.stay && client.guilds.cache.get(session.guildId)?.shardId === shardId);
      // One that can't be noted is joined again with the next command.
      await Promise.allSettled(staying.map(({ guildId, channelId }) => put(guildId, 'stay', { channelId } satisfies Staying)));
    },
    async take(resume) {
      // In the order of their ids, which is that of their commands.
      for (const [name, value] of await store.list(PREFIX)) {
        const guildId = name.split(':')[1] ?? '';
        if (!/^\d+$/.test(guildId) || !isOurs(guildId) || !(await store.replace(name, value as Value, null))) continue;
        const text = unseal(String(value), key);
        if (text === null) continue;
        const what = JSON.parse(text) as Waiting | Staying;
        if ('channelId' in what) stay(guildId, what);
        else resume(toInteraction(client, what.interaction), what.utterance);
      }
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
