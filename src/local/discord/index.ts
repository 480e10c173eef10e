// The local Discord: REST, gateway, voice, members and the page, on loopback. It knows nothing of the bot, so that any
// bot can be tried on it.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { WebSocketServer } from 'ws';
import { createGateway, type Gateway } from './gateway.ts';
import { createInteractions } from './interactions.ts';
import { createMemberClient, type MemberClient } from './member.ts';
import { bridge, registerUploads } from './member-socket.ts';
import { registerPage } from './page/serve.ts';
import { registerRest, type SeenRequest } from './rest.ts';
import type { RestFaults } from './rest-faults.ts';
import { createUploads } from './uploads.ts';
import { startVoiceServer, trustCertificate } from './voice/index.ts';
import type { VoiceServer } from './voice/types.ts';
import { reviewVoice, setVoiceState } from './voice-states.ts';
import { createWorld, deleteChannel, setOverwrite, type World } from './world.ts';

export type { MemberClient } from './member.ts';
export type { SeenRequest } from './rest.ts';
export { trustCertificate };

export interface LocalDiscordOptions {
  /** Of REST, gateway, attachments and page; 0, the default, takes a free one. */
  port?: number;
  /** How the application that will connect is called. */
  application?: { name: string; description: string };
  /** Privileged gateway intents that are switched on for the application, as bits; none unless given. */
  privilegedIntents?: number;
  /** Who installed the application: the guild, or a member for themselves, so that the application is no member of the guild. */
  installedBy?: 'guild' | 'member';
  /** ms; Discord's is 41,250. */
  heartbeatMs?: number;
  /** Takes what an operator may want to know; never tokens or content. */
  log?: { debug(facts: object, message: string): void };
}

export interface LocalDiscord {
  /** The page. */
  url: string;
  /** For DISCORD_API_URL: the REST base without version. */
  apiUrl: string;
  /** Origin of attachments. */
  cdnUrl: string;
  application: { id: string; token: string };
  guildId: string;
  /** @throws Error where no channel has this name. */
  channelId(name: string): string;
  /** PEM of the voice server's certificate: see trustCertificate. */
  certificate: string;
  /** A member at the keyboard: `Robin`, who owns guild and application (the default), or `Sam`. */
  member(name?: string): MemberClient;
  world: World;
  /** Moves a user as a moderator would; null puts out of voice. */
  moveUser(userId: string, channelId: string | null): void;
  /** Sets a member's own permissions in a channel (nothing: as everybody's). Who may no longer speak there is told so. */
  setPermissions(channelId: string, userId: string, permissions: { allow?: bigint; deny?: bigint }): void;
  /** Whoever is in it is put out of voice. */
  deleteChannel(channelId: string): void;
  gateway: Omit<Gateway, 'accept' | 'close'>;
  voice: VoiceServer;
  rest: RestFaults & { onRequest(listener: (request: SeenRequest) => void): void };
  /** The 3 s, or the 15 min, of every interaction are over now. */
  expire(what: 'first answers' | 'tokens'): void;
  close(): Promise<void>;
}

/** Starts everything. @throws Error with `code` EADDRINUSE where the port is taken. */
export async function startLocalDiscord(options: LocalDiscordOptions = {}): Promise<LocalDiscord> {
  const {
    port = 0,
    application = { name: 'Application', description: '' },
    privilegedIntents = 0,
    installedBy = 'guild',
    heartbeatMs,
    log,
  } = options;
  const token = `local.${randomBytes(24).toString('base64url')}`;
  const world = createWorld({ ...application, token, privilegedIntents }, installedBy === 'guild');
  const voice = await startVoiceServer({ log: (message) => log?.debug({}, message) });
  const app = Fastify({ bodyLimit: 30 * 1024 * 1024, forceCloseConnections: true });
  let origin = '';
  const gatewayUrl = () => `${origin.replace('http', 'ws')}/gateway`;
  const uploads = createUploads(app, () => origin);
  const gateway = createGateway({ world, voice, url: gatewayUrl, ...(heartbeatMs === undefined ? {} : { heartbeatMs }) });
  const interactions = createInteractions(world, { hasSession: () => gateway.hasSession });
  const powers = { world, voice, uploads, interactions, online: () => gateway.online };
  const requestListeners = new Set<(request: SeenRequest) => void>();
  const faults: RestFaults = { rest: [] };
  const members = new Set<MemberClient>();

  function member(name = 'Robin'): MemberClient {
    const user = [...world.users.values()].find((one) => one.id === name || one.global_name?.toLowerCase() === name.toLowerCase());
    if (!user || user.bot) throw new Error(`There is no member ${name}.`);
    const client = createMemberClient(user.id, powers);
    members.add(client);
    const close = () => {
      members.delete(client);
      client.close();
    };
    return { ...client, close };
  }

  app.addHook('onRequest', async (request, reply) => {
    if (isForeign(request.raw))
      await reply.code(403).type('text/plain').send('Only this machine, and only its own page, may use the local Discord.');
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  app.server.on('upgrade', (request, socket, head) => {
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    if (isForeign(request)) return refuse('403 Forbidden');
    if (!URL.canParse(request.url ?? '/', origin)) return refuse('400 Bad Request');
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname.startsWith('/gateway')) {
      sockets.handleUpgrade(request, socket, head, (client) => gateway.accept(client, searchParams));
    } else if (pathname === '/member') {
      let client: MemberClient;
      try {
        client = member(searchParams.get('user') || undefined);
      } catch {
        return refuse('404 Not Found');
      }
      sockets.handleUpgrade(request, socket, head, (page) => bridge(page, client));
    } else {
      refuse('404 Not Found');
    }
  });

  try {
    await registerRest(app, {
      ...powers,
      gatewayUrl,
      identifiesLeft: () => gateway.identifiesLeft,
      faults,
      onRequest: (request) => {
        for (const listener of requestListeners) listener(request);
      },
    });
    await registerUploads(app, uploads);
    await registerPage(app);
    await app.listen({ host: '127.0.0.1', port });
  } catch (error) {
    gateway.close();
    await Promise.allSettled([app.close(), voice.close()]);
    throw error;
  }
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  return {
    url: origin,
    apiUrl: `${origin}/api`,
    cdnUrl: origin,
    application: { id: world.application.id, token },
    guildId: world.guild.id,
    channelId(name) {
      const channel = [...world.guild.channels.values()].find((one) => one.name === name);
      if (!channel) throw new Error(`There is no channel ${name}.`);
      return channel.id;
    },
    certificate: voice.certificate,
    member,
    world,
    moveUser: (userId, channelId) => setVoiceState(world, voice, userId, channelId),
    setPermissions(channelId, userId, permissions) {
      setOverwrite(world, channelId, userId, permissions);
      reviewVoice(world, voice);
    },
    deleteChannel(channelId) {
      deleteChannel(world, channelId);
      reviewVoice(world, voice);
    },
    gateway,
    voice,
    rest: {
      get rest() {
        return faults.rest;
      },
      onRequest: (listener) => requestListeners.add(listener),
    },
    expire: interactions.expire,
    async close() {
      interactions.close();
      for (const client of members) client.close();
      gateway.close();
      for (const socket of sockets.clients) socket.terminate();
      await app.close();
      await voice.close();
    },
  };
}

/** Another page in the browser could otherwise drive the local Discord, by its own script or by a name that leads here. */
function isForeign({ headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (host !== '127.0.0.1' && host !== 'localhost') return true;
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
