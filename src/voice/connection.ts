// One voice connection and its gate: the player is subscribed only while the connection is up and, where somebody
// is there to hear it, end-to-end encrypted. A closed gate pauses the player; nothing is lost, nothing leaks.
import { type AudioPlayer, joinVoiceChannel, type VoiceConnection } from '@discordjs/voice';
import type { Guild, VoiceState } from 'discord.js';
import { VoiceError } from './types.ts';

/** Longest wait for Discord to let us in, and again for the encrypted group, before one more join. */
const ESTABLISH_MS = 10_000;
/** Joins in a minute at most: every join takes one of the gateway's 120 sends a minute that all guilds share. */
const JOINS_A_MINUTE = 5;
/** Discord will not have us: bad encryption version (4017), call ended (4021, 4022). Joining again cannot help. */
const FINAL_CODES = [4017, 4021, 4022];

export interface Connection {
  /** Where we are, or are going; follows a moderator's move. Null once lost or left. */
  readonly channelId: string | null;
  /** Resolves when the gate is open; rejects with VoiceError when the connection is lost for good. A new promise after each closing. */
  readonly opened: Promise<void>;
  move(channelId: string): void;
  /** To be called on every voice state change in the guild. */
  voiceStateChanged(state: VoiceState): void;
  leave(): void;
}

/** Joins at once. `onLost` is called once, when the connection ended without `leave`. */
export function openConnection(options: {
  guild: Guild;
  channelId: string;
  player: AudioPlayer;
  onLost: (error: VoiceError) => void;
  establishMs?: number;
}): Connection {
  const { guild, player, onLost, establishMs = ESTABLISH_MS } = options;
  const me = guild.client.user.id;
  let channelId: string | null = options.channelId;
  let gate = closedGate();
  let timer: NodeJS.Timeout | undefined;
  let rejoined = false;
  /** Discord has said that we are in the channel since we last asked: only then does "in no channel" mean that somebody put us out. */
  let present = false;
  /** Belongs to the channel we are leaving, until a new voice server is named. */
  let stale: unknown;
  let joins: number[] = [];
  let connection = join(channelId);

  function join(channel: string): VoiceConnection {
    joins = [...joins.filter((at) => at > performance.now() - 60_000), performance.now()];
    const joined = joinVoiceChannel({
      guildId: guild.id,
      channelId: channel,
      adapterCreator: guild.voiceAdapterCreator,
      // Several clients may live in one process: connections are kept apart by who we are.
      group: me,
      selfDeaf: true,
    });
    joined.on('error', () => update());
    joined.on('transitioned', () => update());
    joined.on('stateChange', (before, after) => {
      const networking = 'networking' in after ? after.networking : undefined;
      if (networking && !('networking' in before && before.networking === networking)) {
        // Before the library's own listener, which would join again at once, however often that failed.
        networking.prependOnceListener('close', (code) => closed(joined, code));
      }
      if (joined === connection) update();
    });
    startTimer();
    return joined;
  }

  function closed(which: VoiceConnection, code: number): void {
    if (which !== connection || code === 4014) return;
    if (FINAL_CODES.includes(code)) {
      lose(new VoiceError('refused', `Discord closed the voice connection with code ${code}`, { code }));
    } else if (joins.filter((at) => at > performance.now() - 60_000).length >= JOINS_A_MINUTE) {
      lose(new VoiceError('join-timeout', `the voice connection broke again and again, last with code ${code}`, { code }));
    } else {
      joins.push(performance.now());
    }
  }

  /** Opens or closes the gate, as things stand now. */
  function update(): void {
    if (channelId === null) return;
    const { status } = connection.state;
    if (status === 'destroyed') {
      // The client was destroyed, or the bot was removed from the guild.
      lose(new VoiceError('disconnected', 'the voice connection was ended'));
      return;
    }
    const open = status === 'ready' && networking() !== stale && (connection.voicePrivacyCode !== undefined || !heard());
    if (open === gate.open) return;
    if (open) {
      clearTimeout(timer);
      rejoined = false;
      // Before subscribing, which is a change of state itself and comes back here.
      gate.resolve();
      connection.subscribe(player);
    } else {
      gate = closedGate();
      unsubscribe();
      startTimer();
    }
  }

  function networking(): unknown {
    return 'networking' in connection.state ? connection.state.networking : undefined;
  }

  function unsubscribe(): void {
    if (connection.state.status !== 'destroyed') connection.state.subscription?.unsubscribe();
  }

  /** Is somebody else in the channel? Read from voice states: members need not be cached. */
  function heard(): boolean {
    return guild.voiceStates.cache.some((state) => state.channelId === channelId && state.id !== me);
  }

  function startTimer(): void {
    clearTimeout(timer);
    timer = setTimeout(expired, establishMs);
  }

  function expired(): void {
    if (channelId === null) return;
    const kind = connection.state.status === 'ready' ? 'encryption-timeout' : 'join-timeout';
    if (rejoined) {
      lose(new VoiceError(kind, `not established within ${establishMs} ms, twice (state: ${connection.state.status})`));
      return;
    }
    rejoined = true;
    present = false;
    const old = connection;
    unsubscribe();
    old.removeAllListeners().on('error', () => {});
    if (old.state.status !== 'destroyed') old.destroy();
    connection = join(channelId);
  }

  function lose(error: VoiceError): void {
    if (channelId === null) return;
    leave(error);
    onLost(error);
  }

  function leave(error = new VoiceError('disconnected', 'the voice channel was left')): void {
    if (channelId === null) return;
    channelId = null;
    clearTimeout(timer);
    unsubscribe();
    if (connection.state.status !== 'destroyed') connection.destroy();
    if (gate.open) gate = closedGate();
    gate.reject(error);
  }

  return {
    get channelId() {
      return channelId;
    },
    get opened() {
      return gate.promise;
    },
    move(to) {
      if (to === channelId) return;
      channelId = to;
      stale = networking();
      connection.rejoin({ channelId: to, selfDeaf: true, selfMute: false });
      update();
    },
    voiceStateChanged(state) {
      if (state.id === me && state.channelId === null && present) {
        lose(new VoiceError('disconnected', 'disconnected from the voice channel'));
        return;
      }
      if (state.id === me && state.channelId !== null) {
        if (present && state.channelId !== channelId) stale = networking();
        present = true;
        channelId = state.channelId;
      }
      update();
    },
    leave: () => leave(),
  };
}

function closedGate() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Nobody may be waiting when the connection is lost.
  promise.catch(() => {});
  const gate = {
    open: false,
    promise,
    resolve() {
      gate.open = true;
      resolve();
    },
    reject,
  };
  return gate;
}
