// REST v10 as far as an application of this kind needs it.
import multipart from '@fastify/multipart';
import { type APIAttachment, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { overwriteCommands, upsertCommand } from './commands.ts';
import { IDENTIFIES_A_DAY } from './gateway.ts';
import { ATTACHMENT_LIMIT, content, type Files, type Interactions, newMessage } from './interactions.ts';
import { checkMessage, type MessageForm } from './message-form.ts';
import { may } from './permissions.ts';
import { DiscordProblem, problems } from './problems.ts';
import type { Uploads } from './uploads.ts';
import { asGuild, asMessage } from './views.ts';
import type { VoiceServer } from './voice/types.ts';
import { setVoiceState } from './voice-states.ts';
import { addMessage, findMessage, type GuildChannel, removeMessage, type World } from './world.ts';

/** Lowest value that a whole request may take beside its files. */
const BODY_LIMIT = 30 * 1024 * 1024;

export interface RestFaults {
  /** Answers the next requests whose `METHOD /path` fits; the first that fits and has `times` left is taken. */
  rest: RestFault[];
}

export interface RestFault {
  match: RegExp;
  times: number;
  /** A status with a body, a reset socket, or no answer at all. */
  how: { status: number; retryAfterSeconds?: number } | 'reset' | 'hang';
}

/** One request as it arrived, for whoever checks it against Discord's published description. */
export interface SeenRequest {
  method: string;
  /** Without `/api/v10` and query. */
  path: string;
  body: unknown;
}

export interface RestPowers {
  world: World;
  voice: VoiceServer;
  uploads: Uploads;
  interactions: Interactions;
  gatewayUrl: () => string;
  identifiesLeft: () => number;
  faults: RestFaults;
  onRequest: (request: SeenRequest) => void;
}

type Params = Record<string, string>;

export async function registerRest(app: FastifyInstance, powers: RestPowers): Promise<void> {
  await app.register(
    async (api) => {
      await api.register(multipart, { limits: { fileSize: ATTACHMENT_LIMIT, files: 10, fieldSize: BODY_LIMIT } });
      api.setErrorHandler((error, _request, reply) => {
        if (error instanceof DiscordProblem) return reply.code(error.status).send(error.toJSON());
        const { statusCode, message, code } = error as { statusCode?: number; message: string; code?: string };
        if (code === 'FST_REQ_FILE_TOO_LARGE') return reply.code(413).send(problems.tooLarge().toJSON());
        return reply.code(statusCode ?? 500).send({ message: `${statusCode ?? 500}: ${message}`, code: 0 });
      });
      api.setNotFoundHandler((_, reply) => reply.code(404).send(problems.notFound().toJSON()));
      api.addHook('onRequest', async (request, reply) => {
        injectFault(powers.faults, request, reply);
        reply
          .header('x-ratelimit-limit', '50')
          .header('x-ratelimit-remaining', '49')
          .header('x-ratelimit-reset-after', '1')
          .header('x-ratelimit-bucket', 'local');
        // Callbacks and webhooks carry their right in their own address.
        const open = /\/(interactions|webhooks)\//.test(request.url);
        if (!open && request.headers.authorization !== `Bot ${powers.world.application.token}`) throw problems.unauthorized();
      });
      applicationRoutes(api, powers);
      interactionRoutes(api, powers);
      channelRoutes(api, powers);
      guildRoutes(api, powers);
    },
    { prefix: '/api/v10' },
  );
}

function injectFault(faults: RestFaults, request: FastifyRequest, reply: FastifyReply): void {
  const name = `${request.method} ${decodeURIComponent(request.url)}`;
  const fault = faults.rest.find(({ match, times }) => times > 0 && match.test(name));
  if (!fault) return;
  fault.times--;
  if (fault.how === 'reset') {
    reply.hijack();
    request.raw.socket.resetAndDestroy();
  } else if (fault.how === 'hang') {
    reply.hijack();
  } else {
    const { status, retryAfterSeconds } = fault.how;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds)).header('x-ratelimit-scope', 'user');
    reply.code(status).send({
      message: `${status}`,
      code: 0,
      ...(retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds, global: false }),
    });
  }
}

