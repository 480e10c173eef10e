// The sounds of messages in memory: bounded, and gone with the message, its author's data or its voice.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMessageSounds, type MessageSounds } from '../../src/synthesis/message-sounds.ts';

const packets = (bytes: number) => [new Uint8Array(bytes)];

function fill(
  sounds: ReturnType<typeof createMessageSounds>,
  key: string,
  messageId: string,
  { memberId = 'robin', bytes = 100, isWanted = true } = {},
) {
  const { slot, save } = begin(sounds, key, messageId, { memberId, bytes, isWanted });
  save();
  return slot;
}

/** Makes a sound that is not complete before `save`. */
function begin(
  sounds: ReturnType<typeof createMessageSounds>,
  key: string,
  messageId: string,
  { memberId = 'robin', bytes = 100, isWanted = true } = {},
) {
  const slot = sounds.slot(key, { messageId, guildId: 'guild', memberId, voiceId: `voice of ${memberId}` }, () => isWanted);
  const recording = slot.record();
  for (const packet of packets(bytes)) recording.add(packet);
  return { slot, save: recording.save };
}

describe('the sounds of messages', () => {
  it('are there for the same words again, until one of the messages is deleted', async () => {
    const sounds = createMessageSounds(1000);
    fill(sounds, 'hello', '1');
    const again = sounds.slot('hello', { messageId: '2', guildId: 'guild', memberId: 'sam', voiceId: null }, () => true);
    expect(await again.get()).toEqual(packets(100));
    sounds.forgetMessage('2');
    expect(await again.get()).toBeNull();
    expect(sounds.bytes).toBe(0);
  });

  it('never take more than their limit: what was heard the longest ago leaves first', async () => {
    const sounds = createMessageSounds(250);
    const [first, second] = [fill(sounds, 'a', '1'), fill(sounds, 'b', '2')];
    await first.get();
    fill(sounds, 'c', '3');
    expect(sounds.bytes).toBe(200);
    expect(await first.get()).not.toBeNull();
    expect(await second.get()).toBeNull();
    expect(await fill(sounds, 'd', '4', { bytes: 300 }).get()).toBeNull();
    expect(sounds.bytes).toBeLessThanOrEqual(250);
  });

  it('are all gone with a message that was heard in several voices or other words', async () => {
    const sounds = createMessageSounds(1000);
    const slots = [fill(sounds, 'Robin says: hello', '1'), fill(sounds, 'hello', '1'), fill(sounds, 'hello, faster', '1')];
    sounds.forgetMessage('1');
    for (const slot of slots) expect(await slot.get()).toBeNull();
    expect(sounds.bytes).toBe(0);
  });

  it('are not kept if the message is gone by the time they are complete', async () => {
    const sounds = createMessageSounds(1000);
    const { slot, save } = begin(sounds, 'hello', '1');
    sounds.forgetMessage('1');
    save();
    expect(await slot.get()).toBeNull();
    const again = begin(sounds, 'hello', '2');
    sounds.forgetGuild('guild');
    again.save();
    expect(sounds.bytes).toBe(0);
  });

  it.each<[string, (sounds: MessageSounds) => unknown]>([
    ['one message', (sounds) => sounds.forgetMessage('1')],
    ['the other message', (sounds) => sounds.forgetMessage('2')],
    ['one author’s data', (sounds) => sounds.forgetMember('robin')],
    ['the other author’s data', (sounds) => sounds.forgetMember('sam')],
  ])('of two messages of the same words that were made at the same time are gone with %s', async (_, forget) => {
    const sounds = createMessageSounds(1000);
    const [first, second] = [begin(sounds, 'hello', '1'), begin(sounds, 'hello', '2', { memberId: 'sam' })];
    first.save();
    second.save();
    forget(sounds);
    expect(await first.slot.get()).toBeNull();
    expect(sounds.bytes).toBe(0);
  });

  it('are gone an hour after they were last heard', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const sounds = createMessageSounds(1000);
    const slot = fill(sounds, 'hello', '1');
    vi.advanceTimersByTime(40 * 60_000);
    expect(await slot.get()).not.toBeNull();
    vi.advanceTimersByTime(40 * 60_000);
    expect(await slot.get()).not.toBeNull();
    vi.advanceTimersByTime(61 * 60_000);
    expect(sounds.bytes).toBe(0);
  });

  it('are forgotten with their author’s data or their voice, and not kept if that happened while they were made', async () => {
    const sounds = createMessageSounds(1000);
    fill(sounds, 'a', '1');
    fill(sounds, 'b', '2', { memberId: 'sam' });
    expect(sounds.forgetMember('robin')).toBe(1);
    expect(sounds.bytes).toBe(100);
    sounds.forgetVoice('voice of sam');
    expect(sounds.bytes).toBe(0);
    expect(await fill(sounds, 'c', '3', { isWanted: false }).get()).toBeNull();
    fill(sounds, 'd', '4');
    sounds.clear();
    expect(sounds.bytes).toBe(0);
  });
});
