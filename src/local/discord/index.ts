// The local Discord: REST, gateway, voice, members and the page, on loopback. It knows nothing of the bot, so that any
// bot can be tried on it.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIUser } from 'discord-api-types/v10';
import Fastify from 'fastify';
import { WebSocketServer } from 'ws';
import { createGateway } from './gateway/index.ts';
import { tellCommands } from './interactions/commands.ts';
import { createInteractions } from './interactions/index.ts';
import { createMemberClient, type MemberClient } from './member/index.ts';
import { bridge, registerUploads } from './member/socket.ts';
import { createUploads } from './messages/attachments.ts';
import { registerPage } from './page/index.ts';
import type { RestFaults } from './rest/faults.ts';
import { registerRest, type SeenRequest, withoutVersion } from './rest/index.ts';
import type { LocalDiscord, LocalDiscordOptions } from './types.ts';
import { startVoiceServer, trustCertificate } from './voice/index.ts';
import { addRole, inviteApplication, removeApplication, setMemberRoles, setRolePermissions } from './world/guilds.ts';
import { deleteChannel, type Guild, guildChannel, isDm, setOverwrite } from './world/index.ts';
import { may } from './world/permissions.ts';
import { createWorld } from './world/seed.ts';
import { reviewVoice, setVoiceFlags, setVoiceState, tellVoiceServer } from './world/voice-states.ts';

export type { MemberClient } from './member/index.ts';
export type { SeenRequest } from './rest/index.ts';
export type { LocalDiscord, LocalDiscordOptions } from './types.ts';
export { trustCertificate };

