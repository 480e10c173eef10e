// Captions of voice channels, for those who have agreed: what is said in them is written into a channel as it is said.
//
//   start-rules.ts   who may start and stop them, and where
//   run.ts           those that are on in one guild: who is heard, what becomes of it, how it ends; members.ts decides who is heard
//   run-record.ts    what is stored of them meanwhile
//   agreement.ts     where an earlier agreement holds, and how members agree while captions are on
//   listening.ts     from sound to words
//   speaker-names.ts under which name
//   writer.ts        the messages with the words; transcript.ts reads them back at the end
//   remarks.ts       what captions themselves say among the words
//   panel.ts         the panel; posted-panel.ts keeps it up to date, buttons.ts has its buttons
//   announcements.ts what is said in the voice channel; channel-status.ts is about the channel's status
//   stored.ts        what is kept: agreements, and what another process needs to go on
//   withdrawals.ts   withdrawn agreement, which counts even if the store fails
import {
  Events,
  GatewayDispatchEvents,
  type GatewayVoiceChannelStatusUpdateDispatchData,
  type Guild,
  type GuildTextBasedChannel,
  type VoiceState,
} from 'discord.js';
import { createTogetherByKey } from '../async/waiting.ts';
import { asEdit } from '../discord/cards.ts';
import { describeError, UserError } from '../discord/errors.ts';
import { translatorFor } from '../locales/index.ts';
import type { WordsChannel } from '../posted-words/channel.ts';
import type { Line } from '../posted-words/lines.ts';
import type { NotedRemoval, Removal, Removed } from '../posted-words/removals.ts';
import { StoreError } from '../store/index.ts';
import type { GuildSettings } from '../store/settings.ts';
import { asPlain } from '../text/untrusted-text.ts';
import { type Session, VoiceError } from '../voice-session/types.ts';
import { restoreStatus } from './channel-status.ts';
import type { Captions, CaptionsOptions, Start } from './context.ts';
import { captionsPanel, endedPanel } from './panel.ts';
import { type OpenRun, openRun, type RunOptions } from './run.ts';
import { createConsents, createRuns, type End, type EndedRun, forgetEnded, idOf, type Run } from './stored.ts';
import { createTranscriptRemover, postEnd } from './transcript.ts';
import { createWithdrawals } from './withdrawals.ts';

/** Captions that nobody has worked on for longer are not taken up again, in milliseconds. */
const RESUME_MS = 10 * 60_000;
/** Milliseconds for which another process may still write down what a member says who has withdrawn everywhere; and its clock may differ. */
const STILL_HEARD_MS = 10_000;
/** Characters of a thread's name. */
const MAX_THREAD_NAME = 90;

