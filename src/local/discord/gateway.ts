// Gateway v10 for the application: identify, heartbeat, replay on resume, intents, the limit on sends, voice states.
import { randomBytes } from 'node:crypto';
import { GatewayCloseCodes, GatewayIntentBits, GatewayOpcodes, type GatewaySendPayload, PermissionFlagsBits } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import { may } from './permissions.ts';
import { asGatewayGuild, asGatewayMessage } from './views.ts';
import type { VoiceServer } from './voice/types.ts';
import { setVoiceState } from './voice-states.ts';
import type { Happening, World } from './world.ts';

/** What a session may miss and still resume. */
const REPLAY = 1000;
/** Discord's own: heartbeats included. */
const SENDS_A_MINUTE = 120;
const PRIVILEGED = GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;

interface Session {
  id: string;
  intents: number;
  sequence: number;
  sent: { s: number; text: string }[];
  socket: WebSocket | null;
  resumable: boolean;
}

export interface Gateway {
  accept(socket: WebSocket): void;
  /** Is a session connected, so that an interaction would arrive? */
  readonly online: boolean;
  /** Ends every socket without a close frame, as a network does. */
  drop(): void;
  /** Asks to reconnect and resume (op 7). */
  requestReconnect(): void;
  /** Says that the session is invalid (op 9). */
  invalidate(resumable: boolean): void;
  /** Heartbeats are not answered while true. */
  ignoreHeartbeats: boolean;
  /** New connections are refused while true. */
  refuse: boolean;
  close(): void;
}

