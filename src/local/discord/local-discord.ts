// Starts the local Discord: puts together its REST API, gateway, voice server, attachments and page around one world.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIUser, Locale } from 'discord-api-types/v10';
import Fastify from 'fastify';
import { WebSocketServer } from 'ws';
import { isForeign, isKeyEqual } from './auth.ts';
import { createGateway } from './gateway/gateway.ts';
import { emitCommandsUpdate } from './interactions/commands.ts';
import { createInteractions } from './interactions/interactions.ts';
import { createMemberClient, type MemberClient } from './member/member-client.ts';
import { registerUploadRoute, serveMemberSocket } from './member/routes.ts';
import { createAttachmentStore } from './messages/attachments.ts';
import { addWebhookMessage } from './messages/messages.ts';
import { registerPage } from './page/page-server.ts';
import { registerPictures } from './pictures/pictures.ts';
import { injectFault, type RestFault } from './rest/faults.ts';
import { createRateLimits } from './rest/rate-limits.ts';
import { registerRest, rewriteVersion } from './rest/rest-api.ts';
import type { RestExchange } from './rest/types.ts';
import { moveUrls } from './storage/move-urls.ts';
import { openStorage } from './storage/storage.ts';
import type { LocalDiscord, LocalDiscordOptions } from './types.ts';
import { startVoiceServer } from './voice/voice-server.ts';
import { deleteChannel, setOverwrite } from './world/channels.ts';
import { addApplication, addRole, removeApplication, setMemberRoles, setRolePermissions } from './world/guilds.ts';
import { editGuild, findLocale, localeOf, setLocale } from './world/languages.ts';
import { hasPermissions } from './world/permissions.ts';
import { createWorld } from './world/seed.ts';
import { emitThreadListSync, listVisibleChannels } from './world/threads.ts';
import { announceVoiceServer, enforceVoicePermissions, setVoiceFlags, setVoiceState } from './world/voice-states.ts';
import { findGuildChannel, type Guild, isDm } from './world/world.ts';

const PLAIN = {
  farewell: '',
  stepsTitles: { name: 'First steps', begin: 'Start here', next: 'Try next', dismiss: 'Dismiss the first steps' },
  firstSteps: [],
};

/** Routes have no JSON schemas here, so Fastify needn't load its own compilers of them, which takes tens of milliseconds. */
const noCompiler = () => () => {
  throw new Error('There is no compiler of JSON schemas.');
};

