// The bot: a discord.js client, the features that commands use (features.ts), the dispatcher, its shards, and a shutdown that loses nothing.
import { Events, ShardClientUtil, Status } from 'discord.js';
import { within } from '../async/waiting.ts';
import { alertSentence } from '../credit/view.ts';
import { describeError } from '../discord/errors.ts';
import { createMessageIntents } from '../discord/message-access.ts';
import { createInviteLink } from '../discord/permissions.ts';
import { en } from '../locales/index.ts';
import { VoiceError } from '../voice-session/index.ts';
import { closeShard, createClient, NORMAL, openShard } from './client.ts';
import { keepRegistered, listRegisteredGuilds } from './command-registration.ts';
import { answerUnhandledInteractions, createDispatcher } from './dispatch.ts';
import { createFeatures } from './features.ts';
import { createLifecycle } from './lifecycle.ts';
import { explainGatewayClose, explainLoginError, NOT_RECONNECTED } from './login-errors.ts';
import { createReplyCorrections } from './open-replies.ts';
import type { Bot, BotOptions } from './types.ts';

/** Milliseconds after a shard has fallen silent until it is closed, though commands of its guilds still run. */
const LAST_COMMANDS_MS = 5 * 60_000;
/** Milliseconds for aborted commands to tell their members why. */
const LAST_WORDS_MS = 2_000;

