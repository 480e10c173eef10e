// REST: threads. https://docs.discord.com/developers/resources/channel#start-thread-from-message
import { ChannelType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { startThread } from '../../messages/threads.ts';
import { createValidator, type JsonObject, type Validator } from '../../validator.ts';
import { hasPermissions } from '../../world/permissions.ts';
import { listActiveThreads, serializeThread, serializeThreadList } from '../../world/serialize.ts';
import { ARCHIVE_DURATIONS, deleteThread, editThread, type ThreadChanges } from '../../world/threads.ts';
import { findGuildChannel, type Guild, type GuildChannel, type Thread, type World } from '../../world/world.ts';
import { requireChannel, requireGuild, requireMessage, requireThread } from '../lookup.ts';
import { parseLimit } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

/** In seconds. */
const MAX_SLOWDOWN = 21_600;

export function threadRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  const { id: applicationId } = world.application;
  const serialize = (thread: Thread) => serializeThread(world, thread, applicationId);
  const serializeList = (threads: Thread[]) => serializeThreadList(world, threads, applicationId);

  api.post('/channels/:channel/messages/:message/threads', (request, reply) => {
    const [guild, parent] = requireParent(world, request, P.CreatePublicThreads);
    const starter = requireMessage(world, request);
    const { type: _, ...options } = readOptions(request.body);
    if (guild.threads.has(starter.id)) throw discordErrors.threadExists();
    return reply.code(201).send(serialize(startThread(world, guild, parent, { ...options, ownerId: applicationId }, starter)));
  });
  api.post('/channels/:channel/threads', (request, reply) => {
    const { type, ...options } = readOptions(request.body);
    const isPublic = type === ChannelType.PublicThread;
    const [guild, parent] = requireParent(world, request, isPublic ? P.CreatePublicThreads : P.CreatePrivateThreads);
    const thread = startThread(world, guild, parent, {
      ...options,
      ownerId: applicationId,
      type: isPublic ? ChannelType.PublicThread : ChannelType.PrivateThread,
    });
    return reply.code(201).send(serialize(thread));
  });
  api.patch('/channels/:channel', (request) => {
    const thread = requireThread(world, request);
    const changes = readChanges(request.body);
    checkMayEdit(world, thread, changes);
    editThread(world, thread, changes);
    return serialize(thread);
  });
  api.delete('/channels/:channel', (request) => {
    const thread = requireThread(world, request);
    if (!hasPermissions(world, applicationId, thread, P.ManageThreads)) throw discordErrors.missingPermissions();
    deleteThread(world, thread);
    return serialize(thread);
  });

  api.get('/guilds/:guild/threads/active', (request) =>
    serializeList(listActiveThreads(world, requireGuild(world, request), applicationId)),
  );
  for (const kind of ['public', 'private'] as const)
    api.get(`/channels/:channel/threads/archived/${kind}`, (request) => {
      const needed = P.ReadMessageHistory | (kind === 'private' ? P.ManageThreads : 0n);
      const [guild, parent] = requireParent(world, request, needed);
      const { limit, before } = request.query as Params;
      const max = parseLimit(limit, 50, 100);
      const type = kind === 'public' ? ChannelType.PublicThread : ChannelType.PrivateThread;
      const archived = [...guild.threads.values()]
        .filter((thread) => thread.parent_id === parent.id && thread.type === type && thread.thread_metadata.archived)
        .filter(({ thread_metadata: { archive_timestamp: at } }) => before === undefined || Date.parse(at) < Date.parse(before))
        .sort((a, b) => Date.parse(b.thread_metadata.archive_timestamp) - Date.parse(a.thread_metadata.archive_timestamp));
      return { ...serializeList(archived.slice(0, max)), has_more: archived.length > max };
    });
}

/** A text channel that threads can belong to. @throws DiscordError 10003, 50001, 50013, 50024 */
function requireParent(world: World, request: FastifyRequest, permission: bigint): [Guild, GuildChannel] {
  const { id } = requireChannel(world, request, permission);
  const parent = findGuildChannel(world, id);
  const guild = parent && world.guilds.get(parent.guild_id);
  if (!guild || parent.type !== ChannelType.GuildText) throw discordErrors.wrongChannelType();
  return [guild, parent];
}

/** @throws DiscordError 50035 */
function readOptions(body: unknown) {
  const options = (body ?? {}) as JsonObject;
  const { name, type, auto_archive_duration, rate_limit_per_user, invitable } = options;
  const validator = createValidator();
  validator.checkLength('name', name, 1, 100);
  if (type != null && type !== ChannelType.PublicThread && type !== ChannelType.PrivateThread)
    validator.addError('type', 'BASE_TYPE_CHOICES', 'Value must be one of {11, 12}.');
  checkNumbers(options, validator);
  validator.throwIfInvalid();
  return { name: String(name), type: type as number | undefined, auto_archive_duration, rate_limit_per_user, invitable };
}

/** @throws DiscordError 50035 */
function readChanges(body: unknown): ThreadChanges {
  const changes = (body ?? {}) as JsonObject;
  const validator = createValidator();
  if (changes.name != null) validator.checkLength('name', changes.name, 1, 100);
  for (const field of ['archived', 'locked', 'invitable'])
    if (changes[field] != null && typeof changes[field] !== 'boolean')
      validator.addError(field, 'BOOLEAN_TYPE_CONVERT', 'Must be either true or false.');
  checkNumbers(changes, validator);
  validator.throwIfInvalid();
  const fields = ['name', 'archived', 'locked', 'invitable', 'auto_archive_duration', 'rate_limit_per_user'];
  return Object.fromEntries(fields.filter((field) => changes[field] != null).map((field) => [field, changes[field]]));
}

function checkNumbers({ auto_archive_duration: duration, rate_limit_per_user: slowdown }: JsonObject, validator: Validator): void {
  if (duration != null && !ARCHIVE_DURATIONS.includes(duration))
    validator.addError('auto_archive_duration', 'BASE_TYPE_CHOICES', `Value must be one of {${ARCHIVE_DURATIONS.join(', ')}}.`);
  if (slowdown != null && !(Number.isInteger(slowdown) && slowdown >= 0 && slowdown <= MAX_SLOWDOWN))
    validator.addError('rate_limit_per_user', 'NUMBER_TYPE_MAX', `Must be between 0 and ${MAX_SLOWDOWN}.`);
}

/** The owner may do all but lock; anyone who may write there may bring back a thread that is not locked. @throws DiscordError 50013, 50083 */
function checkMayEdit(world: World, thread: Thread, changes: ThreadChanges): void {
  const { id: applicationId } = world.application;
  const { archived, locked } = thread.thread_metadata;
  const manages = hasPermissions(world, applicationId, thread, P.ManageThreads);
  const onlyBringsBack = changes.archived === false && Object.keys(changes).length === 1;
  const isOwner = thread.owner_id === applicationId && changes.locked === undefined && !locked;
  const mayBringBack = onlyBringsBack && !locked && hasPermissions(world, applicationId, thread, P.SendMessages);
  if (!manages && !isOwner && !mayBringBack) throw discordErrors.missingPermissions();
  if (archived && changes.archived !== false) throw discordErrors.threadArchived();
}
