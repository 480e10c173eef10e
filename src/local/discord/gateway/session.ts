// One gateway session: what it is told by its intents and shard, numbered and kept for a resume.
import { randomBytes } from 'node:crypto';
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { asGatewayMessage } from '../messages/payloads.ts';
import { type Guild, type Happening, hasApplication, isDm, type Message, type World } from '../world/index.ts';
import { asGatewayGuild } from '../world/payloads.ts';
import { may } from '../world/permissions.ts';

/** Dispatches that a session may miss and still resume. */
const REPLAY = 1000;

/** Intents that must be switched on for an application before it may ask for them. */
export const PRIVILEGED_INTENTS = GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;

const ALL_INTENTS = Object.values(GatewayIntentBits).reduce<number>((all, bit) => (typeof bit === 'number' ? all | bit : all), 0);

/** Is this a number of which every bit means something? */
export function areIntents(value: unknown): value is number {
  return Number.isInteger(value) && ((value as number) & ~ALL_INTENTS) === 0;
}

/**
 * What an identify asks for. Before version 8 intents could be left out, for all that need no permission; before version 10 an application
 * that may read the content of messages is sent it unasked.
 */
export function intentsOf(asked: unknown, version: number, application: World['application']): number {
  const intents = asked === undefined && version < 8 ? ALL_INTENTS & ~PRIVILEGED_INTENTS : asked;
  const unasked = version < 10 ? application.privilegedIntents & GatewayIntentBits.MessageContent : 0;
  return areIntents(intents) ? intents | unasked : (intents as number);
}

/** A socket, or what compresses on its way there. */
export interface Line {
  send(payload: object): void;
  sendText(text: string): void;
  close(code: number, reason: string): void;
}

export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  sequence: number;
  sent: { s: number; payload: object }[];
  /** Null while the connection is lost. */
  line: Line | null;
  resumable: boolean;
  expiry: NodeJS.Timeout | undefined;
}

export function createSession(intents: number, shard: readonly [number, number], line: Line): Session {
  return {
    ...{ id: randomBytes(16).toString('hex'), intents, shard, line },
    ...{ sequence: 0, sent: [], resumable: true, expiry: undefined },
  };
}

/** Does this shard look after the guild? https://docs.discord.com/developers/events/gateway#sharding */
function hasGuild({ shard }: Session, guildId: string): boolean {
  return Number((BigInt(guildId) >> 22n) % BigInt(shard[1])) === shard[0];
}

/** Tells a session what happened, where it may know of it. Of a guild that has put it out it hears no more but that, and what it was brought along for. */
export function deliver(world: World, session: Session, { t, d, intent = 0, guildId, channel, to }: Happening): void {
  if (to !== undefined && to !== 'bot') return;
  if (intent !== 0 && (session.intents & intent) === 0) return;
  // Direct messages are the first shard's.
  if (guildId === undefined ? session.shard[0] !== 0 : !hasGuild(session, guildId)) return;
  const guild = guildId === undefined ? undefined : world.guilds.get(guildId);
  if (guild && to !== 'bot' && !hasApplication(world, guild)) return;
  if (channel && isDm(channel) && !channel.userIds.includes(world.application.id)) return;
  const isMessage = t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE';
  if (isMessage && channel && !may(world, world.application.id, channel, 0n)) return;
  if (t === 'GUILD_CREATE' && guild) dispatch(session, t, asGatewayGuild(world, guild, session.intents));
  else dispatch(session, t, isMessage && channel ? asGatewayMessage(world, d as Message, channel, session.intents) : d);
}

/** Sends the next event of a session, or keeps it until the session is resumed. */
export function dispatch(session: Session, t: string, d: unknown): void {
  const s = ++session.sequence;
  // As it is now: what is kept must not change with the state.
  const payload = { op: GatewayOpcodes.Dispatch, t, s, d: structuredClone(d) };
  session.sent.push({ s, payload });
  if (session.sent.length > REPLAY) session.sent.shift();
  session.line?.send(payload);
}

/** Can everything after `seq` be told again? */
export function canReplay(session: Session, seq: number): boolean {
  return session.resumable && session.sequence - seq <= session.sent.length;
}

export function replay(session: Session, seq: number): void {
  for (const { s, payload } of session.sent) if (s > seq) session.line?.send(payload);
  dispatch(session, 'RESUMED', {});
}

/** READY, then the guilds as this session may see them. */
export function greet(world: World, session: Session, resumeUrl: string, version: number): void {
  const { application } = world;
  const guilds: Guild[] = [...world.guilds.values()].filter((guild) => hasGuild(session, guild.id) && hasApplication(world, guild));
  dispatch(session, 'READY', {
    v: version,
    user: application.user,
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: resumeUrl,
    session_type: 'normal',
    private_channels: [],
    shard: session.shard,
    application: { id: application.id, flags: 0 },
  });
  for (const guild of guilds) dispatch(session, 'GUILD_CREATE', asGatewayGuild(world, guild, session.intents));
}
