// A gateway session: the events it receives by intents, shard and permissions, numbered and kept for a resume.
import { randomBytes } from 'node:crypto';
import { GatewayOpcodes } from 'discord-api-types/v10';
import { serializeGatewayMessage } from '../messages/serialize.ts';
import { hasPermissions } from '../world/permissions.ts';
import { applicationFlags, serializeGatewayGuild } from '../world/serialize.ts';
import { type Guild, hasApplication, type Message, type World, type WorldEvent } from '../world/world.ts';

/** Events that a session may miss and still resume. */
const MAX_REPLAYED_EVENTS = 1000;

/** Sends to the application, through the connection's compression if any. */
export interface GatewayConnection {
  send(payload: object): void;
  sendText(text: string): void;
  close(code: number, reason: string): void;
}

export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  /** Sequence number of the latest event. */
  sequence: number;
  /** The latest events, for a resume, with their sequence numbers. */
  sent: { s: number }[];
  /** Null while the connection is lost. */
  connection: GatewayConnection | null;
  /** Runs while the connection is lost. */
  resumeTimer: NodeJS.Timeout | undefined;
}

export function createSession(intents: number, shard: Session['shard'], connection: GatewayConnection): Session {
  return { id: randomBytes(16).toString('hex'), intents, shard, sequence: 0, sent: [], connection, resumeTimer: undefined };
}

/** Sends READY, then the guilds as this session may see them. */
export function sendReady(world: World, session: Session, resumeUrl: string, version: number): void {
  const { application } = world;
  const guilds: Guild[] = [...world.guilds.values()].filter((guild) => isOnShard(session, guild.id) && hasApplication(world, guild));
  dispatch(session, 'READY', {
    v: version,
    user: application.user,
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: resumeUrl,
    session_type: 'normal',
    private_channels: [],
    shard: session.shard,
    application: { id: application.id, flags: applicationFlags(application.privilegedIntents) },
  });
  for (const guild of guilds) dispatch(session, 'GUILD_CREATE', serializeGatewayGuild(world, guild, session.intents));
}

/**
 * Dispatches an event to a session that may receive it. In a guild that the application isn't a member of, those are only events
 * addressed to it, such as interactions.
 */
export function deliver(world: World, session: Session, { t, d, intent = 0, guildId, channel, to }: WorldEvent): void {
  const { application } = world;
  if (to !== undefined && to !== 'bot') return;
  if (intent !== 0 && (session.intents & intent) === 0) return;
  // Direct messages go to the first shard.
  if (guildId === undefined ? session.shard[0] !== 0 : !isOnShard(session, guildId)) return;
  const guild = guildId === undefined ? undefined : world.guilds.get(guildId);
  if (guild && to !== 'bot' && !hasApplication(world, guild)) return;
  if (channel && !hasPermissions(world, application.id, channel, 0n)) return;
  if (channel && (t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE'))
    dispatch(session, t, serializeGatewayMessage(world, d as Message, channel, session.intents));
  else if (guild && t === 'GUILD_CREATE') dispatch(session, t, serializeGatewayGuild(world, guild, session.intents));
  else dispatch(session, t, d);
}

/** Sends an event, or keeps it until the session is resumed. */
export function dispatch(session: Session, t: string, d: unknown): void {
  // Cloned, because a kept event must not change along with the world.
  const payload = { op: GatewayOpcodes.Dispatch, t, s: ++session.sequence, d: structuredClone(d) };
  session.sent.push(payload);
  if (session.sent.length > MAX_REPLAYED_EVENTS) session.sent.shift();
  session.connection?.send(payload);
}

/** Whether all events after `sequence` are still kept. */
export function canReplay(session: Session, sequence: number): boolean {
  return session.sequence - sequence <= session.sent.length;
}

/** Sends the events after `sequence` again, then RESUMED. */
export function replay(session: Session, sequence: number): void {
  for (const payload of session.sent) if (payload.s > sequence) session.connection?.send(payload);
  dispatch(session, 'RESUMED', {});
}

/** https://docs.discord.com/developers/events/gateway#sharding */
export function isOnShard({ shard: [id, count] }: Pick<Session, 'shard'>, guildId: string): boolean {
  return Number((BigInt(guildId) >> 22n) % BigInt(count)) === id;
}
