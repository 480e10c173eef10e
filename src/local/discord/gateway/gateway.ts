// The gateway for the application: its sessions, which of them receive an event, and the faults that tests inject.
// To add an event, emit it on the world: session.ts decides which sessions receive it.
import { GatewayCloseCodes, GatewayOpcodes } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import type { VoiceServer } from '../voice/types.ts';
import { createToken } from '../world/seed.ts';
import { setVoiceState } from '../world/voice-states.ts';
import type { World } from '../world/world.ts';
import { type ConnectionHost, serveConnection } from './connection.ts';
import { REFUSALS } from './identify.ts';
import { createIdentifyLimits, type IdentifyLimitOptions, type IdentifyLimits, type Turn } from './identify-limits.ts';
import { handleRequest } from './requests.ts';
import { canReplay, createSession, deliver, type GatewayConnection, isOnShard, replay, type Session, sendReady } from './session.ts';

/** How long a session may be resumed after its connection was lost. */
const RESUME_WINDOW_MS = 180_000;
/** https://docs.discord.com/developers/events/gateway#sharding */
const GUILDS_PER_SHARD = 2_500;

export interface Gateway {
  /** `query`: `v`, and `compress` for a stream of zlib. */
  accept(socket: WebSocket, query: URLSearchParams): void;
  /** Whether the application is connected. */
  readonly online: boolean;
  /** Whether any session, connected or resumable, would receive an interaction. */
  readonly hasSession: boolean;
  /** The `session_start_limit` of `GET /gateway/bot`. */
  describeIdentifyLimits(): ReturnType<IdentifyLimits['describe']>;
  /** The sessions' state, for tests. */
  sessions(): { id: string; shard: number; intents: number; sequence: number; connected: boolean }[];
  /** Closes every socket with this code; without one, breaks its connection as a network failure does. */
  dropConnections(code?: number): void;
  /** Asks every session to reconnect and resume (opcode 7). */
  requestReconnect(): void;
  /** Invalidates every session (opcode 9); one that isn't resumable leaves voice, too. */
  invalidate(resumable: boolean): void;
  /** Whether connections are refused, because of an outage. */
  readonly isRefusing: boolean;
  /** Sends this text to every session, unchanged. */
  sendText(text: string): void;
  /** While true, heartbeats are not acknowledged. */
  ignoreHeartbeats: boolean;
  /** Close code for every Identify; null for the one it deserves. */
  refuseWith: number | null;
  /**
   * Until it ends (null): `refused` ends all connections and takes no new ones; `silent` passes nothing in either direction, and ends the
   * connections afterwards.
   */
  outage(kind: 'refused' | 'silent' | null): void;
  close(): void;
}

interface GatewayOptions {
  world: World;
  voice: VoiceServer;
  /** The address to resume at. */
  url: () => string;
  heartbeatMs?: number | undefined;
  identifyLimits?: IdentifyLimitOptions | undefined;
}