function applicationRoutes(api: FastifyInstance, { world, gatewayUrl, identifiesLeft }: RestPowers): void {
  const { application } = world;
  const scope = (params: Params) => {
    if (params.app !== application.id) throw problems.missingAccess();
    if (params.guild !== undefined && params.guild !== world.guild.id) throw problems.missingAccess();
    return params.guild ?? null;
  };
  const describe = () => ({
    id: application.id,
    name: application.name,
    description: application.description,
    icon: null,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '',
    flags: 0,
    owner: application.owner,
    team: null,
    integration_types_config: { 0: {}, 1: {} },
  });
  api.get('/gateway', () => ({ url: gatewayUrl() }));
  api.get('/gateway/bot', () => ({
    url: gatewayUrl(),
    shards: 1,
    session_start_limit: { total: IDENTIFIES_A_DAY, remaining: identifiesLeft(), reset_after: 86_400_000, max_concurrency: 1 },
  }));
  api.get('/applications/@me', describe);
  api.get('/oauth2/applications/@me', describe);
  api.get('/users/@me', () => ({ ...application.user, verified: true, mfa_enabled: true, locale: 'en-US', flags: 0, email: null }));
  api.get('/users/@me/guilds', () => [
    { id: world.guild.id, name: world.guild.name, icon: null, owner: false, permissions: '0', features: [] },
  ]);
  api.get('/users/:user', ({ params }) => {
    const user = world.users.get((params as Params).user ?? '');
    if (!user) throw problems.unknownUser();
    return user;
  });
  for (const base of ['/applications/:app/commands', '/applications/:app/guilds/:guild/commands']) {
    const find = (params: Params) => {
      const guildId = scope(params);
      const command = world.commands.find(({ id, guild_id }) => id === params.command && (guild_id ?? null) === guildId);
      if (!command) throw problems.unknownCommand();
      return command;
    };
    api.get(base, ({ params }) => {
      const guildId = scope(params as Params);
      return world.commands.filter(({ guild_id }) => (guild_id ?? null) === guildId);
    });
    api.put(base, ({ params, body }) => overwriteCommands(world, body as never, scope(params as Params)));
    api.post(base, ({ params, body }) => upsertCommand(world, body as never, scope(params as Params)));
    api.get(`${base}/:command`, ({ params }) => find(params as Params));
    api.patch(`${base}/:command`, ({ params, body }) => {
      const { id: _, version: __, ...old } = find(params as Params);
      return upsertCommand(world, { ...old, ...(body as object) }, scope(params as Params));
    });
    api.delete(`${base}/:command`, ({ params }, reply) => {
      const { id } = find(params as Params);
      world.commands = world.commands.filter((command) => command.id !== id);
      world.tell({ t: 'COMMANDS_UPDATE', d: world.commands, to: 'members' });
      return reply.code(204).send();
    });
  }
}

function interactionRoutes(api: FastifyInstance, powers: RestPowers): void {
  const { world, interactions } = powers;
  api.post('/interactions/:id/:token/callback', async (request, reply) => {
    const { id = '', token = '' } = request.params as Params;
    const { body, files } = await readForm(request, powers, world.guild.id);
    const { type, data = {} } = body as { type: number; data?: Record<string, unknown> };
    const message = interactions.answer(id, token, type, data, files);
    if ((request.query as Params).with_response !== 'true') return reply.code(204).send();
    const thinking = ((message?.flags ?? 0) & 128) !== 0;
    return {
      interaction: {
        id,
        type: 2,
        response_message_id: message?.id,
        response_message_loading: thinking,
        response_message_ephemeral: message?.onlyFor !== undefined,
      },
      resource: { type, ...(message ? { message: asMessage(message) } : {}) },
    };
  });
  const webhook = '/webhooks/:app/:token';
  const known = (request: FastifyRequest) => {
    const { app, token = '', message = '' } = request.params as Params;
    if (app !== world.application.id) throw problems.unknownWebhook();
    return { token, messageId: decodeURIComponent(message) };
  };
  api.post(webhook, async (request) => {
    const { token } = known(request);
    const { body, files } = await readForm(request, powers, interactions.byToken(token).channel.id);
    return asMessage(interactions.followUp(token, body, files));
  });
  api.get(`${webhook}/messages/:message`, (request) => {
    const { token, messageId } = known(request);
    return asMessage(interactions.messageOf(interactions.byToken(token), messageId));
  });
  api.patch(`${webhook}/messages/:message`, async (request) => {
    const { token, messageId } = known(request);
    const interaction = interactions.byToken(token);
    const { body, files } = await readForm(request, powers, interaction.channel.id);
    return asMessage(interactions.change(interactions.messageOf(interaction, messageId), body, files));
  });
  api.delete(`${webhook}/messages/:message`, (request, reply) => {
    const { token, messageId } = known(request);
    interactions.remove(token, messageId);
    return reply.code(204).send();
  });
}

