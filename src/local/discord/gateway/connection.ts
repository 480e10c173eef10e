// Serves one WebSocket of the gateway: Hello, heartbeats, Identify and Resume, compression, and the limit on sent events.
// https://docs.discord.com/developers/events/gateway
import { constants, createDeflate, deflateSync } from 'node:zlib';
import { GatewayCloseCodes, GatewayOpcodes, type GatewaySendPayload } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import { parseVersion } from '../api-versions.ts';
import { parseJson } from '../json.ts';
import type { Application } from '../world/world.ts';
import { scheduleHello } from './hello.ts';
import { findRefusal, isToken, REFUSALS, resolveIntents, resolveShard } from './identify.ts';
import type { Turn } from './identify-limits.ts';
import type { GatewayConnection, Session } from './session.ts';

/** https://docs.discord.com/developers/events/gateway#rate-limiting (heartbeats count, too) */
const MAX_SENDS_PER_MINUTE = 120;

/** The gateway that owns the sessions, as a connection uses it. */
export interface ConnectionHost {
  readonly application: Application;
  readonly heartbeatMs: number;
  /** A fault: nothing passes in either direction. */
  isSilent(): boolean;
  acknowledgesHeartbeats(): boolean;
  /** A fault: the close code for every Identify; null for the one it deserves. */
  refuseWith(): number | null;
  /** Counts an Identify of this shard; null if the application is in more of its guilds than one shard may have. */
  takeTurn(shard: Session['shard']): Turn | null;
  findSession(id: string): Session | undefined;
  identify(connection: GatewayConnection, version: number, intents: number, shard: Session['shard']): Session;
  /** @returns false if missed events are no longer kept */
  resume(session: Session, connection: GatewayConnection, sequence: number): boolean;
  /** Handles any other payload. @returns false if its opcode is unknown */
  receive(session: Session, payload: GatewaySendPayload): boolean;
  /** The session's socket has closed. */
  detach(session: Session, code: number): void;
}

/** `query`: `v`, and `compress` for a stream of zlib. */
export function serveConnection(socket: WebSocket, query: URLSearchParams, host: ConnectionHost): void {
  const { application, heartbeatMs } = host;
  let session: Session | undefined;
  /** `performance.now()` of each send. */
  let sends: number[] = [];
  let isCompressed = false;
  let heartbeatTimer: NodeJS.Timeout | undefined;
  const deflate = query.get('compress') === 'zlib-stream' ? createDeflate({ flush: constants.Z_SYNC_FLUSH }) : null;
  deflate?.on('data', (chunk: Buffer) => socket.send(chunk));

  const connection: GatewayConnection = {
    send: (payload) => connection.sendText(JSON.stringify(payload)),
    sendText(text) {
      if (socket.readyState !== socket.OPEN || host.isSilent()) return;
      if (deflate) deflate.write(text);
      else socket.send(isCompressed ? deflateSync(text) : text);
    },
    close(code, reason) {
      if (!host.isSilent()) socket.close(code, reason);
    },
  };

  socket.on('error', () => {}); // 'close' follows
  socket.on('close', (code) => {
    clearTimeout(heartbeatTimer);
    deflate?.destroy();
    if (session?.connection === connection) host.detach(session, host.isSilent() ? GatewayCloseCodes.UnknownError : code);
  });
  const version = parseVersion(query.get('v'));
  if (version === null) {
    connection.close(...REFUSALS.invalidVersion);
    return;
  }
  scheduleHello(socket, () => send(GatewayOpcodes.Hello, { heartbeat_interval: heartbeatMs }));
  restartHeartbeatTimer();

  socket.on('message', (data, isBinary) => {
    if (host.isSilent()) return;
    const now = performance.now();
    sends = [...sends.filter((at) => at > now - 60_000), now];
    if (sends.length > MAX_SENDS_PER_MINUTE) return connection.close(GatewayCloseCodes.RateLimited, 'You are being rate limited.');
    const payload = isBinary ? null : parsePayload(data.toString());
    if (!payload) return connection.close(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
    if (payload.op === GatewayOpcodes.Heartbeat) {
      restartHeartbeatTimer();
      if (host.acknowledgesHeartbeats()) send(GatewayOpcodes.HeartbeatAck, null);
    } else if (payload.op === GatewayOpcodes.Identify) identify(payload.d, version);
    else if (payload.op === GatewayOpcodes.Resume) resume(payload.d);
    else if (!session || !isAuthenticated()) connection.close(GatewayCloseCodes.NotAuthenticated, 'Not authenticated.');
    else if (!host.receive(session, payload)) connection.close(GatewayCloseCodes.UnknownOpcode, 'Unknown opcode.');
  });

  /** Once its session has been invalidated, a connection may identify or resume again. */
  function isAuthenticated(): boolean {
    return session !== undefined && session.connection === connection;
  }

  function identify(d: { token: unknown; intents?: unknown; shard?: unknown; compress?: unknown }, apiVersion: number): void {
    const intents = resolveIntents(d.intents, apiVersion, application);
    const refusal = isAuthenticated() ? REFUSALS.alreadyAuthenticated : findRefusal(d.token, intents, d.shard, application);
    const code = host.refuseWith();
    if (code !== null) connection.close(code, 'Refused.');
    else if (refusal) connection.close(...refusal);
    else {
      isCompressed = d.compress === true;
      const shard = resolveShard(d.shard);
      const turn = host.takeTurn(shard);
      if (turn === null) connection.close(...REFUSALS.shardingRequired);
      else if (turn === 'granted') session = host.identify(connection, apiVersion, intents as number, shard);
      else if (turn === 'too soon') send(GatewayOpcodes.InvalidSession, false);
      else connection.close(...REFUSALS.authenticationFailed);
    }
  }

  function resume({ token, session_id: id, seq }: { token: unknown; session_id: string; seq: number }): void {
    const known = host.findSession(id);
    if (isAuthenticated()) connection.close(...REFUSALS.alreadyAuthenticated);
    else if (!isToken(token, application)) connection.close(...REFUSALS.authenticationFailed);
    else if (known && seq > known.sequence) connection.close(GatewayCloseCodes.InvalidSeq, 'Invalid seq.');
    else if (known && host.resume(known, connection, seq)) session = known;
    else send(GatewayOpcodes.InvalidSession, false);
  }

  function restartHeartbeatTimer(): void {
    clearTimeout(heartbeatTimer);
    heartbeatTimer = setTimeout(() => connection.close(GatewayCloseCodes.SessionTimedOut, 'Session timed out.'), heartbeatMs * 2);
  }

  function send(op: GatewayOpcodes, d: unknown): void {
    connection.send({ op, d, s: null, t: null });
  }
}

function parsePayload(text: string): GatewaySendPayload | null {
  try {
    const payload = parseJson(text) as GatewaySendPayload | null;
    if (typeof payload?.op !== 'number') return null;
    const hasData = typeof payload.d === 'object' && payload.d !== null;
    return hasData || payload.op === GatewayOpcodes.Heartbeat ? payload : null;
  } catch {
    return null;
  }
}
