// Captions that are on in one guild: who is heard, what becomes of what they say, and how it ends.
import type { Guild, GuildTextBasedChannel, VoiceBasedChannel } from 'discord.js';
import { describeError, UserError } from '../discord/errors.ts';
import { listenersIn } from '../discord/voice-channels.ts';
import { publicTranslatorFor, type Translator } from '../locales/index.ts';
import { languageName } from '../locales/language-names.ts';
import type { PostedWords } from '../posted-words/posted-words.ts';
import type { Removal } from '../posted-words/removals.ts';
import type { GuildSettings } from '../store/settings.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { HeardSound, Hearing, Session, VoiceError } from '../voice-session/types.ts';
import { audienceId, holdsIn } from './agreement.ts';
import { createAnnouncer, restoreStatus, showStatus } from './announcements.ts';
import type { CaptionsOptions, OpenCaptions } from './context.ts';
import type { Caption, Listening } from './listening.ts';
import { createMembers } from './members.ts';
import type { PanelState } from './panel.ts';
import { createPostedPanel } from './posted-panel.ts';
import { createRunRecord } from './run-record.ts';
import { type Consents, type End, idOf, type Run, type Runs } from './stored.ts';
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
  /** Ends the captions with the sentence for this reason, and the transcript. Never rejects. */
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
  /** Another process, or an earlier one, has begun these captions. */
  isResumed: boolean;
  /** The session is ready. */
  session: Session;
  voice: VoiceBasedChannel;
  text: GuildTextBasedChannel;
  guildSettings: GuildSettings;
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
/**
 * Milliseconds between two notes in the store that captions are still on, and between two looks at whether other processes have changed
 * them.
 */
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

/**
 * What captions are doing:
 *
 *     open ── end ──────▶ ended ── the transcript is posted ──▶ finished
 *      │                                                          ▲
 *      └── suspend ──▶ handing over ── what was said is written ──┘
 *
 * open          members are heard, agree and withdraw; the panel follows
 * ended         nobody is heard, what was said becomes words, and no process goes on with them
 * handing over  the same, but another process goes on: what arrives is held until it is known who has withdrawn there
 * finished      nothing more is written here
 *
 * Members can withdraw and delete their words until they are finished.
 */
type State =
  | {
      name: 'open';
      /** Set while nobody who is captioned is there. */
      emptyTimer: NodeJS.Timeout | undefined;
      /** Budgets reset at the same time, for everybody. */
      budgetTimer: NodeJS.Timeout | undefined;
      repeating: NodeJS.Timeout[];
    }
  | { name: 'ended' }
  | { name: 'handing over'; held: Caption[] }
  | { name: 'finished' };

