// Captions that are on in one guild: who is heard, what becomes of what they say, and how it ends.
import { type Guild, type GuildTextBasedChannel, messageLink, SnowflakeUtil, type VoiceBasedChannel } from 'discord.js';
import { createInTurn } from '../async/waiting.ts';
import { asEdit } from '../discord/cards.ts';
import { describeError, UserError } from '../discord/errors.ts';
import { listenersIn } from '../discord/voice-channels.ts';
import { publicTranslatorFor, type Translator } from '../locales/index.ts';
import { languageName } from '../locales/language-names.ts';
import type { PostedWords } from '../posted-words/posted-words.ts';
import type { Removal } from '../posted-words/removals.ts';
import type { GuildSettings } from '../store/settings.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { HeardSound, Hearing, Session, VoiceError } from '../voice/types.ts';
import { audienceId, holdsIn } from './agreement.ts';
import { createAnnouncer, restoreStatus, showStatus } from './announcements.ts';
import type { CaptionsOptions, OpenCaptions } from './context.ts';
import type { Caption, Listening } from './listening.ts';
import { captionsPanel, earlierPanel, endedPanel, type PanelState } from './panel.ts';
import { type Consents, type End, forgetEnded, idOf, type Run, type Runs, STORE_AGAIN_MS } from './stored.ts';
import { postEnd } from './transcript.ts';
import type { Withdrawals } from './withdrawals.ts';
import { createWriter } from './writer.ts';

export interface OpenRun extends OpenCaptions {
  readonly guild: Guild;
  /** Names these captions; see `idOf`. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Call when somebody has joined, left or changed, and when the settings have changed. */
  review(settings?: GuildSettings): Promise<void>;
  /** Ends hearing a member at once, who has withdrawn. */
  leaveOut(memberId: string): void;
  /** Somebody else has changed the status of the voice channel. */
  statusChanged(status: string | null): void;
  /** Ends them with the sentence for this, and the transcript. Never rejects. */
  end(end: End): Promise<void>;
  /** Resolves when nothing more is written here: after the transcript, or once the rest was left to another process. */
  readonly finished: Promise<void>;
  removalOf(memberId: string): Removal;
  /** Removes what the member had said by then. Resolves with how many lines that was. @throws DiscordAPIError, StoreError */
  removeWords(memberId: string, at: number): Promise<number>;
  /** Hears nothing from now on, and leaves the rest to another process; what has ended already is finished soon. Never rejects. */
  suspend(): Promise<void>;
}

export interface RunOptions extends CaptionsOptions {
  guild: Guild;
  run: Run;
  /** Another process, or an earlier one, has begun them. */
  isResumed: boolean;
  /** It is ready. */
  session: Session;
  voice: VoiceBasedChannel;
  text: GuildTextBasedChannel;
  ofGuild: GuildSettings;
  runs: Runs;
  consents: Consents;
  withdrawals: Withdrawals;
  words: PostedWords;
  /** Called once, as soon as nothing is heard any more. */
  onEnd(): void;
}

/** Milliseconds without anybody in the voice channel who is captioned. */
const EMPTY_MS = 2 * 60_000;
/** Milliseconds for what has been said to become words, at the end and when another process goes on: that should hear within 5 s. */
const FINISH_MS = 10_000;
const HAND_OVER_MS = 2_500;
/** Milliseconds between two changes of the panel, which count towards the same limit as the captions'. */
const PANEL_MS = 10_000;
/**
 * The age of a panel, in milliseconds, from which another one is posted: Discord limits edits of messages that are over an hour old (30046), and
 * discord.js then holds up all other edits in the channel. https://github.com/discord/discord-api-docs/issues/4413
 */
const PANEL_AGE_MS = 55 * 60_000;
/** Milliseconds between two notes in the store that they are still on, and between two looks at whether other processes have changed it. */
const NOTE_MS = 60_000;
const LOOK_MS = 3_000;
/** How often the record of who said which line is extended by a day, in milliseconds: members can delete everything they said in the run. */
const RENEW_MS = 8 * 3600_000;
/**
 * How often the roles of captioned members are checked, in milliseconds, if the server excludes roles. Discord reports role changes only to
 * bots with the privileged members intent: https://docs.discord.com/developers/events/gateway#gateway-intents
 */