export function createGateway({ world, voice, url, heartbeatMs = 41_250, identifyLimits = {} }: GatewayOptions): Gateway {
  const { application } = world;
  const sessions = new Map<string, Session>();
  const sockets = new Set<WebSocket>();
  const limits = createIdentifyLimits(identifyLimits);
  const { guildsPerShard = GUILDS_PER_SHARD } = identifyLimits;
  let outage: 'refused' | 'silent' | null = null;
  const stopListening = world.onEvent((event) => {
    for (const session of sessions.values()) deliver(world, session, event);
  });

  const host: ConnectionHost = {
    application,
    heartbeatMs,
    isSilent: () => outage === 'silent',
    acknowledgesHeartbeats: () => !gateway.ignoreHeartbeats,
    refuseWith: () => gateway.refuseWith,
    takeTurn,
    findSession: (id) => sessions.get(id),
    identify,
    resume,
    receive: (session, payload) => handleRequest(world, voice, session, payload),
    detach,
  };

  /** As Discord does to an application that has used up its day: all sessions end, and the token changes. */
  function takeTurn(shard: Session['shard']): Turn | null {
    if ([...world.guilds.keys()].filter((id) => isOnShard({ shard }, id)).length > guildsPerShard) return null;
    const turn = limits.take(shard[0]);
    if (turn === 'used up') {
      application.token = createToken(application.id);
      for (const session of [...sessions.values()]) {
        const { connection } = session;
        session.connection = null;
        end(session);
        connection?.close(...REFUSALS.authenticationFailed);
      }
      emitPresence('offline');
    }
    return turn;
  }

  function identify(connection: GatewayConnection, version: number, intents: number, shard: Session['shard']): Session {
    // A session that was never resumed ends when its shard identifies again. One that is connected stays: both receive every event.
    const isSameShard = (old: Session) => old.shard[0] === shard[0] && old.shard[1] === shard[1];
    for (const old of [...sessions.values()]) if (!old.connection && isSameShard(old)) end(old);
    const session = createSession(intents, shard, connection);
    sessions.set(session.id, session);
    sendReady(world, session, url(), version);
    emitPresence('online');
    return session;
  }

  function resume(session: Session, connection: GatewayConnection, sequence: number): boolean {
    if (!canReplay(session, sequence)) return false;
    const previous = session.connection;
    clearTimeout(session.resumeTimer);
    session.connection = connection;
    previous?.close(GatewayCloseCodes.UnknownError, 'Resumed elsewhere.');
    replay(session, sequence);
    emitPresence('online');
    return true;
  }

  /** A client that closes with 1000 or 1001 ends its session; after any other code it may resume. */
  function detach(session: Session, code: number): void {
    session.connection = null;
    if (code === 1000 || code === 1001) end(session);
    else session.resumeTimer = setTimeout(() => end(session), RESUME_WINDOW_MS).unref();
    if (!gateway.online) emitPresence('offline');
  }

  function end(session: Session): void {
    clearTimeout(session.resumeTimer);
    sessions.delete(session.id);
    for (const guild of world.guilds.values())
      if (guild.voiceStates.get(application.id)?.session_id === session.id) setVoiceState(world, voice, guild, application.id, null);
  }

  function emitPresence(status: 'online' | 'offline'): void {
    world.emit({ t: 'PRESENCE_UPDATE', d: { user_id: application.user.id, status }, to: 'members' });
  }

  const gateway: Gateway = {
    accept(socket, query) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serveConnection(socket, query, host);
    },
    get online() {
      return [...sessions.values()].some(({ connection }) => connection !== null);
    },
    get hasSession() {
      return sessions.size > 0;
    },
    describeIdentifyLimits: limits.describe,
    sessions: () =>
      [...sessions.values()].map(({ id, shard: [shard], intents, sequence, connection }) => ({
        id,
        shard,
        intents,
        sequence,
        connected: connection !== null,
      })),
    dropConnections(code) {
      for (const socket of sockets) {
        if (code === undefined) socket.terminate();
        else socket.close(code);
      }
    },
    requestReconnect() {
      for (const { connection } of sessions.values()) connection?.send({ op: GatewayOpcodes.Reconnect, d: null, s: null, t: null });
    },
    invalidate(resumable) {
      for (const session of [...sessions.values()]) {
        const { connection } = session;
        if (resumable) detach(session, GatewayCloseCodes.UnknownError);
        else {
          session.connection = null;
          end(session);
        }
        connection?.send({ op: GatewayOpcodes.InvalidSession, d: resumable, s: null, t: null });
      }
    },
    get isRefusing() {
      return outage === 'refused';
    },
    sendText(text) {
      for (const { connection } of sessions.values()) connection?.sendText(text);
    },
    ignoreHeartbeats: false,
    refuseWith: null,
    outage(kind) {
      // After a silent outage, too, the connections are gone.
      if (kind !== 'silent') for (const socket of sockets) socket.terminate();
      outage = kind;
    },
    close() {
      stopListening();
      for (const { resumeTimer } of sessions.values()) clearTimeout(resumeTimer);
      sessions.clear();
      for (const socket of sockets) socket.terminate();
    },
  };
  return gateway;
}