/** It listens to the client's events at once. */
export function createCaptions(options: CaptionsOptions): Captions {
  const { client, sessions, settings, store, words, log, now } = options;
  const consents = createConsents(store, log);
  const runs = createRuns(store, log);
  const withdrawals = createWithdrawals({ consents, runs, log, storeAgainMs: options.timing?.storeAgainMs });
  const open = new Map<string, OpenRun>();
  /** Captions that have ended, or were handed over, except for their last words and their transcript. */
  const ending = new Set<OpenRun>();
  /** For transcripts of earlier processes, by the ids of their panels. */
  const postTogether = createTogetherByKey<string, void>();
  /** Guilds in which captions are being started or taken up again. */
  const opening = new Set<string>();
  let isClosing = false;

  function begin(parts: Pick<RunOptions, 'guild' | 'run' | 'isResumed' | 'session' | 'voice' | 'text' | 'guildSettings'>): OpenRun {
    const { id } = parts.guild;
    const onEnd = () => {
      if (open.get(id) === run) forget(id);
      ending.add(run);
      void run.finished.then(() => ending.delete(run));
    };
    const run: OpenRun = openRun({ ...options, ...parts, runs, consents, withdrawals, onEnd });
    // Where nothing is captioned, nobody needs to know who comes and goes.
    if (open.size === 0) client.on(Events.VoiceStateUpdate, onVoiceState);
    open.set(id, run);
    return run;
  }

  function forget(guildId: string): void {
    open.delete(guildId);
    if (open.size === 0) client.off(Events.VoiceStateUpdate, onVoiceState);
  }

  /** @throws UserError, VoiceError */
  function checkFree({ voice: { id, guildId } }: Start): void {
    if (!options.canSpareCalls()) throw new UserError((t) => t('captions.noSpareCalls'));
    const current = open.get(guildId);
    if (current?.voiceChannelId === id) throw new UserError((t) => t('captions.alreadyOn', { link: current.link }), { isEmptyState: true });
    if (current) throw new UserError((t) => t('captions.elsewhere', { channel: current.voiceChannelId }));
    if (opening.has(guildId)) throw new VoiceError('busy', 'captions are being started in the guild');
  }

  async function start(request: Start): Promise<OpenRun> {
    checkFree(request);
    const { voice, member, startedIn, settings: guildSettings } = request;
    const { guild } = voice;
    opening.add(guild.id);
    let release = () => {};
    try {
      const session = sessions.join(voice, { sparesReading: true });
      release = holdFor(session);
      await session.ready;
      await finishEnded(guild);
      const text = await openText(request);
      const state = { voiceChannelId: voice.id, startedBy: member.id, captioned: [], unheard: [], outOfBudget: [], seconds: 0, cost: null };
      const isDeafened = guild.voiceStates.cache.get(client.user.id)?.serverDeaf === true;
      const t = translatorFor(guildSettings.language ?? guild.preferredLocale);
      const isKept = guildSettings.captions.consent === 'kept';
      const languages = options.transcriptionLanguages.offered();
      const panel = await text.send(captionsPanel(t, { ...state, isDeafened, isKept, service: options.service, languages }));
      const run: Run = {
        voiceChannelId: voice.id,
        textChannelId: text.id,
        startedIn: startedIn.id,
        startedBy: member.id,
        panelId: panel.id,
        firstPanelId: panel.id,
        startedAt: now(),
        captioned: [],
        status: null,
        seconds: 0,
        seenAt: now(),
      };
      try {
        // What is left of earlier captions that could not be ended properly.
        await words.forgetCaptions(guild.id, idOf(run));
        await runs.save(guild.id, run);
        return begin({ guild, run, isResumed: false, session, voice, text, guildSettings });
      } catch (error) {
        // The bot may have been disconnected meanwhile: nobody would end these captions.
        await panel.delete().catch((failure: unknown) => log.warn(describeError(failure), 'could not delete the panel of captions'));
        await runs.delete(guild.id);
        throw error;
      }
    } finally {
      opening.delete(guild.id);
      release();
    }
  }

  /** The channel that captions are written in. @throws DiscordAPIError */
  async function openText({ voice, written, settings: guildSettings }: Start): Promise<GuildTextBasedChannel> {
    if (written.in === 'chat') return voice;
    const t = translatorFor(guildSettings.language ?? voice.guild.preferredLocale);
    const name = asPlain(t('captions.threadName', { channelName: voice.name }), MAX_THREAD_NAME) || t('captions.hasEnded');
    return written.parent.threads.create({ name });
  }

  /** Resolves when what has ended in the guild is posted, or can't be: its transcript doesn't have the words of the next. Never rejects. */
  async function finishEnded(guild: Guild): Promise<void> {
    await Promise.all([...ending].filter((run) => run.guild.id === guild.id).map(({ finished }) => finished));
    await postEnded(({ id }) => id === guild.id);
  }

  /** Posts transcripts that an earlier process hasn't. Never rejects. */
  async function postEnded(isMeant: (guild: Guild) => boolean): Promise<void> {
    try {
      for (const [guildId, run] of await runs.listEnded()) {
        const guild = client.guilds.cache.get(guildId);
        const isOurs = (openRun: OpenRun) => openRun.guild.id === guildId && openRun.startedAt === run.startedAt;
        if (!guild || !isMeant(guild) || [...ending, ...open.values()].some(isOurs)) continue;
        await postTogether(run.panelId, () => postOne(guild, run));
      }
    } catch (error) {
      log.warn(describeError(error), 'could not look for captions that have ended');
    }
  }

  /** Goes on with captions that another process has left behind. Never rejects. */
  async function resume(guild: Guild, run: Run): Promise<void> {
    if (isClosing || open.has(guild.id) || opening.has(guild.id)) return;
    opening.add(guild.id);
    let release = () => {};
    try {
      const [voice, text] = [guild.channels.cache.get(run.voiceChannelId), await findText(guild, run)];
      const guildSettings = await settings.guild(guild.id);
      if (!voice?.isVoiceBased() || !text) return await giveUp(guild, run, 'channelGone');
      if (now() - run.seenAt > RESUME_MS) return await giveUp(guild, run, 'interrupted');
      const session = sessions.join(voice);
      release = holdFor(session);
      await session.ready;
      // The process that was there before has finished by now, and somebody may have withdrawn, or ended them.
      const latest = await runs.load(guild.id);
      if (latest && !isClosing) begin({ guild, run: latest, isResumed: true, session, voice, text, guildSettings });
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'captions could not be taken up again');
      if (error instanceof VoiceError && error.kind !== 'closing')
        await giveUp(guild, run, 'lost').catch((failure: unknown) => log.warn(describeError(failure)));
    } finally {
      opening.delete(guild.id);
      release();
    }
  }

  /** Keeps the bot in its voice channel until the returned function is called: it is left then unless captions have begun there. */
  function holdFor(session: Session): () => void {
    const release = session.expectHearing();
    return () => {
      release();
      // A process that is ending says goodbye in its own time.
      if (!isClosing) session.leaveUnneeded();
    };
  }

  /** Threads are cached only while they are active. */
  async function findText(guild: Guild, { textChannelId }: Run): Promise<GuildTextBasedChannel | null> {
    const channel = await guild.channels.fetch(textChannelId).catch(() => null);
    return channel?.isTextBased() ? channel : null;
  }

  /** Captions that can't be taken up again end with a sentence, and the transcript. @throws StoreError */
  async function giveUp(guild: Guild, run: Run, reason: End['reason']): Promise<void> {
    await runs.end(guild.id, run, { reason, memberId: null });
    await postEnded(({ id }) => id === guild.id);
  }

  /** @throws StoreError before anything is posted: it is posted when the guild, or this process, is back */
  async function postOne(guild: Guild, run: EndedRun): Promise<void> {
    // The transcript may have been posted since it was listed.
    const isLeft = (await runs.loadEnded(guild.id, run.panelId)) !== null;
    const guildSettings = await settings.guild(guild.id);
    if (isLeft)
      await post(guild, run, guildSettings).catch((error: unknown) =>
        log.warn({ guild: guild.id, ...describeError(error) }, 'captions could not be ended properly'),
      );
    await forgetEnded(runs, words, guild.id, run).catch((error: unknown) => log.warn(describeError(error)));
  }

  /** @throws DiscordAPIError, StoreError */
  async function post(guild: Guild, run: EndedRun, { language }: GuildSettings): Promise<void> {
    const voice = guild.channels.cache.get(run.voiceChannelId);
    if (run.status && voice?.isVoiceBased()) await restoreStatus(voice, run.status.before, false, log);
    const t = translatorFor(language ?? guild.preferredLocale);
    const text = await findText(guild, run);
    const cost = options.credit.account.costOf({ kind: 'transcription', billed: run.billedSeconds ?? Math.ceil(run.seconds) });
    await words
      .channel(run.textChannelId)
      .change(async () => text?.messages.edit(run.panelId, asEdit(endedPanel(t, { ...run, cost }))))
      .catch((error: unknown) => log.debug(describeError(error), 'could not change the panel of captions'));
    await postEnd({ guild, run, text, words, t, voiceName: voice?.name ?? text?.name ?? '' });
  }

  async function resumeAll(isMeant: (guild: Guild) => boolean): Promise<void> {
    try {
      const nameOf = (guildId: string, { startedAt }: Run) => `${guildId}:${startedAt}`;
      const ended = new Set((await runs.listEnded()).map(([guildId, run]) => nameOf(guildId, run)));
      const left = (await runs.list()).flatMap(([guildId, run]) => {
        const guild = client.guilds.cache.get(guildId);
        return guild && isMeant(guild) && !ended.has(nameOf(guildId, run)) ? [resume(guild, run)] : [];
      });
      await Promise.all([...left, postEnded(isMeant)]);
    } catch (error) {
      log.warn(describeError(error), 'could not look for captions that were interrupted');
    }
  }

  function onVoiceState(before: VoiceState, { guild, channelId }: VoiceState): void {
    const run = open.get(guild.id);
    if (run && [before.channelId, channelId].includes(run.voiceChannelId)) void run.review();
  }

  /** The local Discord, and an outage of Discord, bring guilds late. */
  function onGuild(guild: Guild): void {
    void resumeAll(({ id }) => id === guild.id);
  }

  function onStatus(event: Partial<GatewayVoiceChannelStatusUpdateDispatchData> | null): void {
    const run = open.get(event?.guild_id ?? '');
    if (run && run.voiceChannelId === event?.id) run.statusChanged(event.status ?? null);
  }

  function withdraw(guildId: string | null, memberId: string): Promise<boolean> {
    // Left out before anything is awaited: what is being said at this moment must not be heard.
    leaveOut(guildId, memberId);
    return withdrawals.withdraw(guildId, memberId);
  }

  function leaveOut(guildId: string | null, memberId: string): void {
    for (const run of [...open.values(), ...ending]) if (guildId === null || run.guild.id === guildId) run.leaveOut(memberId);
  }

  /** A member's words in captions that are on, or whose transcript isn't posted yet. @throws StoreError */
  async function listRemovals(guildId: string, memberId: string): Promise<Removal[]> {
    const ended = (await runs.listEnded()).filter(([id]) => id === guildId).map(([, run]) => run);
    return [await runs.load(guildId), ...ended].flatMap((run): Removal[] =>
      run === null ? [] : [{ kind: 'captions', guildId, channelId: run.textChannelId, id: idOf(run), memberId }],
    );
  }

  async function removeWords({ guildId, id, memberId, at }: NotedRemoval, channel: WordsChannel): Promise<Removed | null> {
    const run = [...open.values(), ...ending].find((openRun) => openRun.id === id);
    // Words on their way in another process may still arrive.
    if (run) return { count: await run.removeWords(memberId, at), keepsNote: true };
    // The process that has the captions, or is about to have them, removes the words.
    if (opening.has(guildId) || (await options.isElsewhere?.(guildId))) return null;
    const isKept = (await listRemovals(guildId, memberId)).some((removal) => removal.id === id);
    const isTheirs = ([owner, , endedAt]: Line) => owner === memberId && endedAt <= at;
    await words.inTurn(channel.id, () => words.lines.settle(guildId, channel));
    let count = 0;
    for (const [messageId, lines] of await words.lines.list(guildId, id))
      if (lines.some(isTheirs)) count += await words.inTurn(channel.id, () => words.lines.remove(guildId, channel, messageId, isTheirs));
    return { count, keepsNote: isKept };
  }

  words.removals.handle('captions', removeWords);
  words.removals.handle('transcript', createTranscriptRemover(options));
  client.on(Events.GuildCreate, onGuild);
  client.on(Events.GuildAvailable, onGuild);
  client.ws.on(GatewayDispatchEvents.VoiceChannelStatusUpdate, onStatus);
  const unwatch = settings.watchGuilds((guildId, changed) => void open.get(guildId)?.review(changed));

  return {
    in: (guildId) => open.get(guildId ?? ''),
    start,
    withdraw,
    agreedIn: consents.guildsOf,
    async forget(memberId) {
      const here = [...open.values(), ...ending].filter((run) => run.captioned.includes(memberId)).map((run) => run.removalOf(memberId));
      leaveOut(null, memberId);
      // Captions in which the member may have said something that isn't written yet.
      const captioned = await runs.list().catch(() => []);
      if (!(await withdraw(null, memberId))) throw new StoreError('withdrawn agreement could not be stored yet');
      const agreedIn = captioned.flatMap(([id, run]) => (run.captioned.some((member) => member.memberId === memberId) ? [id] : []));
      const guildIds = new Set([...agreedIn, ...(await words.lines.guildsOf(memberId))]);
      const elsewhere = await Promise.all([...guildIds].map((guildId) => listRemovals(guildId, memberId)));
      const removals = new Map([...here, ...elsewhere.flat()].map((removal) => [removal.id, removal]));
      const at = now() + STILL_HEARD_MS;
      await words.removals.remove([...removals.values()].map((removal) => ({ ...removal, at })));
    },
    begin: () => resumeAll(() => true),
    reload: (shardId) => resumeAll((guild) => guild.shardId === shardId),
    async handOver(shardId) {
      if (shardId === 'all') isClosing = true;
      const runsThere = [...open.values(), ...ending].filter(({ guild }) => shardId === 'all' || guild.shardId === shardId);
      // The other process must not hear anybody who has withdrawn; if the store fails, that has been logged.
      await Promise.all([withdrawals.settle().catch(() => {}), ...runsThere.map((run) => run.suspend())]);
    },
    close() {
      withdrawals.close();
      unwatch();
      client.off(Events.GuildCreate, onGuild);
      client.off(Events.GuildAvailable, onGuild);
      client.off(Events.VoiceStateUpdate, onVoiceState);
      client.ws.off(GatewayDispatchEvents.VoiceChannelStatusUpdate, onStatus);
    },
  };
}
