// The sounds of messages in memory: bounded, and gone with the message, its author's data or its voice.
import { describe, expect, it } from 'vitest';
import { createMessageSounds } from '../../src/speech/message-sounds.ts';

const packets = (bytes: number) => [new Uint8Array(bytes)];

function fill(
  sounds: ReturnType<typeof createMessageSounds>,
  key: string,
  messageId: string,
  { memberId = 'robin', bytes = 100, isWanted = true } = {},
) {
  const slot = sounds.slot(key, { messageId, memberId, voiceId: `voice of ${memberId}` }, () => isWanted);
  const recording = slot.record();
  for (const packet of packets(bytes)) recording.add(packet);
  recording.save();
  return slot;
}

describe('the sounds of messages', () => {
  it('are there for the same words again, until one of the messages is deleted', async () => {
    const sounds = createMessageSounds(1000);
    fill(sounds, 'hello', '1');
    const again = sounds.slot('hello', { messageId: '2', memberId: 'sam', voiceId: null }, () => true);
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
    fill(sounds, 'd', '4', { bytes: 300 });
    expect(sounds.bytes).toBe(200);
  });

  it('are forgotten with their author’s data or their voice, and not kept if that happened while they were made', async () => {
    const sounds = createMessageSounds(1000);
    fill(sounds, 'a', '1');
    fill(sounds, 'b', '2', { memberId: 'sam' });
    expect(sounds.forgetMember('robin')).toBe(1);
    expect(sounds.bytes).toBe(100);
    sounds.forgetVoice('voice of sam');
    expect(sounds.bytes).toBe(0);
    fill(sounds, 'c', '3', { isWanted: false });
    expect(sounds.bytes).toBe(0);
    fill(sounds, 'd', '4');
    sounds.clear();
    expect(sounds.bytes).toBe(0);
  });
});