/** @throws VoiceError if the session has ended */
export function openRun(options: RunOptions): OpenRun {
  const { client, guild, session, voice, text, run, runs, consents, withdrawals, words, log, now, timing = {} } = options;
  const { voiceChannelId, startedBy, startedAt } = run;
  const id = idOf(run);
  const isKept = options.guildSettings.captions.consent === 'kept';
  let state: State = { name: 'open', emptyTimer: undefined, budgetTimer: undefined, repeating: [] };
  let { guildSettings } = options;
  let t = currentTranslator();
  let { status, seconds, billedSeconds = Math.ceil(seconds) } = run;
  /** Who is in the voice channel, as of the last review. */
  let present = new Set<string>();
  let unheard: readonly string[] = [];
  let secondsBehind = 0;
  let shownTrouble: string | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let showingStatus: Promise<void> = Promise.resolve();
  const finished = Promise.withResolvers<void>();
  const isOpen = () => state.name === 'open';
  const names = createNames((memberId) => guild.members.cache.get(memberId)?.displayName);
  const members = createMembers(
    run.captioned
      .filter(({ memberId }) => !withdrawals.includes(guild.id, memberId))
      .map(({ memberId, language }) => [memberId, language] as const),
    now,
  );
  const record = createRunRecord({
    guildId: guild.id,
    run,
    runs,
    words,
    progress: () => ({ panelId: panel.id, status, seconds, billedSeconds }),
    agreed: () => [...members.agreed].map(([memberId, language]) => ({ memberId, language })),
    isOpen,
    isCertainlyOpen: () => isOpen() && options.hasShard?.(guild.shardId) === true,
    isFinished: () => state.name === 'finished',
    log,
    now,
    storeAgainMs: timing.storeAgainMs,
  });

  const channel = words.channel(text.id);
  const writer = createWriter({
    guildId: guild.id,
    channel,
    since: id,
    words,
    log,
    pauses: timing.pauses,
    onLost: () => void end(because('unwritable')),
    onRefused: (memberId) => writer.note(t('captions.refused', { member: memberId })),
  });
  const panel = createPostedPanel({
    guildId: guild.id,
    text,
    channel,
    ids: [id, run.panelId],
    translator: () => t,
    state: panelState,
    isOpen,
    hasEnded: () => state.name === 'ended',
    save: () => record.save(),
    log,
    now,
    timing,
  });
  const announcer = createAnnouncer({
    guildId: guild.id,
    speech: options.speech,
    defaultVoice: options.defaultVoice,
    ownId: client.user.id,
    session,
    translator: () => t,
    listUndecided,
    sayAgainMs: timing.sayAgainMs,
  });
  // Throws if the session has ended: nothing else has begun by then.
  const hearing: Hearing = session.hear({
    heardSince: (memberId) => (members.isOutOfBudget(memberId) ? null : (members.heard.get(memberId) ?? null)),
    onSound(sound) {
      names.heard(sound);
      listening.hear(sound);
    },
    onUnheard(memberIds) {
      unheard = memberIds;
      panel.show();
    },
    onEnd: (cause) => void end(because(reasonOf(cause))),
  });
  const listening: Listening = options.listen({
    guildId: guild.id,
    language: (memberId) => members.agreed.get(memberId) ?? guildSettings.captions.language,
    onCaption(caption) {
      if (state.name === 'handing over') state.held.push(caption);
      else write(caption);
    },
    onBehind(behind) {
      secondsBehind = behind;
      showTrouble();
    },
    onDropped(memberId, dropped) {
      if (members.agreed.has(memberId))
        writer.note(t('captions.dropped', { seconds: dropped, name: `**${asMarkdown(names.at(memberId, now()), 60) || '?'}**` }));
    },
    onOutOfBudget(memberId, resetsAt) {
      members.noteOutOfBudget(memberId, resetsAt);
      if (state.name === 'open') {
        clearTimeout(state.budgetTimer);
        state.budgetTimer = setTimeout(panel.show, resetsAt - now() + 1).unref();
      }
      writer.note(
        memberId === null
          ? t('captions.serverOutOfBudget', { at: resetsAt })
          : t('captions.outOfBudget', { member: memberId, at: resetsAt }),
      );
      panel.show();
    },
    onForeign(memberId, language) {
      const name = `**${asMarkdown(names.at(memberId, now()), 60) || '?'}**`;
      if (members.agreed.has(memberId)) writer.note(t('captions.foreign', { name, language: languageName(language, t.locale) }));
    },
    onFailure() {
      if (performance.now() - failedAt >= SAY_AGAIN_MS) writer.note(t('captions.failed'));
      failedAt = performance.now();
    },
    onCost(charged, billed) {
      seconds += charged;
      billedSeconds += billed;
      panel.show();
    },
  });
  state.repeating.push(
    setInterval(() => record.save(), NOTE_MS).unref(),
    setInterval(() => void lookAtRoles(), timing.rolesMs ?? ROLES_MS).unref(),
    setInterval(() => void renewLines(), timing.renewMs ?? RENEW_MS).unref(),
  );
  /** Runs until the captions are finished. */
  const lookTimer = options.hasShard ? setInterval(() => void lookForWithdrawals(), LOOK_MS).unref() : undefined;

  function currentTranslator(): Translator {
    return publicTranslatorFor(guildSettings.language, guild.preferredLocale, guild.preferredLocale);
  }

  function write(caption: Caption): void {
    if (members.agreed.has(caption.userId)) writer.add(caption, names.at(caption.userId, caption.startedAt));
  }

  /** Discord sends nothing to whoever a moderator has deafened. */
  const isDeafened = () => guild.voiceStates.cache.get(client.user.id)?.serverDeaf === true;

  /** Says below the last line what is wrong, for as long as it lasts. */
  function showTrouble(): void {
    const delay = secondsBehind > 0 ? t('captions.behind', { seconds: secondsBehind }) : null;
    const trouble = isOpen() && isDeafened() ? t('captions.deafened') : delay;
    if (trouble === shownTrouble) return;
    shownTrouble = trouble;
    writer.setBehind(trouble);
  }

  function panelState(): PanelState {
    const captioned = [...members.heard.keys()];
    return {
      voiceChannelId,
      startedBy,
      captioned,
      unheard: unheard.filter((memberId) => members.heard.has(memberId)),
      isDeafened: isDeafened(),
      outOfBudget: members.outOfBudget(),
      seconds,
      cost: options.credit.account.costOf({ kind: 'transcription', billed: billedSeconds }),
      isKept,
      service: options.service,
      languages: options.transcriptionLanguages.offered(),
    };
  }

  // Who is heard.

  /** Members with one of these roles are never captioned. Roles are as of when the member was last seen. */
  function isExcluded(memberId: string): boolean {
    const { excluded } = guildSettings.captions;
    return excluded.length > 0 && (guild.members.cache.get(memberId)?.roles.cache.hasAny(...excluded) ?? true);
  }

  /** An admin may have given a captioned member an excluded role. Never rejects. */
  async function lookAtRoles(): Promise<void> {
    if (guildSettings.captions.excluded.length === 0) return;
    const speakers = listenersIn(guild, voiceChannelId).filter((memberId) => members.heard.has(memberId));
    try {
      await Promise.all(speakers.map((user) => guild.members.fetch({ user, force: true })));
    } catch (error) {
      log.debug({ guild: guild.id, ...describeError(error) }, 'could not check the roles of captioned members');
    }
    if (isOpen()) reviewHeard();
  }

  /** People in the voice channel without those who have agreed or declined, and those who are never captioned. */
  function listUndecided(): string[] {
    return listenersIn(guild, voiceChannelId).filter(
      (memberId) => !members.agreed.has(memberId) && !members.hasDeclined(memberId) && !isExcluded(memberId),
    );
  }

  const saveAgreed = (memberId: string, language: string | null) =>
    record.save((captioned) => [...withoutMember(captioned, memberId), { memberId, language }]);

  /** Captions a member whose earlier agreement holds here. @throws StoreError */
  async function admit(memberId: string): Promise<void> {
    const isMeant = () =>
      isKept && isOpen() && !members.agreed.has(memberId) && !members.hasDeclined(memberId) && !withdrawals.includes(guild.id, memberId);
    const consent = isMeant() && !members.hasAgreedElsewhere(memberId) ? await consents.find(guild.id, memberId) : null;
    if (!consent) return;
    if (!(await holdsIn(text, consent.channelIds))) {
      members.noteElsewhere(memberId);
      return;
    }
    if (!isMeant()) return;
    members.agree(memberId, consent.language);
    await saveAgreed(memberId, consent.language);
  }

  function reviewHeard(): void {
    for (const memberId of members.review(isExcluded)) {
      // Sound that is held of a member who is no longer heard is thrown away.
      hearing.forget(memberId);
      listening.forget(memberId);
    }
    if (state.name === 'open') {
      const isAnyoneThere = listenersIn(guild, voiceChannelId).some((memberId) => members.heard.has(memberId));
      if (isAnyoneThere) {
        clearTimeout(state.emptyTimer);
        state.emptyTimer = undefined;
      } else state.emptyTimer ??= setTimeout(() => void end(because('nobody')), timing.emptyMs ?? EMPTY_MS);
    }
    showTrouble();
    panel.show();
  }

  async function review(changed?: GuildSettings): Promise<void> {
    if (!isOpen()) return;
    if (changed) {
      if (budgetsOf(changed) !== budgetsOf(guildSettings)) {
        members.forgetBudgets();
        listening.forgetBudgets();
      }
      guildSettings = changed;
      t = currentTranslator();
    }
    const listenerIds = new Set(listenersIn(guild, voiceChannelId));
    const joined = listenerIds.difference(present);
    present = listenerIds;
    try {
      for (const memberId of listenerIds) await admit(memberId);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'could not read who has agreed to be captioned');
    }
    reviewHeard();
    announcer.joined(listUndecided().filter((memberId) => joined.has(memberId)));
  }

  /** Members can withdraw their agreement in another server, which another process may answer. Never rejects. */
  async function lookForWithdrawals(): Promise<void> {
    const captioned = await record.captioned();
    if (captioned === null && isOpen()) void record.save();
    if (!captioned) return;
    for (const memberId of members.agreed.keys()) if (!captioned.some((member) => member.memberId === memberId)) members.withdraw(memberId);
    reviewHeard();
  }

  /** Never rejects. */
  async function renewLines(): Promise<void> {
    await words.lines
      .renew(guild.id)
      .catch((error: unknown) =>
        log.warn({ guild: guild.id, ...describeError(error) }, 'could not extend the record of who said which line'),
      );
  }

  // How captions begin and end.

  async function begin(): Promise<void> {
    // The first announcement is for everybody who is here now; in captions that are resumed, another process has made it.
    present = new Set(listenersIn(guild, voiceChannelId));
    await review();
    if (options.isResumed) {
      writer.note(t('captions.resumed'));
      // The previous process may have stopped shortly before the record was due to be extended.
      await renewLines();
      return;
    }
    // The captions may have ended already.
    if (!isOpen()) return;
    announcer.begin();
    showingStatus = showStatus(voice, t('captions.voiceStatus'), log, timing.askStatusMs).then((shown) => {
      status = shown;
    });
    await showingStatus;
    if (isOpen()) await record.save();
  }

  /** Hears nothing from now on. Returns null if that was so already. `announced` resolves once no announcement plays. */
  function stopHearing(next: Exclude<State, { name: 'open' }>): { announced: Promise<void> } | null {
    if (state.name !== 'open') return null;
    clearTimeout(state.emptyTimer);
    clearTimeout(state.budgetTimer);
    for (const timer of state.repeating) clearInterval(timer);
    state = next;
    panel.stop();
    const announced = announcer.close();
    hearing.stop();
    showTrouble();
    options.onEnd();
    return { announced };
  }

  function finish(): void {
    state = { name: 'finished' };
    clearInterval(lookTimer);
    finished.resolve();
  }

  async function finishListening(timeoutMs: number): Promise<void> {
    await listening.finish(timeoutMs);
    listening.close();
  }

  async function end(why: End): Promise<void> {
    if (await endHearing(why)) await finishWriting(why);
  }

  /** Resolves with false if the captions have been ended already. */
  async function endHearing(why: End): Promise<boolean> {
    const stopped = stopHearing({ name: 'ended' });
    if (!stopped) return false;
    await Promise.all([record.end(why), leave(stopped.announced)]);
    return true;
  }

  /** Puts the status of the voice channel back, and leaves it if there is nothing else to do. */
  async function leave(announced: Promise<void>): Promise<void> {
    // The status may be about to be replaced.
    await showingStatus;
    const isConnected = session.state.status !== 'closed' && session.channelId === voiceChannelId;
    if (status !== null) await restoreStatus(voice, status.before, isConnected, log);
    await announced;
    if (isConnected) session.leaveUnneeded();
  }

  async function finishWriting(why: End): Promise<void> {
    await finishListening(FINISH_MS);
    await writer.flush();
    writer.close();
    await panel.showEnd();
    const ended = { ...run, panelId: panel.id, end: why };
    await postEnd({ guild, run: ended, text, words, t, voiceName: voice.name }).catch((error: unknown) =>
      log.warn({ guild: guild.id, ...describeError(error) }, 'captions could not be ended properly'),
    );
    state = { name: 'finished' };
    await record.forget();
    finish();
  }

  async function suspend(): Promise<void> {
    if (state.name === 'ended' || state.name === 'finished') {
      await listening.finish(HAND_OVER_MS);
      await finished.promise;
    }
    const held: Caption[] = [];
    if (!stopHearing({ name: 'handing over', held })) return;
    try {
      await finishListening(HAND_OVER_MS);
      const captioned = await record.leave();
      for (const caption of held) if (captioned.some(({ memberId }) => memberId === caption.userId)) write(caption);
      await writer.flush(HAND_OVER_MS);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'captions could not be handed over properly');
    }
    writer.close();
    finish();
  }

  function checkOpen(): void {
    if (!isOpen()) throw new UserError((t) => t('captions.endedAlready'));
  }

  const removalOf = (memberId: string): Removal => ({
    kind: 'captions',
    guildId: guild.id,
    channelId: text.id,
    id,
    memberId,
  });

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
    hasPanel: panel.has,
    get link() {
      return panel.link;
    },
    isKept,
    get captioned() {
      return [...members.heard.keys()];
    },
    get unheard() {
      return unheard.filter((memberId) => members.heard.has(memberId));
    },
    review,
    statusChanged(shown) {
      // A status that somebody else has written stays.
      if (status !== null && shown !== t('captions.voiceStatus')) status = null;
    },
    async agree(memberId) {
      checkOpen();
      if (isExcluded(memberId)) throw new UserError((t) => t('captions.excluded'));
      members.reconsider(memberId);
      // The member may have withdrawn before: that must not be stored after this agreement.
      await withdrawals.settle();
      const kept = isKept && !members.agreed.has(memberId) ? await consents.find(guild.id, memberId) : null;
      const language = members.agreed.get(memberId) ?? kept?.language ?? null;
      // The member may withdraw meanwhile.
      const isMeant = () => !members.hasDeclined(memberId);
      if (isKept && isMeant()) await consents.keep(guild.id, memberId, { language, channelId: audienceId(text) }, isMeant);
      if (!isMeant()) return;
      members.agree(memberId, language);
      reviewHeard();
      await saveAgreed(memberId, language);
    },
    leaveOut(memberId) {
      members.withdraw(memberId);
      reviewHeard();
      void record.save((captioned) => withoutMember(captioned, memberId));
    },
    async setLanguage(memberId, language) {
      checkOpen();
      if (!members.agreed.has(memberId)) throw new UserError((t) => t('captions.notCaptioned'));
      if (isKept) await consents.change(guild.id, memberId, { language });
      if (!members.agreed.has(memberId)) return;
      members.agree(memberId, language);
      await record.save((captioned) => captioned.map((member) => (member.memberId === memberId ? { memberId, language } : member)));
    },
    async deleteWords(memberId) {
      if (state.name === 'finished') throw new UserError((t) => t('captions.endedAlready'));
      return words.removals.remove([{ ...removalOf(memberId), at: sinceEpoch(performance.now()) }]);
    },
    removalOf,
    async removeWords(memberId, at) {
      // Members may have withdrawn in another process as well.
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

function withoutMember(captioned: Run['captioned'], memberId: string): Run['captioned'] {
  return captioned.filter((member) => member.memberId !== memberId);
}

/** The names under which members spoke: whoever changes theirs, or leaves, keeps it for what they had begun to say. */
function createNames(nameOf: (memberId: string) => string | undefined) {
  const namesByMember = new Map<string, { from: number; name: string }[]>();
  const speaking = new Set<string>();

  function note(memberId: string, from: number): void {
    const name = nameOf(memberId);
    const before = namesByMember.get(memberId) ?? [];
    if (name !== undefined && before.at(-1)?.name !== name) namesByMember.set(memberId, [...before, { from, name }]);
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
      const names = namesByMember.get(memberId) ?? [];
      return (names.findLast(({ from }) => from <= at + LEAD_MS) ?? names[0])?.name ?? nameOf(memberId) ?? '?';
    },
  };
}