const ROLES_MS = 10_000;
/** Milliseconds between two lines that say that the service fails. */
const SAY_AGAIN_MS = 60_000;
/** The first sound of an utterance is kept from before it was found: a name that is this much newer is still the one it was said under. */
const LEAD_MS = 1_000;

/** The performance clock as milliseconds since 1970. */
const sinceEpoch = (at: number) => performance.timeOrigin + at;

/** @throws VoiceError if the session has ended */
export function openRun(options: RunOptions): OpenRun {
  const { client, guild, session, voice, text, runs, consents, withdrawals, words, log, now, timing = {} } = options;
  const { voiceChannelId, startedBy, startedAt } = options.run;
  const id = idOf(options.run);
  let { ofGuild } = options;
  let t = currentTranslator();
  let { status, seconds, billedSeconds = Math.ceil(seconds), panelId } = options.run;
  const panelIds = new Set([id, panelId]);
  let isOpen = true;
  let ended: End | null = null;
  const finished = Promise.withResolvers<void>();
  let isFinished = false;
  const isKept = ofGuild.captions.consent === 'kept';
  /** Everybody who has agreed, with the language that they speak. */
  const agreed = new Map(
    options.run.captioned
      .filter(({ memberId }) => !withdrawals.includes(guild.id, memberId))
      .map(({ memberId, language }) => [memberId, language]),
  );
  /** Those of them who may be heard, without a role that is never captioned: since when, by `performance.now()`. */
  let heard = new Map<string, number>();
  /** Who doesn't want to be asked again. */
  const declined = new Set<string>();
  /** Whose earlier agreement doesn't hold here. */
  const elsewhere = new Set<string>();
  const outOfBudget = new Map<string | null, number>();
  /** Seconds. */
  let behind = 0;
  let shownTrouble: string | null = null;
  let unheard: readonly string[] = [];
  /** Captions that arrive while another process is taking over: it may have been told by now that somebody has withdrawn. */
  let late: Caption[] | null = null;
  let saving: Promise<unknown> = Promise.resolve();
  /** Changes rather than their result: another process may have stored meanwhile that somebody has withdrawn. */
  let unsaved: ChangeOfCaptioned[] = [];
  let failedAt = Number.NEGATIVE_INFINITY;
  let emptyTimer: NodeJS.Timeout | undefined;
  let panelTimer: NodeJS.Timeout | undefined;
  /** The announcement no longer plays. */
  let announced: Promise<void> = Promise.resolve();
  /** Budgets reset at the same time, for everybody. */
  let budgetTimer: NodeJS.Timeout | undefined;
  let shownPanel = '';
  const panelInTurn = createInTurn();
  let showingStatus: Promise<void> = Promise.resolve();
  const names = createNames((memberId) => guild.members.cache.get(memberId)?.displayName);

  const channel = words.channel(text.id);
  const writer = createWriter({
    ...{ guildId: guild.id, channel, since: id, words, log, pauses: timing.pauses },
    onLost: () => void end(because('unwritable')),
    onRefused: (memberId) => writer.note(t('captions.refused', { member: memberId })),
  });
  const announcer = createAnnouncer({
    ...{ guildId: guild.id, speech: options.speech, defaultVoice: options.defaultVoice, ownId: client.user.id, session },
    translator: () => t,
    listUndecided,
    sayAgainMs: timing.sayAgainMs,
  });
  // Throws if the session has ended: nothing else has begun by then.
  const hearing: Hearing = session.hear({
    heardSince: (memberId) => (isOutOfBudget(memberId) ? null : (heard.get(memberId) ?? null)),
    onSound(sound) {
      names.heard(sound);
      listening.hear(sound);
    },
    onUnheard(memberIds) {
      unheard = memberIds;
      showPanel();
    },
    onEnd: (cause) => void end(because(reasonOf(cause))),
  });
  const listening: Listening = options.listen({
    guildId: guild.id,
    language: (memberId) => agreed.get(memberId) ?? ofGuild.captions.language,
    onCaption(caption) {
      if (late) late.push(caption);
      else write(caption);
    },
    onBehind(seconds) {
      behind = seconds;
      showTrouble();
    },
    onDropped(memberId, dropped) {
      if (agreed.has(memberId))
        writer.note(t('captions.dropped', { seconds: dropped, name: `**${asMarkdown(names.at(memberId, now()), 60) || '?'}**` }));
    },
    onOutOfBudget(memberId, resetsAt) {
      outOfBudget.set(memberId, resetsAt);
      clearTimeout(budgetTimer);
      budgetTimer = setTimeout(showPanel, resetsAt - now() + 1).unref();
      writer.note(
        memberId === null
          ? t('captions.serverOutOfBudget', { at: resetsAt })
          : t('captions.outOfBudget', { member: memberId, at: resetsAt }),
      );
      showPanel();
    },
    onForeign(memberId, language) {
      const name = `**${asMarkdown(names.at(memberId, now()), 60) || '?'}**`;
      if (agreed.has(memberId)) writer.note(t('captions.foreign', { name, language: languageName(language, t.locale) }));
    },
    onFailure() {
      if (performance.now() - failedAt >= SAY_AGAIN_MS) writer.note(t('captions.failed'));
      failedAt = performance.now();
    },
    onCost(charged, billed) {
      seconds += charged;
      billedSeconds += billed;
      showPanel();
    },
  });
  const noteTimer = setInterval(() => save(), NOTE_MS).unref();
  const rolesTimer = setInterval(() => void lookAtRoles(), timing.rolesMs ?? ROLES_MS).unref();
  const renewTimer = setInterval(() => void renewLines(), timing.renewMs ?? RENEW_MS).unref();
  const lookTimer = options.hasShard ? setInterval(() => void lookForWithdrawals(), LOOK_MS).unref() : undefined;

  function currentTranslator(): Translator {
    return publicTranslatorFor(ofGuild.language, guild.preferredLocale, guild.preferredLocale);
  }

  function write(caption: Caption): void {
    if (agreed.has(caption.userId)) writer.add(caption, names.at(caption.userId, caption.startedAt));
  }

  /** Discord sends nothing to whoever a moderator has deafened. */
  const isDeafened = () => guild.voiceStates.cache.get(client.user.id)?.serverDeaf === true;

  /** Says below the last line what is wrong, for as long as it is. */
  function showTrouble(): void {
    const late = behind > 0 ? t('captions.behind', { seconds: behind }) : null;
    const trouble = isOpen && isDeafened() ? t('captions.deafened') : late;
    if (trouble === shownTrouble) return;
    shownTrouble = trouble;
    writer.setBehind(trouble);
  }

  function isOutOfBudget(memberId: string): boolean {
    if (outOfBudget.size === 0) return false;
    for (const [owner, resetsAt] of outOfBudget) if (resetsAt <= now()) outOfBudget.delete(owner);
    return outOfBudget.has(null) || outOfBudget.has(memberId);
  }

  /**
   * If the store fails, the next call stores these changes as well; until then another process would read slightly old ones. If it has lost
   * the run, which no other process can have ended, stores it again. Never rejects.
   */
  function save(...changes: ChangeOfCaptioned[]): Promise<unknown> {
    unsaved.push(...changes);
    saving = saving.then(async () => {
      const given = unsaved;
      unsaved = [];
      const changed = (captioned: Run['captioned']) => given.reduce((before, change) => change(before), captioned);
      try {
        const missing = isOpen && options.hasShard?.(guild.shardId) ? { ...options.run, panelId, captioned: listAgreed() } : null;
        await runs.change(
          guild.id,
          // Other captions may have begun since these ended.
          (before) =>
            before.startedAt !== startedAt
              ? before
              : { ...before, panelId, status, seconds, billedSeconds, seenAt: now(), captioned: changed(before.captioned) },
          missing,
        );
      } catch (error) {
        unsaved = [...given, ...unsaved];
        log.warn({ guild: guild.id, ...describeError(error) }, 'could not note that captions are on');
      }
    });
    return saving;
  }

  /** Never rejects. */
  async function renewLines(): Promise<void> {
    await words.lines
      .renew(guild.id)
      .catch((error: unknown) =>
        log.warn({ guild: guild.id, ...describeError(error) }, 'could not extend the record of who said which line'),
      );
  }

  /** Members can withdraw their agreement in another server, which another process may answer. */
  async function lookForWithdrawals(): Promise<void> {
    const before = unsaved.length > 0 ? save() : saving;
    await before;
    const run = await (isOpen ? runs.load(guild.id) : runs.loadEnded(guild.id, panelId)).catch(() => undefined);
    // What has been changed here meanwhile may not be in it.
    if (run === undefined || saving !== before || unsaved.length > 0) return;
    if (run === null) {
      if (isOpen) void save();
      return;
    }
    for (const id of agreed.keys()) if (!run.captioned.some(({ memberId }) => memberId === id)) forgetAgreement(id);
    reviewHeard();
  }

  function forgetAgreement(memberId: string): void {
    declined.add(memberId);
    agreed.delete(memberId);
  }

  const listAgreed = () => [...agreed].map(([memberId, language]) => ({ memberId, language }));
  const saveAgreed = (memberId: string, language: string | null) =>
    save((captioned) => [...withoutMember(captioned, memberId), { memberId, language }]);

  /** Members with one of these roles are never captioned. Roles are as of when the member was last seen. */
  function isExcluded(memberId: string): boolean {
    const { excluded } = ofGuild.captions;
    return excluded.length > 0 && (guild.members.cache.get(memberId)?.roles.cache.hasAny(...excluded) ?? true);
  }

  /** An admin may have given a captioned member an excluded role. Never rejects. */
  async function lookAtRoles(): Promise<void> {
    if (ofGuild.captions.excluded.length === 0) return;
    const speakers = listenersIn(guild, voiceChannelId).filter((id) => heard.has(id));
    try {
      await Promise.all(speakers.map((user) => guild.members.fetch({ user, force: true })));
    } catch (error) {
      log.debug({ guild: guild.id, ...describeError(error) }, 'could not check the roles of captioned members');
    }
    if (isOpen) reviewHeard();
  }

  /** Whom the voice channel's people don't include: those who have decided, and those who can't. */
  function listUndecided(): string[] {
    return listenersIn(guild, voiceChannelId).filter((id) => !agreed.has(id) && !declined.has(id) && !isExcluded(id));
  }

  /** Takes those along whose earlier agreement holds here. @throws StoreError */
  async function admit(memberId: string): Promise<void> {
    const isMeant = () => isKept && isOpen && !agreed.has(memberId) && !declined.has(memberId) && !withdrawals.includes(guild.id, memberId);
    const consent = isMeant() && !elsewhere.has(memberId) ? await consents.find(guild.id, memberId) : null;
    if (!consent) return;
    if (!(await holdsIn(text, consent.channelIds))) {
      elsewhere.add(memberId);
      return;
    }
    if (!isMeant()) return;
    agreed.set(memberId, consent.language);
    await saveAgreed(memberId, consent.language);
  }

  function reviewHeard(): void {
    const before = heard;
    const current = performance.now();
    heard = new Map([...agreed.keys()].filter((id) => !isExcluded(id)).map((id) => [id, before.get(id) ?? current]));
    for (const id of before.keys()) if (!heard.has(id)) wipe(id);
    const isAnyoneThere = listenersIn(guild, voiceChannelId).some((id) => heard.has(id));
    if (isAnyoneThere || !isOpen) {
      clearTimeout(emptyTimer);
      emptyTimer = undefined;
    } else emptyTimer ??= setTimeout(() => void end(because('nobody')), timing.emptyMs ?? EMPTY_MS);
    showTrouble();
    showPanel();
  }

  /** Throws away what is held of a member who is no longer heard. */
  function wipe(memberId: string): void {
    hearing.forget(memberId);
    listening.forget(memberId);
  }

  let present = new Set<string>();

  async function review(changed?: GuildSettings): Promise<void> {
    if (!isOpen) return;
    if (changed) {
      if (budgetsOf(changed) !== budgetsOf(ofGuild)) {
        outOfBudget.clear();
        listening.forgetBudgets();
      }
      ofGuild = changed;
      t = currentTranslator();
    }
    const there = new Set(listenersIn(guild, voiceChannelId));
    const joined = there.difference(present);
    present = there;
    try {
      for (const id of there) await admit(id);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'could not read who has agreed to be captioned');
    }
    reviewHeard();
    announcer.joined(listUndecided().filter((id) => joined.has(id)));
  }

  function panelState(): PanelState {
    const captioned = [...heard.keys()];
    return {
      ...{ voiceChannelId, startedBy, captioned, seconds, isKept, isDeafened: isDeafened() },
      unheard: unheard.filter((id) => heard.has(id)),
      outOfBudget: [...outOfBudget].filter(([, resetsAt]) => resetsAt > now()),
      cost: options.credit.account.costOf({ kind: 'transcription', billed: billedSeconds }),
      service: options.service,
      languages: options.transcriptionLanguages.offered(),
    };
  }

  /** Shows it soon. */
  function showPanel(): void {
    if (!isOpen || panelTimer !== undefined) return;
    panelTimer = setTimeout(() => {
      panelTimer = undefined;
      void panelInTurn(updatePanel);
    }, timing.panelMs ?? PANEL_MS);
  }

  /** Never rejects. */
  async function updatePanel(): Promise<void> {
    const panel = captionsPanel(t, panelState());
    if (!isOpen || JSON.stringify(panel) === shownPanel) return;
    const isOld = now() - SnowflakeUtil.timestampFrom(panelId) >= (timing.panelAgeMs ?? PANEL_AGE_MS);
    if (!isOld) return editPanel(panel);
    const before = panelId;
    try {
      // If this process ends before that is stored, the next one gets the same message.
      const { id } = await text.send({ ...panel, nonce: `panel${before}`, enforceNonce: true });
      if (ended) await text.messages.delete(id);
      // Otherwise another process is taking over.
      if (!isOpen) return;
      panelId = id;
      panelIds.add(id);
      shownPanel = JSON.stringify(panel);
      await save();
      await channel.change(() => text.messages.edit(before, asEdit(earlierPanel(t, { voiceChannelId, link: linkToPanel() }))));
    } catch (error) {
      log.debug(describeError(error), 'could not replace the panel of captions');
    }
  }

  const linkToPanel = () => messageLink(text.id, panelId, guild.id);

  /** Never rejects. */
  async function editPanel(panel: ReturnType<typeof captionsPanel>): Promise<void> {
    const shown = JSON.stringify(panel);
    if (shown === shownPanel) return;
    shownPanel = shown;
    await channel
      .change(() => text.messages.edit(panelId, asEdit(panel)))
      .catch((error: unknown) => log.debug(describeError(error), 'could not change the panel of captions'));
  }

  function stopHearing(): void {
    isOpen = false;
    clearTimeout(emptyTimer);
    clearTimeout(panelTimer);
    clearTimeout(budgetTimer);
    clearInterval(noteTimer);
    clearInterval(rolesTimer);
    clearInterval(renewTimer);
    announced = announcer.close();
    hearing.stop();
    showTrouble();
  }

  async function finish(timeoutMs: number): Promise<void> {
    await listening.finish(timeoutMs);
    listening.close();
  }

  async function end(why: End): Promise<void> {
    if (await endHearing(why)) await finishWriting(why);
  }

  /** Resolves with false if they have been ended already. */
  async function endHearing(why: End): Promise<boolean> {
    if (!isOpen) return false;
    ended = why;
    stopHearing();
    options.onEnd();
    await Promise.all([noteEnd(why), leave()]);
    return true;
  }

  /** Retries until it works: otherwise the next process would resume captions that were stopped. Never rejects. */
  async function noteEnd(why: End): Promise<void> {
    await saving;
    if (isFinished) return;
    try {
      await runs.end(guild.id, { ...options.run, panelId, captioned: listAgreed(), status, seconds, billedSeconds, seenAt: now() }, why);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'could not note that captions have ended; trying again');
      setTimeout(() => void noteEnd(why), timing.storeAgainMs ?? STORE_AGAIN_MS).unref();
    }
  }

  function noteFinished(): void {
    isFinished = true;
    clearInterval(lookTimer);
    finished.resolve();
  }

  async function finishWriting(why: End): Promise<void> {
    const warn = (error: unknown) => log.warn({ guild: guild.id, ...describeError(error) }, 'captions could not be ended properly');
    await finish(FINISH_MS);
    await writer.flush();
    writer.close();
    await panelInTurn(() => editPanel(endedPanel(t, panelState())));
    const run = { ...options.run, panelId, end: why };
    await postEnd({ guild, run, text, words, t, voiceName: voice.name }).catch(warn);
    isFinished = true;
    await forgetRun();
    noteFinished();
  }

  /** Retries until it works: otherwise the next process would post their transcript again. Never rejects. */
  async function forgetRun(): Promise<void> {
    await saving;
    try {
      await forgetEnded(runs, words, guild.id, { ...options.run, panelId });
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'could not forget captions that have ended; trying again');
      setTimeout(() => void forgetRun(), timing.storeAgainMs ?? STORE_AGAIN_MS).unref();
    }
  }

  /** Puts the status of the voice channel back, and leaves it if there is nothing else to do. */
  async function leave(): Promise<void> {
    // It may be about to be replaced.
    await showingStatus;
    const isConnected = session.state.status !== 'closed' && session.channelId === voiceChannelId;
    if (status !== null) await restoreStatus(voice, status.before, isConnected, log);
    await announced;
    if (isConnected) session.leaveUnneeded();
  }

  async function suspend(): Promise<void> {
    if (ended) {
      await listening.finish(HAND_OVER_MS);
      await finished.promise;
    }
    if (!isOpen) return;
    late = [];
    stopHearing();
    options.onEnd();
    try {
      await finish(HAND_OVER_MS);
      const run = await runs.change(guild.id, (before) => ({ ...before, seconds, billedSeconds, seenAt: now() }));
      for (const caption of late) if (run?.captioned.some(({ memberId }) => memberId === caption.userId)) write(caption);
      await writer.flush(HAND_OVER_MS);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'captions could not be handed over properly');
    }
    writer.close();
    noteFinished();
  }

  const removalOf = (memberId: string): Removal => ({
    kind: 'captions',
    guildId: guild.id,
    channelId: text.id,
    id,
    memberId,
  });

  function checkOpen(): void {
    if (!isOpen) throw new UserError((t) => t('captions.endedAlready'));
  }

  async function begin(): Promise<void> {
    // The first sentence is for all of them; another process has said it before.
    present = new Set(listenersIn(guild, voiceChannelId));
    await review();
    if (options.isResumed) {
      writer.note(t('captions.resumed'));
      // The previous process may have stopped shortly before it was due.
      await renewLines();
      return;
    }
    // They may have ended already.
    if (!isOpen) return;
    announcer.begin();
    showingStatus = showStatus(voice, t('captions.voiceStatus'), log, timing.askStatusMs).then((shown) => {
      status = shown;
    });
    await showingStatus;
    if (isOpen) await save();
  }

  listening.ready.catch((error: unknown) => {
    log.error({ guild: guild.id, ...describeError(error) }, 'captions are impossible on this machine');
    void end(because('unavailable'));
  });
  void begin();

  return {
    guild,
    id,
    voiceChannelId,
    startedBy,
    startedAt,
    hasPanel: (messageId) => panelIds.has(messageId),
    get link() {
      return linkToPanel();
    },
    isKept,
    get captioned() {
      return [...heard.keys()];
    },
    get unheard() {
      return unheard.filter((id) => heard.has(id));
    },
    review,
    statusChanged(shown) {
      // What somebody else writes there stays.
      if (status !== null && shown !== t('captions.voiceStatus')) status = null;
    },
    async agree(memberId) {
      checkOpen();
      if (isExcluded(memberId)) throw new UserError((t) => t('captions.excluded'));
      declined.delete(memberId);
      // They may have withdrawn before: that must not be stored after this.
      await withdrawals.settle();
      const kept = isKept && !agreed.has(memberId) ? await consents.find(guild.id, memberId) : null;
      const language = agreed.get(memberId) ?? kept?.language ?? null;
      // They may withdraw meanwhile.
      const isMeant = () => !declined.has(memberId);
      if (isKept && isMeant()) await consents.keep(guild.id, memberId, { language, channelId: audienceId(text) }, isMeant);
      if (!isMeant()) return;
      agreed.set(memberId, language);
      reviewHeard();
      await saveAgreed(memberId, language);
    },
    leaveOut(memberId) {
      forgetAgreement(memberId);
      reviewHeard();
      void save((captioned) => withoutMember(captioned, memberId));
    },
    async setLanguage(memberId, language) {
      checkOpen();
      if (!agreed.has(memberId)) throw new UserError((t) => t('captions.notCaptioned'));
      if (isKept) await consents.change(guild.id, memberId, { language });
      if (!agreed.has(memberId)) return;
      agreed.set(memberId, language);
      await save((captioned) => captioned.map((one) => (one.memberId === memberId ? { memberId, language } : one)));
    },
    async deleteWords(memberId) {
      if (isFinished) throw new UserError((t) => t('captions.endedAlready'));
      return words.removals.remove([{ ...removalOf(memberId), at: sinceEpoch(performance.now()) }]);
    },
    removalOf,
    async removeWords(memberId, at) {
      // They may have withdrawn as well.
      await lookForWithdrawals();
      listening.forget(memberId);
      return writer.removeAll(memberId, at);
    },
    stop: (memberId) => end({ reason: 'stopped', memberId }),
    async prepareLeaving() {
      const why = because('left');
      if (await endHearing(why)) void finishWriting(why);
    },
    end,
    finished: finished.promise,
    suspend,
  };
}