/** Creates a bot that has not started, so that it can be told to shut down from the first moment on. */
export function createBot(options: BotOptions): Bot {
  const { token, apiUrl, guildId, commands, account, store, log, readMessages } = options;
  const lifecycle = createLifecycle((reason) => options.onLost?.(reason));
  const messageIntents = createMessageIntents(readMessages, log, (error) => {
    log.fatal(describeError(error), 'the gateway could not be connected again');
    if (lifecycle.hasLoggedIn) options.onLost?.(NOT_RECONNECTED);
  });
  const client = createClient(apiUrl, messageIntents, log, options.shards ?? options.shardCount ?? 'auto');
  const closing = new AbortController();
  const { signal } = closing;
  const shardOf = (id: string | null): number =>
    // Direct messages arrive on the first shard.
    id === null ? 0 : ShardClientUtil.shardIdForGuildId(id, client.options.shardCount ?? 1);
  const features = createFeatures({
    ...options,
    client,
    messageIntents,
    signal,
    shardOf,
    async resume(interaction, utterance, claim) {
      if (lifecycle.isClosing) return;
      const { promise: queued, resolve: onStart } = Promise.withResolvers<void>();
      await Promise.race([queued, dispatcher.resume(interaction, utterance, { claim, onStart })]);
    },
  });
  const { sessions, handovers, speaking, reading, voiceMessages, captions, operators, sealingKey, access, removals } = features;
  const replies = createReplyCorrections({
    client,
    voiceMessages,
    store,
    sealingKey,
    log,
    signal,
    processes: options.shards?.leases.processes,
    handedOver: handovers?.waiting,
  });
  const dispatcher = createDispatcher({
    commands,
    features: features.context,
    access,
    store,
    sealingKey,
    log,
    signal,
    processId: options.shards?.leases.id,
    isOurs: options.isOurs,
    traces: options.traces,
    onEnd: features.metrics.commandEnded,
  });

  /** Shards that now belong to other processes but are still open here, each with its latest handoff. */
  const handedOver = new Map<number, object>();
  const registered = Promise.withResolvers<void>();
  /** Shards that should be open. */
  const wanted = new Set<number>();
  let stopAccount = async (): Promise<unknown> => undefined;
  let corrections: Promise<unknown> = Promise.resolve();

  client.on(Events.ShardDisconnect, ({ code }) => {
    if (code === NORMAL || messageIntents.recover(code)) return;
    log.fatal({ code }, 'Discord has closed the gateway for good');
    lifecycle.lose(explainGatewayClose(code));
  });
  client.on(Events.InteractionCreate, dispatcher.handle);
  answerUnhandledInteractions(client, { claim: dispatcher.claim, isOurs: options.isOurs, log });
  client.on(Events.GuildCreate, ({ id }) => void registerInNewGuild(id));

  function inviteUrl(): string {
    return createInviteLink(client.application.id, { readsMessages: readMessages });
  }

  async function register({ again = false } = {}): Promise<void> {
    const { rest, application } = client;
    const about = { rest, applicationId: application.id, inviteUrl: inviteUrl(), guildId, commands, store, log };
    const keep = (stopping: AbortSignal) => keepRegistered({ ...about, signal: stopping });
    await (options.shards ? options.shards.registerOnce(keep, { signal, again }) : keep(signal));
  }

  /** Before the bot was invited, its commands could be neither registered in this guild nor deleted from it. */
  async function registerInNewGuild(id: string): Promise<void> {
    const earlier = await listRegisteredGuilds({ store, applicationId: client.application.id }).catch((): string[] => []);
    if (id === guildId || earlier.includes(id)) await register({ again: true });
  }

  async function logIn(): Promise<void> {
    const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
    await client.login(token);
    await ready;
  }

  /** Never rejects. */
  async function endShard(shardId: number): Promise<void> {
    wanted.delete(shardId);
    // Not during the login, which would wait forever for the session of its shard.
    if (!client.ws.shards.has(shardId) || !(await lifecycle.opened) || wanted.has(shardId)) return;
    await closeShard(client, shardId);
  }

  function closeConnections(): Promise<unknown> {
    return Promise.allSettled([client.destroy(), features.closeConnections()]);
  }

  return {
    client,
    get inviteUrl() {
      return inviteUrl();
    },
    registered: registered.promise,
    async openShard(shardId) {
      // Its session is still open.
      const isBack = handedOver.delete(shardId);
      sessions.takeBack(shardId);
      wanted.add(shardId);
      if (!(await lifecycle.opened) || !wanted.has(shardId)) return;
      await openShard(client, shardId);
      // The first messages would be missed otherwise.
      await (isBack ? reading.reload(shardId) : reading.loaded());
      if (isBack) void captions.reload(shardId);
    },
    closeShard: endShard,
    async handOver(shardId) {
      wanted.delete(shardId);
      const handover = {};
      handedOver.set(shardId, handover);
      const endAnswers = speaking.answer();
      // First of all, because members tell the other process from now on if they no longer agree.
      await captions.handOver(shardId);
      await Promise.all([handovers?.keepStaying(shardId), sessions.handOver(shardId)]);
      const isThere = (id: string | null) => shardOf(id) === shardId;
      await within(LAST_COMMANDS_MS, Promise.all([dispatcher.current(isThere), voiceMessages.current(isThere)]));
      endAnswers();
      // It may have come back meanwhile, and be handed off once more.
      if (handedOver.get(shardId) !== handover || lifecycle.isClosing) return;
      handedOver.delete(shardId);
      await endShard(shardId);
    },
    sessionOf(shardId) {
      const status = client.ws.shards.get(shardId)?.status;
      if (status === Status.Ready) return 'open';
      // All other shards wait for the one that logs in.
      return status !== undefined || (!lifecycle.hasLoggedIn && client.ws.shards.size > 0) ? 'opening' : 'none';
    },
    isSilent: (shardId) =>
      !sessions.all().some(({ guildId, length }) => length > 0 && client.guilds.cache.get(guildId)?.shardId === shardId),
    async start() {
      // Read before this process can leave behind any of its own.
      const leftBehind = await replies.list();
      let isOpen: boolean;
      try {
        isOpen = await lifecycle.logIn(logIn);
      } catch (error) {
        features.stopRefreshing();
        await closeConnections();
        throw explainLoginError(error, apiUrl);
      }
      // If the bot was told to shut down meanwhile, nothing more is started.
      if (!isOpen) return;
      corrections = replies.correct(leftBehind);
      stopAccount = account.start((alert) => void operators.notify(alertSentence(en, alert)));
      registered.resolve(register());
      features.begin();
      log.info({ user: client.user.id, guilds: client.guilds.cache.size }, 'the bot is ready');
    },
    takeHandedOver: async () => (lifecycle.isClosing ? undefined : handovers?.take()),
    correctReplies: async () => replies.correct(await replies.list()),
    tellOperators: (sentence) => lifecycle.opened.then((isIn) => (isIn ? operators.notify(sentence) : undefined)),
    speaking: () => sessions.all().filter(({ length }) => length > 0).length,
    isReady() {
      const { status, shards } = client.ws;
      // One of several processes may have no shard, and then is as ready as it gets: waiting for more would never end.
      return (
        !lifecycle.isClosing && status === Status.Ready && (shards.size === 0 || shards.some((shard) => shard.status === Status.Ready))
      );
    },
    isSending: sessions.areSending,
    async close({ drain = 0 } = {}) {
      lifecycle.close();
      dispatcher.stop();
      features.endSoon();
      await captions.handOver('all');
      await Promise.all([sessions.close({ drain }), within(drain, Promise.all([dispatcher.settled(), voiceMessages.settled()]))]);
      features.endSound();
      closing.abort(new VoiceError('closing', 'the process is ending'));
      await within(LAST_WORDS_MS, Promise.all([dispatcher.settled(), voiceMessages.settled(), removals.close(), corrections]));
      features.close();
      await Promise.allSettled([stopAccount(), closeConnections()]);
    },
  };
}
