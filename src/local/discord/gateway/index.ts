// Gateway for the application: hello, identify, heartbeats, resume, the limit on sends, voice states, and their faults.
import { constants, createDeflate, deflateSync } from 'node:zlib';
import { GatewayCloseCodes, GatewayOpcodes, type GatewaySendPayload, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import { readVersion } from '../api-versions.ts';
import { parseJson } from '../json.ts';
import type { VoiceServer } from '../voice/types.ts';
import { hasApplication, type World } from '../world/index.ts';
import { may } from '../world/permissions.ts';
import { setVoiceState } from '../world/voice-states.ts';
import { sayHello } from './hello.ts';
import { isToken, REFUSALS, refusalOf } from './identify.ts';
import { canReplay, createSession, deliver, dispatch, greet, intentsOf, type Line, replay, type Session } from './session.ts';

/** Discord's own: heartbeats included. */
const SENDS_A_MINUTE = 120;
/** How long a session whose connection was lost waits to be resumed. */
const RESUME_MS = 180_000;
export const IDENTIFIES_A_DAY = 1000;

export interface Gateway {
  /** `query`: `v`, and `compress` for a stream of zlib. */
  accept(socket: WebSocket, query: URLSearchParams): void;
  /** Is the application connected? */
  readonly online: boolean;
  /** Is there a session, connected or to be resumed, that would be told of an interaction? */
  readonly hasSession: boolean;
  readonly identifiesLeft: number;
  /** Sequence numbers and intents of the sessions that live, for tests. */
  sessions(): { id: string; intents: number; sequence: number; connected: boolean }[];
  /** Ends every socket: without a close frame, as a network does, or with a code. */
  drop(code?: number): void;
  /** Asks to reconnect and resume (op 7). */
  requestReconnect(): void;
  /** Says that the session is invalid (op 9). What cannot be resumed has left voice, too. */
  invalidate(resumable: boolean): void;
  /** Whether no connection is taken now. */
  readonly refuses: boolean;
  /** Sends every session this text as it stands, whatever it is. */
  sendText(text: string): void;
  /** Heartbeats are not answered while true. */
  ignoreHeartbeats: boolean;
  /** The code with which whoever identifies is refused, whatever they say; null = as they deserve. */
  refuseWith: number | null;
  /** Until it is over (null), no socket connects or stays, or those that do are silent both ways; then they all end. */
  outage(how: 'refused' | 'silent' | null): void;
  close(): void;
}

export function createGateway(options: { world: World; voice: VoiceServer; url: () => string; heartbeatMs?: number }): Gateway {
  const { world, voice, url, heartbeatMs = 41_250 } = options;
  const { application } = world;
  const sessions = new Map<string, Session>();
  const sockets = new Set<WebSocket>();
  let identifiesLeft = IDENTIFIES_A_DAY;
  let failure: 'refused' | 'silent' | null = null;
  const stopListening = world.onHappening((happening) => {
    for (const session of sessions.values()) deliver(world, session, happening);
  });

  function accept(socket: WebSocket, query: URLSearchParams): void {
    sockets.add(socket);
    let session: Session | undefined;
    /** After its session was invalidated, a connection may identify or resume anew. */
    const isKnown = () => session !== undefined && session.line === line;
    let sends: number[] = [];
    let isCompressed = false;
    const stream = query.get('compress') === 'zlib-stream' ? createDeflate({ flush: constants.Z_SYNC_FLUSH }) : null;
    stream?.on('data', (chunk: Buffer) => socket.send(chunk));
    const line: Line = {
      send: (payload) => line.sendText(JSON.stringify(payload)),
      sendText(text) {
        if (socket.readyState !== socket.OPEN || failure === 'silent') return;
        if (stream) stream.write(text);
        else socket.send(isCompressed ? deflateSync(text) : text);
      },
      close: (code, reason) => failure !== 'silent' && socket.close(code, reason),
    };
    const say = (op: GatewayOpcodes, d: unknown) => line.send({ op, d, s: null, t: null });
    let timer: NodeJS.Timeout | undefined;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => line.close(GatewayCloseCodes.SessionTimedOut, 'Session timed out.'), heartbeatMs * 2);
    };
    socket.on('error', () => {});
    socket.on('close', (code) => {
      clearTimeout(timer);
      stream?.destroy();
      sockets.delete(socket);
      if (session?.line === line) lose(session, failure === 'silent' ? GatewayCloseCodes.UnknownError : code);
    });
    const version = readVersion(query.get('v'));
    if (version === null) {
      line.close(...REFUSALS.invalidVersion);
      return;
    }
    sayHello(socket, () => say(GatewayOpcodes.Hello, { heartbeat_interval: heartbeatMs }));
    alive();

    socket.on('message', (data, isBinary) => {
      if (failure === 'silent') return;
      const now = performance.now();
      sends = [...sends.filter((at) => at > now - 60_000), now];
      if (sends.length > SENDS_A_MINUTE) return line.close(GatewayCloseCodes.RateLimited, 'You are being rate limited.');
      const payload = isBinary ? null : parse(data.toString());
      if (!payload) return line.close(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
      if (!isKnown() && !BEFORE_IDENTIFY.has(payload.op)) return line.close(GatewayCloseCodes.NotAuthenticated, 'Not authenticated.');
      switch (payload.op) {
        case GatewayOpcodes.Heartbeat:
          alive();
          if (!gateway.ignoreHeartbeats) say(GatewayOpcodes.HeartbeatAck, null);
          return;
        case GatewayOpcodes.Identify: {
          const wish = { ...payload.d, intents: intentsOf(payload.d.intents, version, application) };
          const refusal = isKnown() ? REFUSALS.alreadyAuthenticated : refusalOf(wish, application);
          if (gateway.refuseWith !== null) return line.close(gateway.refuseWith, 'Refused.');
          if (refusal) return line.close(...refusal);
          isCompressed = payload.d.compress === true;
          session = identify(line, version, wish.intents, Array.isArray(payload.d.shard) ? payload.d.shard : [0, 1]);
          return;
        }
        case GatewayOpcodes.Resume: {
          const { token, session_id, seq } = payload.d;
          if (isKnown()) return line.close(...REFUSALS.alreadyAuthenticated);
          if (!isToken(token, application)) return line.close(...REFUSALS.authenticationFailed);
          const known = sessions.get(session_id);
          if (known && seq > known.sequence) return line.close(GatewayCloseCodes.InvalidSeq, 'Invalid seq.');
          if (!known || !canReplay(known, seq)) return say(GatewayOpcodes.InvalidSession, false);
          session = known;
          resume(known, line, seq);
          return;
        }
        case GatewayOpcodes.VoiceStateUpdate:
          return moveBot(session as Session, payload.d);
        case GatewayOpcodes.RequestGuildMembers:
          return sendMembers(session as Session, payload.d);
        case GatewayOpcodes.RequestSoundboardSounds:
          return sendSounds(session as Session, payload.d);
        case GatewayOpcodes.PresenceUpdate:
          return;
        default:
          line.close(GatewayCloseCodes.UnknownOpcode, 'Unknown opcode.');
      }
    });
  }

  function identify(line: Line, version: number, intents: number, shard: readonly [number, number]): Session {
    identifiesLeft = Math.max(0, identifiesLeft - 1);
    // A session that nobody resumed ends when its shard identifies anew.
    for (const old of sessions.values()) if (!old.line && old.shard[0] === shard[0]) end(old);
    const session = createSession(intents, shard, line);
    sessions.set(session.id, session);
    greet(world, session, url(), version);
    presence('online');
    return session;
  }

  function resume(session: Session, line: Line, seq: number): void {
    const before = session.line;
    clearTimeout(session.expiry);
    session.line = line;
    before?.close(GatewayCloseCodes.UnknownError, 'Resumed elsewhere.');
    replay(session, seq);
    presence('online');
  }

  /** The connection is gone. Closed by its owner with 1000 or 1001, the session is, too. */
  function lose(session: Session, code: number): void {
    session.line = null;
    if (code === 1000 || code === 1001) end(session);
    else session.expiry = setTimeout(() => end(session), RESUME_MS).unref();
    if (!gateway.online) presence('offline');
  }

  function end(session: Session): void {
    clearTimeout(session.expiry);
    sessions.delete(session.id);
    for (const guild of world.guilds.values())
      if (guild.voiceStates.get(application.id)?.session_id === session.id) setVoiceState(world, voice, guild, application.id, null);
  }

  function presence(status: 'online' | 'offline'): void {
    world.tell({ t: 'PRESENCE_UPDATE', d: { user_id: application.user.id, status }, to: 'members' });
  }

  /** Op 4 of the application: Discord says nothing at all where it may not connect. */
  function moveBot(session: Session, wish: { guild_id: string; channel_id: string | null; self_mute: boolean; self_deaf: boolean }): void {
    const me = application.id;
    const guild = world.guilds.get(wish.guild_id);
    if (!guild || !hasApplication(world, guild)) return;
    if (wish.channel_id !== null) {
      const channel = guild.channels.get(wish.channel_id);
      if (!channel || !may(world, me, channel, P.ViewChannel | P.Connect)) return;
      const others = [...guild.voiceStates.values()].filter((state) => state.channel_id === channel.id && state.user_id !== me);
      if (channel.user_limit > 0 && others.length >= channel.user_limit && !may(world, me, channel, P.MoveMembers)) return;
    }
    const { self_mute, self_deaf } = wish;
    setVoiceState(world, voice, guild, me, wish.channel_id, { self_mute, self_deaf, session_id: session.id });
  }

  function sendMembers(
    session: Session,
    asked: { guild_id: string; query?: string; user_ids?: string | string[]; limit?: number; nonce?: string },
  ): void {
    const guild = world.guilds.get(asked.guild_id);
    if (!guild || !hasApplication(world, guild)) return;
    const ids = asked.user_ids === undefined ? null : [asked.user_ids].flat();
    const members = [...guild.members.values()].filter(({ user }) =>
      ids ? ids.includes(user.id) : user.username.startsWith(asked.query ?? ''),
    );
    dispatch(session, 'GUILD_MEMBERS_CHUNK', {
      guild_id: guild.id,
      members: asked.limit ? members.slice(0, asked.limit) : members,
      ...{ chunk_index: 0, chunk_count: 1 },
      not_found: ids?.filter((id) => !guild.members.has(id)) ?? [],
      ...(asked.nonce === undefined ? {} : { nonce: asked.nonce }),
    });
  }

  /** No guild has sounds of its own. */
  function sendSounds(session: Session, { guild_ids: ids }: { guild_ids: unknown }): void {
    for (const guild_id of Array.isArray(ids) ? ids : []) {
      const guild = world.guilds.get(String(guild_id));
      if (guild && hasApplication(world, guild)) dispatch(session, 'SOUNDBOARD_SOUNDS', { guild_id: guild.id, soundboard_sounds: [] });
    }
  }

  const gateway: Gateway = {
    accept,
    get online() {
      return [...sessions.values()].some(({ line }) => line !== null);
    },
    get hasSession() {
      return sessions.size > 0;
    },
    get identifiesLeft() {
      return identifiesLeft;
    },
    sessions: () => [...sessions.values()].map(({ id, intents, sequence, line }) => ({ id, intents, sequence, connected: line !== null })),
    drop(code) {
      for (const socket of sockets) {
        if (code === undefined) socket.terminate();
        else socket.close(code);
      }
    },
    requestReconnect() {
      for (const { line } of sessions.values()) line?.send({ op: GatewayOpcodes.Reconnect, d: null, s: null, t: null });
    },
    invalidate(resumable) {
      for (const session of [...sessions.values()]) {
        const { line } = session;
        if (resumable) lose(session, GatewayCloseCodes.UnknownError);
        else {
          session.line = null;
          end(session);
        }
        line?.send({ op: GatewayOpcodes.InvalidSession, d: resumable, s: null, t: null });
      }
    },
    sendText(text) {
      for (const { line } of sessions.values()) line?.sendText(text);
    },
    ignoreHeartbeats: false,
    refuseWith: null,
    get refuses() {
      return failure === 'refused';
    },
    outage(how) {
      // What was silent does not speak again: the connections of then are gone.
      if (how !== 'silent') for (const socket of sockets) socket.terminate();
      failure = how;
    },
    close() {
      stopListening();
      for (const { expiry } of sessions.values()) clearTimeout(expiry);
      sessions.clear();
      for (const socket of sockets) socket.terminate();
    },
  };
  return gateway;
}

const BEFORE_IDENTIFY = new Set<GatewayOpcodes>([GatewayOpcodes.Heartbeat, GatewayOpcodes.Identify, GatewayOpcodes.Resume]);

function parse(text: string): GatewaySendPayload | null {
  try {
    const payload = parseJson(text) as GatewaySendPayload | null;
    const isPayload =
      payload !== null &&
      typeof payload?.op === 'number' &&
      (payload.op === GatewayOpcodes.Heartbeat || (typeof payload.d === 'object' && payload.d !== null));
    return isPayload ? payload : null;
  } catch {
    return null;
  }
}