function because(reason: End['reason']): End {
  return { reason, memberId: null };
}

function reasonOf({ kind }: VoiceError): End['reason'] {
  if (kind === 'kicked') return 'moved';
  if (kind === 'channel-gone') return 'channelGone';
  return kind === 'disconnected' ? 'left' : 'lost';
}

/** What an admin allows the server and each member, in minutes a day. */
function budgetsOf({ guildMinutes, memberMinutes }: GuildSettings): string {
  return `${guildMinutes}:${memberMinutes}`;
}

/** Somebody agrees, chooses a language or withdraws. */
type ChangeOfCaptioned = (captioned: Run['captioned']) => Run['captioned'];

function withoutMember(captioned: Run['captioned'], memberId: string): Run['captioned'] {
  return captioned.filter((one) => one.memberId !== memberId);
}

/** The names under which members spoke: whoever changes theirs, or leaves, keeps it for what they had begun to say. */
function createNames(nameOf: (memberId: string) => string | undefined) {
  const known = new Map<string, { from: number; name: string }[]>();
  const speaking = new Set<string>();

  function note(memberId: string, from: number): void {
    const name = nameOf(memberId);
    const before = known.get(memberId) ?? [];
    if (name !== undefined && before.at(-1)?.name !== name) known.set(memberId, [...before, { from, name }]);
  }

  return {
    heard({ kind, userId, at }: HeardSound): void {
      if (kind === 'pause') speaking.delete(userId);
      else if (!speaking.has(userId)) {
        speaking.add(userId);
        note(userId, sinceEpoch(at));
      }
    },
    /** @param at milliseconds since 1970 */
    at(memberId: string, at: number): string {
      const all = known.get(memberId) ?? [];
      return (all.findLast(({ from }) => from <= at + LEAD_MS) ?? all[0])?.name ?? nameOf(memberId) ?? '?';
    },
  };
}