export function createGateway(options: { world: World; voice: VoiceServer; url: () => string; heartbeatMs?: number }): Gateway {
  const { world, voice, url, heartbeatMs = 41_250 } = options;
  const sessions = new Map<string, Session>();
  const sockets = new Set<WebSocket>();
  const stopListening = world.onHappening((happening) => {
    for (const session of sessions.values()) dispatch(session, happening);
  });

  function dispatch(session: Session, { t, d, intent = 0, to }: Happening): void {
    if (to !== undefined && to !== 'bot') return;
    if (intent !== 0 && (session.intents & intent) === 0) return;
    const seen = t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE' ? asGatewayMessage(world, d, session.intents) : d;
    const s = ++session.sequence;
    const text = JSON.stringify({ op: GatewayOpcodes.Dispatch, t, s, d: seen });
    session.sent.push({ s, text });
    if (session.sent.length > REPLAY) session.sent.shift();
    session.socket?.send(text);
  }

  function accept(socket: WebSocket): void {
    let session: Session | undefined;
    let sends: number[] = [];
    let timer: NodeJS.Timeout | undefined;
    const close = (code: number, reason: string) => socket.close(code, reason);
    if (faults.refuse) {
      socket.terminate();
      return;
    }
    sockets.add(socket);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => close(GatewayCloseCodes.SessionTimedOut, 'Session timed out.'), heartbeatMs * 2);
    };
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      sockets.delete(socket);
      if (session?.socket === socket) {
        session.socket = null;
        presence('offline');
      }
    });
    socket.send(JSON.stringify({ op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatMs }, s: null, t: null }));
    alive();

    socket.on('message', (data, isBinary) => {
      sends = [...sends.filter((at) => at > performance.now() - 60_000), performance.now()];
      if (sends.length > SENDS_A_MINUTE) return close(GatewayCloseCodes.RateLimited, 'You are being rate limited.');
      let payload: GatewaySendPayload;
      try {
        if (isBinary) throw new SyntaxError('JSON is sent as text');
        payload = JSON.parse(data.toString());
      } catch {
        return close(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
      }
      switch (payload.op) {
        case GatewayOpcodes.Heartbeat:
          alive();
          if (!faults.ignoreHeartbeats) socket.send(JSON.stringify({ op: GatewayOpcodes.HeartbeatAck, d: null, s: null, t: null }));
          return;
        case GatewayOpcodes.Identify:
          if (session) return close(GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
          if (payload.d.token.replace(/^Bot /, '') !== world.application.token)
            return close(GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.');
          if (payload.d.intents & PRIVILEGED) return close(GatewayCloseCodes.DisallowedIntents, 'Disallowed intent(s).');
          session = identify(socket, payload.d.intents);
          return;
        case GatewayOpcodes.Resume: {
          const known = sessions.get(payload.d.session_id);
          if (payload.d.token.replace(/^Bot /, '') !== world.application.token)
            return close(GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.');
          if (!known?.resumable || known.sequence - payload.d.seq > known.sent.length) {
            socket.send(JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: false, s: null, t: null }));
            return;
          }
          session = known;
          resume(known, socket, payload.d.seq);
          return;
        }
        case GatewayOpcodes.VoiceStateUpdate:
          if (!session) return close(GatewayCloseCodes.NotAuthenticated, 'Not authenticated.');
          moveBot(payload.d.channel_id, payload.d.self_mute, payload.d.self_deaf);
          return;
        case GatewayOpcodes.PresenceUpdate:
          return;
        case GatewayOpcodes.RequestGuildMembers:
          if (session)
            dispatch(session, {
              t: 'GUILD_MEMBERS_CHUNK',
              d: { guild_id: world.guild.id, members: [...world.guild.members.values()], chunk_index: 0, chunk_count: 1, not_found: [] },
              to: 'bot',
            });
          return;
        default:
          close(GatewayCloseCodes.UnknownOpcode, 'Unknown opcode.');
      }
    });
  }

  function identify(socket: WebSocket, intents: number): Session {
    const session: Session = { id: randomBytes(16).toString('hex'), intents, sequence: 0, sent: [], socket, resumable: true };
    // A session that nobody resumed ends when the application identifies anew.
    for (const old of sessions.values()) if (!old.socket) sessions.delete(old.id);
    sessions.set(session.id, session);
    const { application, guild } = world;
    const ready = {
      v: 10,
      user: application.user,
      guilds: [{ id: guild.id, unavailable: true }],
      session_id: session.id,
      resume_gateway_url: url(),
      shard: [0, 1],
      application: { id: application.id, flags: 0 },
    };
    dispatch(session, { t: 'READY', d: ready, to: 'bot' });
    dispatch(session, { t: 'GUILD_CREATE', d: asGatewayGuild(world), to: 'bot' });
    presence('online');
    return session;
  }

  function resume(session: Session, socket: WebSocket, seq: number): void {
    session.socket?.close(4000, 'Resumed elsewhere.');
    session.socket = socket;
    for (const { s, text } of session.sent) if (s > seq) socket.send(text);
    dispatch(session, { t: 'RESUMED', d: {}, to: 'bot' });
    presence('online');
  }

  function presence(status: 'online' | 'offline'): void {
    world.tell({ t: 'PRESENCE_UPDATE', d: { user_id: world.application.user.id, status }, to: 'members' });
  }

  /** Op 4 of the application: Discord says nothing at all where it may not connect. */
  function moveBot(channelId: string | null, selfMute: boolean, selfDeaf: boolean): void {
    const { guild, application } = world;
    const channel = channelId === null ? null : guild.channels.get(channelId);
    if (channel === undefined) return;
    if (channel) {
      const P = PermissionFlagsBits;
      if (!may(guild, application.user.id, channel, P.ViewChannel | P.Connect)) return;
      const others = [...guild.voiceStates.values()].filter(
        (state) => state.channel_id === channel.id && state.user_id !== application.user.id,
      );
      if (channel.user_limit > 0 && others.length >= channel.user_limit && !may(guild, application.user.id, channel, P.MoveMembers)) return;
    }
    setVoiceState(world, voice, application.user.id, channelId, { self_mute: selfMute, self_deaf: selfDeaf });
  }

  const faults: Gateway = {
    accept,
    get online() {
      return [...sessions.values()].some(({ socket }) => socket !== null);
    },
    drop() {
      for (const socket of sockets) socket.terminate();
    },
    requestReconnect() {
      for (const { socket } of sessions.values()) socket?.send(JSON.stringify({ op: GatewayOpcodes.Reconnect, d: null, s: null, t: null }));
    },
    invalidate(resumable) {
      for (const session of sessions.values()) {
        session.resumable = resumable;
        session.socket?.send(JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: resumable, s: null, t: null }));
      }
    },
    ignoreHeartbeats: false,
    refuse: false,
    close() {
      stopListening();
      for (const socket of sockets) socket.terminate();
    },
  };
  return faults;
}
