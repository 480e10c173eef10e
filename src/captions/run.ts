// Captions that are on in one guild: who is heard, what becomes of what they say, and how it ends.
import type { Guild, GuildTextBasedChannel, VoiceBasedChannel } from 'discord.js';
import { within } from '../async/waiting.ts';
import { describeError, UserError } from '../discord/errors.ts';
import { listenersIn } from '../discord/voice-channels.ts';
import { type Translator, translatorFor } from '../locales/index.ts';
import type { Removal } from '../posted-words/removals.ts';
import type { GuildSettings } from '../store/settings.ts';
import type { Hearing, Session, VoiceError } from '../voice-session/types.ts';
import { createAgreements } from './agreement.ts';
import { createAnnouncer } from './announcements.ts';
import { createChannelStatus } from './channel-status.ts';
import type { CaptionsOptions, OpenCaptions } from './context.ts';
import { type Caption, createListening, type Listening } from './listening.ts';
import { createMembers } from './members.ts';
import type { PanelState } from './panel.ts';
import { createPostedPanel } from './posted-panel.ts';
import { createRemarks } from './remarks.ts';
import { createRunRecord } from './run-record.ts';
import { createSpeakerNames } from './speaker-names.ts';
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
  /** The status of the voice channel has changed, perhaps by us. */
  statusChanged(status: string | null): void;
  /** Resolves when nothing more is written here: after the transcript, or once the rest was left to another process. */
  readonly finished: Promise<void>;
  removalOf(memberId: string): Removal;
  /** Removes what the member had said by then. Resolves with how many lines that was. @throws DiscordAPIError, StoreError */
  removeWords(memberId: string, at: number): Promise<number>;
  /**
   * Hears nothing from now on, and leaves the rest to another process; what has ended already is finished soon. Resolves when nothing more is
   * written here. Never rejects.
   */
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
    }
  | { name: 'ended' }
  | { name: 'handing over'; held: Caption[] }
  | { name: 'finished' };

/** Which states may follow each. */
const NEXT: Readonly<Record<State['name'], readonly State['name'][]>> = {
  open: ['ended', 'handing over'],
  ended: ['finished'],
  'handing over': ['finished'],
  finished: [],
};

