// Other members who talk in a voice channel, with voices that the local Discord is given, so that one person can try what happens among several.
import { setTimeout as sleep } from 'node:timers/promises';
import { type APIVoiceState, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { flattenComponents } from '../messages/component-tree.ts';
import type { TalkMode } from '../page/protocol.ts';
import type { VoiceServer } from '../voice/types.ts';
import { hasPermissions } from '../world/permissions.ts';
import { isSuppressed } from '../world/voice-states.ts';
import { type Channel, type Guild, type GuildChannel, guildOf, type Message, type World } from '../world/world.ts';
import { deal } from './crowd.ts';
import { TALK_LINES } from './crowd-lines.ts';
import { saySpeech } from './speech.ts';
import { createMemberVoice, type MemberVoice } from './voice.ts';

const MAX_TALKERS = 3;
/** After this they leave by themselves: some four minutes of one after another. */
const MAX_LINES = 60;

/**
 * Says a text as Opus packets of 20 ms. `voice`: 0, 1, 2 …, another voice for each talker. Stops when the signal aborts.
 */
export type Speak = (text: string, voice: number, signal: AbortSignal) => AsyncIterable<Uint8Array>;

interface Dependencies {
  world: World;
  voice: VoiceServer;
  /** The member who listens, and whom they follow out of the channel. */
  userId: string;
  /** Whether somebody is acting as this member already. */
  isPresent: (userId: string) => boolean;
  speak: Speak;
  /** Presses a button as this member; absent if there is none that they are to press. */
  press?: { customId: string; run(userId: string, channel: Channel, message: Message): void } | undefined;
  /** In ms, how long a pause between two lines is on average. */
  pauseMs: number;
  onChange: (mode: TalkMode | null, failure?: string) => void;
}

interface Talker {
  userId: string;
  voice: MemberVoice;
  /** The number of their voice. */
  number: number;
}

export function createTalkers({ world, voice, userId, isPresent, speak, press, pauseMs, onChange }: Dependencies) {
  let talking: { channel: GuildChannel; talkers: Talker[]; lines: AbortController; unfollow: () => void } | null = null;

  /** They join this channel, or go on there in this mode. @throws Error with a sentence for the member */
  function start(channel: GuildChannel, mode: TalkMode): void {
    if (talking?.channel !== channel) {
      stop();
      talking = gather(channel);
    }
    talking.lines.abort();
    talking.lines = new AbortController();
    const { talkers, lines } = talking;
    onChange(mode);
    const nextLine = deal(TALK_LINES);
    let left = MAX_LINES;
    const groups = mode === 'in turn' ? [talkers] : talkers.map((talker) => [talker]);
    void Promise.all(groups.map(talk)).then(
      () => lines.signal.aborted || stop(),
      () => lines.signal.aborted || stop('The voices of the others don’t work here.'),
    );

    /** These say a line each, then again. */
    async function talk(group: Talker[]): Promise<void> {
      const nextTalker = deal(group);
      while (left-- > 0 && !lines.signal.aborted) {
        const { voice: own, number } = nextTalker();
        await saySpeech(own.microphone, speak(nextLine(), number, lines.signal), { signal: lines.signal });
        await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: lines.signal });
      }
    }
  }

  /** @throws Error if nobody can come */
  function gather(channel: GuildChannel): NonNullable<typeof talking> {
    const guild = guildOf(world, channel) as Guild;
    const talkers: Talker[] = [];
    const unfollow = world.onEvent(({ t, d, guildId = '' }) => {
      if (t === 'MESSAGE_CREATE') queueMicrotask(() => pressIn(d as Message));
      if (t !== 'VOICE_STATE_UPDATE') return;
      const state = d as APIVoiceState;
      const talker = talkers.find((one) => one.userId === state.user_id);
      talker?.voice.follow(guildId, state);
      const hasLeft = state.channel_id !== channel.id && (talker || state.user_id === userId);
      // Later, so that everybody has learnt of this change first.
      if (hasLeft) queueMicrotask(() => talking?.channel === channel && stop());
    });
    const candidates = [...guild.members.values()]
      .filter(({ user }) => !user.bot && user.id !== userId && !isPresent(user.id))
      .filter(({ user }) => ![...world.guilds.values()].some(({ voiceStates }) => voiceStates.has(user.id)))
      .filter(({ user }) => hasPermissions(world, user.id, channel, P.Connect) && !isSuppressed(world, user.id, channel));
    for (const { user } of candidates) {
      const own = createMemberVoice({ world, voice, userId: user.id, onHeard: () => {}, onSpeaking: () => {} });
      const talker = { userId: user.id, voice: own, number: talkers.length };
      talkers.push(talker);
      try {
        own.join(channel, { self_mute: false, self_deaf: false });
      } catch {
        talkers.pop(); // The channel is full.
      }
      if (talkers.length === MAX_TALKERS) break;
    }
    if (talkers.length === 0) {
      unfollow();
      throw new Error('There is nobody else here who could talk in this voice channel.');
    }
    const latest = world.messages.get(channel.id)?.findLast(hasButton);
    if (latest) pressIn(latest);
    return { channel, talkers, lines: new AbortController(), unfollow };

    /** All of them agree to what the application asks in the channel's chat, such as to be heard. */
    function pressIn(message: Message): void {
      if (message.channel_id === channel.id && hasButton(message))
        for (const talker of talkers) press?.run(talker.userId, channel, message);
    }
  }

  function hasButton({ components, visibleTo }: Message): boolean {
    if (!press || visibleTo !== undefined) return false;
    return flattenComponents(components).some(({ custom_id, disabled }) => custom_id === press.customId && !disabled);
  }

  function stop(failure?: string): void {
    if (!talking) return;
    const { talkers, lines, unfollow } = talking;
    talking = null;
    lines.abort();
    unfollow();
    for (const { voice: own } of talkers) own.close();
    onChange(null, failure);
  }

  return { start, stop: () => stop() };
}