/** Starts everything. @throws Error with `code` EADDRINUSE where the port is taken. */
export async function startLocalDiscord(options: LocalDiscordOptions = {}): Promise<LocalDiscord> {
  const {
    port = 0,
    application = { name: 'Application', description: '' },
    privilegedIntents = 0,
    installedBy = 'both',
    guilds = 1,
    members: people = 2,
    keep: { messages: keptMessages = 500, uploadBytes = 512 * 1024 * 1024 } = {},
    heartbeatMs,
    // Whoever else uses this machine may look at the page, but acts as nobody without the key in its address.
    pageKey = randomBytes(24).toString('base64url'),
    log,
  } = options;
  const world = createWorld({
    application: { ...application, privilegedIntents },
    inGuilds: installedBy !== 'member',
    forMembers: installedBy !== 'guild',
    guilds,
    members: people,
    keptMessages,
  });
  const voice = await startVoiceServer({ log: (message) => log?.debug({}, message) });
  const app = Fastify({ bodyLimit: 30 * 1024 * 1024, forceCloseConnections: true, rewriteUrl: ({ url = '/' }) => withoutVersion(url) });
  let origin = '';
  const gatewayUrl = () => `${origin.replace('http', 'ws')}/gateway`;
  const uploads = createUploads(app, () => origin, uploadBytes);
  const gateway = createGateway({ world, voice, url: gatewayUrl, ...(heartbeatMs === undefined ? {} : { heartbeatMs }) });
  const interactions = createInteractions(world, { hasSession: () => gateway.hasSession });
  const powers = { world, voice, uploads, interactions, online: () => gateway.online };
  const requestListeners = new Set<(request: SeenRequest) => void>();
  const faults: RestFaults = { rest: [] };
  const members = new Set<MemberClient>();

  function guildById(id = world.guild.id): Guild {
    const guild = world.guilds.get(id);
    if (!guild) throw new Error(`There is no guild ${id}.`);
    return guild;
  }

  /** @throws Error where there is no such member. */
  function findMember(name = 'Robin', guildId?: string): { guild: Guild; userId: string } {
    const fits = ({ id, username, global_name }: APIUser) =>
      id === name || [username, global_name].some((one) => one?.toLowerCase() === name.toLowerCase());
    const home = guildId === undefined ? [...world.guilds.values()] : [guildById(guildId)];
    for (const guild of home)
      for (const { user } of guild.members.values()) {
        if (!user.bot && fits(user)) return { guild, userId: user.id };
      }
    throw new Error(`There is no member ${name}.`);
  }

  function member(name?: string, guildId?: string): MemberClient {
    const { guild, userId } = findMember(name, guildId);
    const client = createMemberClient(userId, guild, powers);
    members.add(client);
    const close = () => {
      members.delete(client);
      client.close();
    };
    return { ...client, close };
  }

  /** Does something to a guild, and what that means for who is in voice there. */
  function change(guild: Guild, how: (guild: Guild) => void): void {
    how(guild);
    reviewVoice(world, voice, guild);
    tellCommands(world);
  }

  function guildWith(channelId: string): Guild {
    return guildById(guildChannel(world, channelId)?.guild_id);
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
      if (gateway.refuses) return void socket.destroy();
      sockets.handleUpgrade(request, socket, head, (client) => gateway.accept(client, searchParams));
    } else if (pathname === '/member') {
      if (!isSame(searchParams.get('key'), pageKey)) return refuse('401 Unauthorized');
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
      log,
      onRequest: (request) => {
        for (const listener of requestListeners) listener(request);
      },
    });
    await registerUploads(app, {
      uploads,
      userIdOf: (name) => findMember(name).userId,
      isKey: (key) => isSame(key, pageKey),
    });
    registerPage(app);
    await app.listen({ host: '127.0.0.1', port });
  } catch (error) {
    gateway.close();
    await Promise.allSettled([app.close(), voice.close()]);
    throw error;
  }
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  return {
    url: origin,
    pageUrl: (user) => `${origin}/${user === undefined ? '' : `?user=${encodeURIComponent(user)}`}#${pageKey}`,
    apiUrl: `${origin}/api`,
    cdnUrl: origin,
    application: { id: world.application.id, token: world.application.token },
    guildId: world.guild.id,
    guildIds: [...world.guilds.keys()],
    channelId(name, guildId) {
      const channel = [...guildById(guildId).channels.values()].find((one) => one.name === name);
      if (!channel) throw new Error(`There is no channel ${name}.`);
      return channel.id;
    },
    certificate: voice.certificate,
    member,
    world,
    moveUser(userId, channelId, guildId) {
      const channel = guildChannel(world, channelId ?? '');
      setVoiceState(world, voice, guildById(channel?.guild_id ?? guildId), userId, channelId);
    },
    setServerMute: (userId, isMuted = true, guildId) => setVoiceFlags(world, voice, guildById(guildId), userId, { mute: isMuted }),
    setPermissions: (channelId, userId, permissions) =>
      change(guildWith(channelId), () => setOverwrite(world, channelId, userId, permissions)),
    deleteChannel: (channelId) => change(guildWith(channelId), () => deleteChannel(world, channelId)),
    invite: (guildId) => change(guildById(guildId), (guild) => inviteApplication(world, guild)),
    putOut: (guildId) => change(guildById(guildId), (guild) => removeApplication(world, guild)),
    setInstalled(userId, isInstalled) {
      if (isInstalled) world.application.installedFor.add(userId);
      else world.application.installedFor.delete(userId);
      tellCommands(world);
    },
    setDmsOpen(userId, areOpen) {
      if (areOpen) world.closedToDms.delete(userId);
      else world.closedToDms.add(userId);
    },
    addRole: (name, permissions, guildId) => addRole(world, guildById(guildId), name, permissions),
    setRolePermissions: (roleId, permissions, guildId) =>
      change(guildById(guildId ?? (world.guilds.has(roleId) ? roleId : undefined)), (guild) =>
        setRolePermissions(world, guild, roleId, permissions),
      ),
    setRoles: (userId, roleIds, guildId) => change(guildById(guildId), (guild) => setMemberRoles(world, guild, userId, roleIds)),
    gateway,
    voice,
    rest: {
      get rest() {
        return faults.rest;
      },
      onRequest: (listener) => requestListeners.add(listener),
    },
    failRest: (match, how, times = 1) => void faults.rest.push({ match, how, times }),
    closeVoice: (code, guildId) => voice.faults.closeGateway(guildById(guildId).id, world.application.id, code),
    setEncryption: (channelId, isOn) => voice.faults.setEncrypted(guildWith(channelId).id, channelId, isOn),
    async changeVoiceServer({ isTrusted = true, gap } = {}) {
      if (gap !== undefined) tellVoiceServer(world, null);
      await Promise.all([voice.relocate({ isTrusted }), gap === undefined ? undefined : sleep(gap)]);
      tellVoiceServer(world, voice);
    },
    forge({ userId }, { channelId, type, data, messageId }) {
      const channel = world.channels.get(channelId);
      if (!channel || !may(world, userId, channel, 0n)) throw new Error('There is no such channel.');
      const source = world.messages.get(channelId)?.find(({ id }) => id === messageId) ?? null;
      const owners = isDm(channel) ? { 1: userId } : { 0: channel.guild_id };
      return interactions.begin({ type, userId, channel, owners, data, source });
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

function isSame(given: string | null | undefined, secret: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Another page in the browser could otherwise drive the local Discord, by its own script or by a name that leads here. */
function isForeign({ headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (host !== '127.0.0.1' && host !== 'localhost') return true;
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