/** @throws VoiceError if the session has ended */
export function openRun(options: RunOptions): OpenRun {
  const { client, guild, session, voice, text, run, runs, consents, withdrawals, words, log, now, timing = {} } = options;
  const { voiceChannelId, startedBy, startedAt } = run;
  const id = idOf(run);
  const isKept = options.guildSettings.captions.consent === 'kept';
  let state: State = { name: 'open', emptyTimer: undefined };
  let { guildSettings } = options;
  let t = currentTranslator();
  let charged = { seconds: run.seconds, billedSeconds: run.billedSeconds ?? Math.ceil(run.seconds) };
  /** How long ago the oldest words were said that haven't been delivered. */
  let secondsBehind = 0;
  const finished = Promise.withResolvers<void>();
  const isOpen = () => state.name === 'open';
  const names = createSpeakerNames((memberId) => guild.members.cache.get(memberId)?.displayName);
  const members = createMembers(
    run.captioned
      .filter(({ memberId }) => !withdrawals.includes(guild.id, memberId))
      .map(({ memberId, language }) => [memberId, language] as const),
  );
  const channelStatus = createChannelStatus({
    voice,
    replaced: run.status,
    sentence: () => t('captions.voiceStatus'),
    log,
    askStatusMs: timing.askStatusMs,
  });
  const record = createRunRecord({
    guildId: guild.id,
    run,
    runs,
    words,
    progress: () => ({ panelId: panel.id, status: channelStatus.replaced, ...charged }),
    agreed: () => [...members.agreed].map(([memberId, language]) => ({ memberId, language })),
    isOpen,
    isCertainlyOpen: () => isOpen() && options.hasShard?.(guild.shardId) === true,
    isFinished: () => state.name === 'finished',
    log,
    now,
    storeAgainMs: timing.storeAgainMs,
  });
  const agreements = createAgreements({
    guildId: guild.id,
    text,
    isKept,
    members,
    record,
    consents,
    withdrawals,
    isOpen,
    onChange: reviewHeard,
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
    onRefused: (memberId) => remarks.refused(memberId),
  });
  const remarks = createRemarks({ writer, translator: () => t, nameOf: (memberId) => names.at(memberId, now()) });
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
    heardSince: (memberId) => (listening.isOutOfBudget(memberId) ? null : (members.heard.get(memberId) ?? null)),
    onSound(sound) {
      names.heard(sound);
      listening.hear(sound);
    },
    onUnheard: panel.show,
    onEnd: (cause) => void end(because(reasonOf(cause))),
  });
  const listening: Listening = createListening(options, {
    guildId: guild.id,
    language: (memberId) => members.agreed.get(memberId) ?? guildSettings.captions.language,
    onCaption(caption) {
      if (state.name === 'handing over') state.held.push(caption);
      else write(caption);
    },
    onBehind(seconds) {
      secondsBehind = seconds;
      showTrouble();
    },
    onDropped(memberId, seconds) {
      if (members.agreed.has(memberId)) remarks.dropped(memberId, seconds);
    },
    onOutOfBudget(memberId, resetsAt) {
      remarks.outOfBudget(memberId, resetsAt);
      panel.show();
      panel.showAt(resetsAt);
    },
    onForeign(memberId, language) {
      if (members.agreed.has(memberId)) remarks.foreign(memberId, language);
    },
    onFailure: remarks.failed,
    onCost(seconds, billedSeconds) {
      charged = { seconds: charged.seconds + seconds, billedSeconds: charged.billedSeconds + billedSeconds };
      panel.show();
    },
  });
  /** These run while the captions are open. */
  const openTimers = [
    setInterval(() => record.save(), NOTE_MS).unref(),
    setInterval(() => void lookAtRoles(), timing.rolesMs ?? ROLES_MS).unref(),
    setInterval(() => void renewLines(), timing.renewMs ?? RENEW_MS).unref(),
  ];
  /** Runs until the captions are finished: members can withdraw in another server, which another process may answer. */
  const lookTimer = options.hasShard ? setInterval(() => void agreements.lookElsewhere(), LOOK_MS).unref() : undefined;

  function currentTranslator(): Translator {
    return translatorFor(guildSettings.language ?? guild.preferredLocale);
  }

  function write(caption: Caption): void {
    if (members.agreed.has(caption.userId)) writer.add(caption, names.at(caption.userId, caption.startedAt));
  }

  /** Discord sends nothing to whoever a moderator has deafened. */
  const isDeafened = () => guild.voiceStates.cache.get(client.user.id)?.serverDeaf === true;
  const showTrouble = () => remarks.showTrouble({ isDeafened: isOpen() && isDeafened(), secondsBehind });

  function panelState(): PanelState {
    return {
      voiceChannelId,
      startedBy,
      captioned: [...members.heard.keys()],
      unheard: hearing.unheard.filter((memberId) => members.heard.has(memberId)),
      isDeafened: isDeafened(),
      outOfBudget: [...listening.outOfBudget].filter(([, resetsAt]) => resetsAt > now()),
      seconds: charged.seconds,
      cost: options.credit.account.costOf({ kind: 'transcription', billed: charged.billedSeconds }),
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
      if (budgetsOf(changed) !== budgetsOf(guildSettings)) listening.forgetBudgets();
      guildSettings = changed;
      t = currentTranslator();
    }
    const listenerIds = listenersIn(guild, voiceChannelId);
    const joined = members.noteThere(listenerIds);
    try {
      for (const memberId of listenerIds) await agreements.admit(memberId);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'could not read who has agreed to be captioned');
    }
    reviewHeard();
    announcer.joined(listUndecided().filter((memberId) => joined.has(memberId)));
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
    members.noteThere(listenersIn(guild, voiceChannelId));
    await review();
    if (options.isResumed) {
      remarks.resumed();
      // The previous process may have stopped shortly before the record was due to be extended.
      await renewLines();
      return;
    }
    // The captions may have ended already.
    if (!isOpen()) return;
    announcer.begin();
    await channelStatus.show();
    if (isOpen()) await record.save();
  }

  /** The only place where the state changes. Returns false if this state can't follow: the captions have ended, or are being handed over. */
  function enter(next: State): boolean {
    const before = state;
    if (!NEXT[before.name].includes(next.name)) return false;
    state = next;
    if (before.name === 'open') {
      clearTimeout(before.emptyTimer);
      stopHearing();
    }
    if (next.name === 'finished') clearInterval(lookTimer);
    return true;
  }

  /** Hears nothing from now on. */
  function stopHearing(): void {
    for (const timer of openTimers) clearInterval(timer);
    panel.stop();
    announcer.close();
    hearing.stop();
    showTrouble();
    options.onEnd();
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
    if (!enter({ name: 'ended' })) return false;
    await Promise.all([record.end(why), leave()]);
    return true;
  }

  /** Puts the status of the voice channel back, and leaves it if there is nothing else to do. */
  async function leave(): Promise<void> {
    await channelStatus.settled();
    const isConnected = session.state.status !== 'closed' && session.channelId === voiceChannelId;
    await channelStatus.restore(isConnected);
    await announcer.settled();
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
    enter({ name: 'finished' });
    await record.forget();
    finished.resolve();
  }

  async function suspend(): Promise<void> {
    const held: Caption[] = [];
    if (enter({ name: 'handing over', held })) return handOver(held);
    // The captions are about to be finished here: only sooner.
    if (state.name === 'ended') await listening.finish(HAND_OVER_MS);
    await finished.promise;
  }

  /** @param held what arrives meanwhile */
  async function handOver(held: readonly Caption[]): Promise<void> {
    try {
      await Promise.all([finishListening(HAND_OVER_MS), within(HAND_OVER_MS, channelStatus.settled())]);
      const captioned = await record.leave();
      for (const caption of held) if (captioned.some(({ memberId }) => memberId === caption.userId)) write(caption);
      await writer.flush(HAND_OVER_MS);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'captions could not be handed over properly');
    }
    writer.close();
    enter({ name: 'finished' });
    finished.resolve();
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
    review,
    statusChanged: channelStatus.changed,
    async agree(memberId) {
      checkOpen();
      if (isExcluded(memberId)) throw new UserError((t) => t('captions.excluded'));
      await agreements.agree(memberId);
    },
    leaveOut: (memberId) => void agreements.leaveOut(memberId),
    async setLanguage(memberId, language) {
      checkOpen();
      await agreements.setLanguage(memberId, language);
    },
    async deleteWords(memberId) {
      if (state.name === 'finished') throw new UserError((t) => t('captions.endedAlready'));
      return words.removals.remove([{ ...removalOf(memberId), at: performance.timeOrigin + performance.now() }]);
    },
    removalOf,
    async removeWords(memberId, at) {
      // Members may have withdrawn in another process as well.
      await agreements.lookElsewhere();
      listening.forget(memberId);
      return writer.removeAll(memberId, at);
    },
    stop: (memberId) => end({ reason: 'stopped', memberId }),
    async prepareLeaving() {
      const why = because('left');
      if (await endHearing(why)) void finishWriting(why);
    },
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
