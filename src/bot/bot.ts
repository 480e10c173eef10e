// The bot: a discord.js client, the features that commands use (features.ts), the dispatcher, its shards (held-shards.ts), and a shutdown that
// loses nothing.
import { Events, ShardClientUtil, Status } from 'discord.js';
import { within } from '../async/waiting.ts';
import { alertSentence } from '../credit/view.ts';
import { describeError } from '../discord/errors.ts';
import { createMessageIntents } from '../discord/message-access.ts';
import { createInviteLink } from '../discord/permissions.ts';
import { en } from '../locales/index.ts';
import { VoiceError } from '../voice-session/index.ts';
import { createClient, NORMAL } from './client.ts';
import { keepRegistered, listRegisteredGuilds } from './command-registration.ts';
import { answerUnhandledInteractions, createDispatcher } from './dispatch.ts';
import { createFeatures } from './features.ts';
import { createHeldShards } from './held-shards.ts';
import { createLifecycle } from './lifecycle.ts';
import { explainGatewayClose, explainLoginError, NOT_RECONNECTED } from './login-errors.ts';
import { createReplyCorrections } from './open-replies.ts';
import type { Bot, BotOptions } from './types.ts';

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
      if (!lifecycle.isClosing) await dispatcher.resume(interaction, utterance, claim);
    },
  });
  const { sessions, handovers, voiceMessages, captions, operators, sealingKey, access, removals } = features;
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

  const heldShards = createHeldShards({ client, lifecycle, features, dispatcher, shardOf });
  const registered = Promise.withResolvers<void>();
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

  function closeConnections(): Promise<unknown> {
    return Promise.allSettled([client.destroy(), features.closeConnections()]);
  }

  return {
    ...heldShards,
    client,
    get inviteUrl() {
      return inviteUrl();
    },
    registered: registered.promise,
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