/** @throws Error with `code` EADDRINUSE if the port is taken */
export async function startLocalDiscord(options: LocalDiscordOptions = {}): Promise<LocalDiscord> {
  const {
    port = 0,
    application = { name: 'Application', description: '' },
    introduce = () => ({ description: application.description, note: null, ...PLAIN }),
    onOpened = () => {},
    privilegedIntents = 0,
    installedBy = 'both',
    guilds = 1,
    members: membersPerGuild = 2,
    preferredLocale,
    retention: { messagesPerChannel = 500, attachmentBytes = 256 * 1024 * 1024 } = {},
    voiceModes,
    heartbeatMs,
    responseMs = 3_000,
    shards = 1,
    identifyLimits,
    rateLimitPace = 1,
    crowdPaceMs = 5_000,
    speak = null,
    talkersPress = null,
    talkPauseMs = 800,
    directory,
    // Other users of this machine may load the page, but need the key to act as a member.
    pageKey = randomBytes(24).toString('base64url'),
    log = { debug() {}, warn() {} },
  } = options;
  const storage = directory === undefined ? null : openStorage(directory, log);
  const saved = storage?.saved ?? null;
  const world = createWorld(
    {
      application: { ...application, privilegedIntents },
      guildInstalls: installedBy !== 'member',
      userInstalls: installedBy !== 'guild',
      guildCount: guilds,
      membersPerGuild,
      maxMessagesPerChannel: messagesPerChannel,
      preferredLocale,
    },
    saved,
  );
  const voice = await startVoiceServer({
    modes: voiceModes,
    log: (message) => log.debug({}, message),
    warn: (message) => {
      log.warn({}, message);
      world.emit({ t: 'VOICE_WARNING', d: { sentence: message }, to: 'members' });
    },
  });
  const app = Fastify({
    bodyLimit: 30 * 1024 * 1024,
    forceCloseConnections: true,
    rewriteUrl: ({ url = '/' }) => rewriteVersion(url),
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  });
  let origin = '';
  const gatewayUrl = () => `${origin.replace('http', 'ws')}/gateway`;
  const attachments = createAttachmentStore({
    app,
    origin: () => origin,
    key: pageKey,
    maxBytes: attachmentBytes,
    storage: storage?.files ?? null,
    saved: saved?.files ?? [],
  });
  const gateway = createGateway({ world, voice, url: gatewayUrl, heartbeatMs, identifyLimits });
  const interactions = createInteractions(world, { hasSession: () => gateway.hasSession, responseMs });
  if (saved) interactions.restore(saved.interactions);
  const restListeners = new Set<(exchange: RestExchange) => void>();
  const restFaults: RestFault[] = [];
  const blockedWords: string[] = [];
  const rateLimits = createRateLimits(rateLimitPace);
  const members = new Set<MemberClient>();

  function requireGuild(id = world.firstGuild.id): Guild {
    const guild = world.guilds.get(id);
    if (!guild) throw new Error(`There is no guild ${id}.`);
    return guild;
  }

  function requireGuildOfChannel(channelId: string): Guild {
    return requireGuild(findGuildChannel(world, channelId)?.guild_id);
  }

  /** Finds a member by name or id, in all guilds by default. @throws Error if there is none */
  function requireMember(nameOrId = 'Robin', guildId?: string): { guild: Guild; userId: string } {
    const matches = ({ id, username, global_name }: APIUser) =>
      id === nameOrId || [username, global_name].some((name) => name?.toLowerCase() === nameOrId.toLowerCase());
    const searched = guildId === undefined ? [...world.guilds.values()] : [requireGuild(guildId)];
    for (const guild of searched)
      for (const { user } of guild.members.values()) {
        if (!user.bot && matches(user)) return { guild, userId: user.id };
      }
    throw new Error(`There is no member ${nameOrId}.`);
  }

  /** Nobody has opened a page here before: the servers take the language of whoever is first. */
  let isNew = saved === null && preferredLocale === undefined;

  /** Of a member who has none yet; a browser's may be one that Discord isn't available in. */
  function takeLanguage(userId: string, language: string): void {
    const locale = findLocale(language);
    if (locale === null || world.locales.has(userId)) return;
    setLocale(world, userId, locale);
    if (isNew) for (const guild of world.guilds.values()) editGuild(world, guild, { preferred_locale: locale });
    isNew = false;
  }

  function openMember(nameOrId?: string, { guildId, locale }: { guildId?: string | undefined; locale?: Locale } = {}): MemberClient {
    const { guild, userId } = requireMember(nameOrId, guildId);
    if (locale) setLocale(world, userId, locale);
    const client = createMemberClient(userId, guild, {
      world,
      voice,
      attachments,
      interactions,
      crowdPaceMs,
      speak,
      talkersPress,
      talkPauseMs,
      introduction: () => ({ ...introduce(localeOf(world, userId)), othersTalk: speak !== null }),
      takeLanguage: (language) => takeLanguage(userId, language),
      isApplicationOnline: () => gateway.online,
      isPresent: (id) => [...members].some((member) => member.userId === id),
    });
    members.add(client);
    const close = () => {
      members.delete(client);
      client.close();
    };
    return { ...client, close };
  }

  /** Changes a guild's channels, roles or members, then applies the consequences for voice and commands. */
  function changeGuild(guild: Guild, change: (guild: Guild) => void): void {
    const visible = new Set(listVisibleChannels(world, guild, world.application.id));
    change(guild);
    const gained = listVisibleChannels(world, guild, world.application.id).filter((id) => !visible.has(id));
    emitThreadListSync(world, guild, gained);
    enforceVoicePermissions(world, voice, guild);
    emitCommandsUpdate(world);
  }

  app.addHook('onRequest', async (request, reply) => {
    if (isForeign(request.raw))
      return reply.code(403).type('text/plain').send('Only this machine, and only its own page, may use the local Discord.');
    if (await injectFault(restFaults, request, reply)) return reply;
  });
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  app.server.on('upgrade', (request, socket, head) => {
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    if (isForeign(request)) return refuse('403 Forbidden');
    if (!URL.canParse(request.url ?? '/', origin)) return refuse('400 Bad Request');
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname.startsWith('/gateway')) {
      if (gateway.isRefusing) return void socket.destroy();
      webSockets.handleUpgrade(request, socket, head, (webSocket) => gateway.accept(webSocket, searchParams));
    } else if (pathname === '/member') {
      if (!isKeyEqual(searchParams.get('key'), pageKey)) return refuse('401 Unauthorized');
      let client: MemberClient;
      try {
        client = openMember(searchParams.get('user') || undefined);
      } catch {
        return refuse('404 Not Found');
      }
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        serveMemberSocket(webSocket, client);
        onOpened();
      });
    } else {
      refuse('404 Not Found');
    }
  });

  try {
    await registerRest(app, {
      world,
      voice,
      attachments,
      interactions,
      gatewayUrl,
      describeGateway: () => ({ shards, session_start_limit: gateway.describeIdentifyLimits() }),
      rateLimits,
      blockedWords,
      log,
      onExchange(exchange) {
        for (const listener of restListeners) listener(exchange);
      },
    });
    await registerUploadRoute(app, {
      attachments,
      findUserId: (name) => requireMember(name).userId,
      isKey: (key) => isKeyEqual(key, pageKey),
    });
    registerPage(app);
    registerPictures(app, world);
    // Before the first connection, which may be an open page's.
    app.server.once('listening', () => {
      origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
      const isMoved = saved !== null && moveUrls(world.messages, saved.origin, origin, attachments.sign);
      storage?.follow({ world, origin, listInteractions: interactions.list, deleteFilesBefore: attachments.deleteBefore }, isMoved);
    });
    await app.listen({ host: '127.0.0.1', port });
  } catch (error) {
    gateway.close();
    await Promise.allSettled([app.close(), voice.close(), storage?.close()]);
    throw error;
  }

  return {
    url: origin,
    pageUrl: (user) => `${origin}/${user === undefined ? '' : `?user=${encodeURIComponent(user)}`}#${pageKey}`,
    apiUrl: `${origin}/api`,
    cdnUrl: origin,
    application: world.application,
    guildId: world.firstGuild.id,
    guildIds: [...world.guilds.keys()],
    updateIntroduction() {
      for (const client of members) client.showIntroduction();
    },
    channelId(name, guildId) {
      const channel = [...requireGuild(guildId).channels.values()].find((candidate) => candidate.name === name);
      if (!channel) throw new Error(`There is no channel ${name}.`);
      return channel.id;
    },
    certificate: voice.certificate,
    member: openMember,
    world,
    setPreferredLocale: (locale, guildId) => editGuild(world, requireGuild(guildId), { preferred_locale: locale }),
    moveUser(userId, channelId, guildId) {
      const channel = findGuildChannel(world, channelId ?? '');
      setVoiceState(world, voice, requireGuild(channel?.guild_id ?? guildId), userId, channelId);
    },
    setServerMute: (userId, isMuted = true, guildId) => setVoiceFlags(world, voice, requireGuild(guildId), userId, { mute: isMuted }),
    setPermissions: (channelId, memberOrRoleId, permissions) =>
      changeGuild(requireGuildOfChannel(channelId), () => setOverwrite(world, channelId, memberOrRoleId, permissions)),
    deleteChannel: (channelId) => changeGuild(requireGuildOfChannel(channelId), () => deleteChannel(world, channelId)),
    writeAsWebhook(channelId, name, content) {
      const channel = findGuildChannel(world, channelId);
      if (!channel) throw new Error(`There is no channel ${channelId}.`);
      return addWebhookMessage(world, channel, name, content);
    },
    addBot: (guildId) => changeGuild(requireGuild(guildId), (guild) => addApplication(world, guild)),
    removeBot: (guildId) => changeGuild(requireGuild(guildId), (guild) => removeApplication(world, guild)),
    setUserInstalled(userId, isInstalled) {
      if (isInstalled) world.application.userInstalls.add(userId);
      else world.application.userInstalls.delete(userId);
      emitCommandsUpdate(world);
    },
    setAcceptsDms(userId, accepts) {
      if (accepts) world.refusingDms.delete(userId);
      else world.refusingDms.add(userId);
    },
    addRole: (name, permissions, guildId) => addRole(world, requireGuild(guildId), name, permissions),
    setRolePermissions(roleId, permissions, guildId) {
      const guild = requireGuild(guildId ?? (world.guilds.has(roleId) ? roleId : undefined));
      changeGuild(guild, () => setRolePermissions(world, guild, roleId, permissions));
    },
    setRoles: (userId, roleIds, guildId) => changeGuild(requireGuild(guildId), (guild) => setMemberRoles(world, guild, userId, roleIds)),
    gateway,
    voice,
    restFaults,
    failRest: (match, how, times = 1) => void restFaults.push({ match, how, times }),
    blockedWords,
    limitRest: rateLimits.exhaust,
    onRestRequest: (listener) => void restListeners.add(listener),
    closeVoiceGateway: (code, guildId) => voice.faults.closeGateway(requireGuild(guildId).id, world.application.id, code),
    async changeVoiceServer({ isTrusted = true, gap } = {}) {
      if (gap !== undefined) announceVoiceServer(world, null);
      await Promise.all([voice.relocate({ isTrusted }), gap === undefined ? undefined : sleep(gap)]);
      announceVoiceServer(world, voice);
    },
    forgeInteraction({ userId }, { channelId, type, data, messageId }) {
      const channel = world.channels.get(channelId);
      if (!channel || !hasPermissions(world, userId, channel, 0n)) throw new Error('There is no such channel.');
      const source = world.messages.get(channelId)?.find(({ id }) => id === messageId) ?? null;
      const owners = isDm(channel) ? { 1: userId } : { 0: channel.guild_id };
      return interactions.create({ type, userId, channel, owners, data, source });
    },
    expireInteractions: interactions.expire,
    limitResponses: interactions.limitResponses,
    async close() {
      interactions.close();
      // First of all: members who leave one after the other would make a new group of those who are left each time.
      voice.endCalls();
      for (const client of members) client.close();
      gateway.close();
      for (const webSocket of webSockets.clients) webSocket.terminate();
      await app.close();
      await voice.close();
      await storage?.close();
    },
  };
}