function channelRoutes(api: FastifyInstance, powers: RestPowers): void {
  const { world, interactions } = powers;
  const me = world.application.user.id;
  const channelOf = (request: FastifyRequest, flags = 0n): GuildChannel => {
    const channel = world.guild.channels.get((request.params as Params).channel ?? '');
    if (!channel) throw problems.unknownChannel();
    if (!may(world.guild, me, channel, P.ViewChannel)) throw problems.missingAccess();
    if (!may(world.guild, me, channel, flags)) throw problems.missingPermissions();
    return channel;
  };
  const messageOf = (request: FastifyRequest) => {
    const { channel = '', message = '' } = request.params as Params;
    const found = findMessage(world, channel, message);
    if (!found || found.onlyFor !== undefined) throw problems.unknownMessage();
    return found;
  };
  api.get('/channels/:channel', (request) => channelOf(request));
  api.post('/channels/:channel/typing', (request, reply) => {
    const { id } = channelOf(request, P.SendMessages);
    world.tell({ t: 'TYPING_START', d: { user_id: me, channel_id: id }, to: 'members' });
    return reply.code(204).send();
  });
  api.get('/channels/:channel/messages', (request) => {
    const { id } = channelOf(request, P.ReadMessageHistory);
    const all = (world.messages.get(id) ?? []).filter(({ onlyFor }) => onlyFor === undefined);
    return all
      .slice(-Number((request.query as Params).limit ?? 50))
      .reverse()
      .map(asMessage);
  });
  api.post('/channels/:channel/messages', async (request) => {
    const channel = channelOf(request, P.SendMessages);
    const { body, files } = await readForm(request, powers, channel.id);
    checkMessage(body, files.attachments.size);
    const flags = (body.flags ?? 0) & ~64;
    const message = {
      ...newMessage(channel.id, world.application.user),
      flags,
      ...content(body, files, []),
      application_id: world.application.id,
    };
    addMessage(world, message as never);
    return message;
  });
  const one = '/channels/:channel/messages/:message';
  api.get(one, (request) => {
    channelOf(request);
    return asMessage(messageOf(request));
  });
  api.patch(one, async (request) => {
    const channel = channelOf(request);
    const message = messageOf(request);
    if (message.author.id !== me) throw problems.missingPermissions();
    const { body, files } = await readForm(request, powers, channel.id);
    return asMessage(interactions.change(message, body, files));
  });
  api.delete(one, (request, reply) => {
    const message = messageOf(request);
    channelOf(request, message.author.id === me ? 0n : P.ManageMessages);
    removeMessage(world, message.channel_id, message.id);
    return reply.code(204).send();
  });
}

function guildRoutes(api: FastifyInstance, { world, voice }: RestPowers): void {
  const { guild, application } = world;
  const inGuild = (request: FastifyRequest) => {
    const params = request.params as Params;
    if (params.guild !== guild.id) throw problems.unknownGuild();
    return params;
  };
  const memberOf = (request: FastifyRequest) => {
    const { user = '' } = inGuild(request);
    const member = guild.members.get(user === '@me' ? application.user.id : user);
    if (!member) throw problems.unknownMember();
    return member;
  };
  api.get('/guilds/:guild', (request) => {
    inGuild(request);
    return asGuild(guild);
  });
  api.get('/guilds/:guild/channels', (request) => {
    inGuild(request);
    return [...guild.channels.values()];
  });
  api.get('/guilds/:guild/roles', (request) => {
    inGuild(request);
    return guild.roles;
  });
  api.get('/guilds/:guild/members/:user', (request) => memberOf(request));
  api.get('/guilds/:guild/voice-states/:user', (request) => {
    const state = guild.voiceStates.get(memberOf(request).user.id);
    if (!state) throw new DiscordProblem(404, 10065, 'Unknown Voice State');
    return state;
  });
  api.patch('/guilds/:guild/members/:user', (request) => {
    const member = memberOf(request);
    const { channel_id } = request.body as { channel_id?: string | null };
    if (channel_id !== undefined) setVoiceState(world, voice, member.user.id, channel_id);
    return member;
  });
}

/** JSON, or multipart with `payload_json` and `files[n]`. */
async function readForm(
  request: FastifyRequest,
  powers: RestPowers,
  channelId: string,
): Promise<{ body: MessageForm & Record<string, unknown>; files: Files }> {
  const files: Files = { attachments: new Map() };
  let body: Record<string, unknown> = {};
  if (!request.isMultipart()) {
    body = (request.body ?? {}) as Record<string, unknown>;
  } else {
    const received: { index: string; filename: string; type: string; bytes: Buffer }[] = [];
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.fieldname === 'payload_json') body = JSON.parse(String(part.value));
      } else {
        const index = /^files\[(\d+)\]$/.exec(part.fieldname)?.[1] ?? '0';
        received.push({ index, filename: part.filename, type: part.mimetype, bytes: await part.toBuffer() });
      }
    }
    for (const { index, filename, type, bytes } of received) {
      const attachment: APIAttachment = powers.uploads.add(channelId, filename, type, bytes);
      files.attachments.set(index, attachment);
    }
  }
  const path = decodeURIComponent(request.url.replace(/^\/api\/v10/, '').replace(/\?.*$/, ''));
  powers.onRequest({ method: request.method, path, body });
  return { body, files };
}
