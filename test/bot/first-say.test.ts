// One /say from end to end: the command, the speech, the encrypted channel, and recognition of what was heard.
import { describe, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { isEphemeral, textOf } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';

describe('/say', () => {
  const parley = useParley();

  it('is heard with all its words, encrypted end to end', async () => {
    const { member, api } = parley;
    const receiver = await member.listen();
    const interaction = await member.run('say', { text: 'We are going to have dinner with my mother and my sister.', voice: 'clara' });
    const reply = await interaction.message((message) => textOf(message).includes('Spoken in'));
    expect(isEphemeral(reply)).toBe(false);
    expect(textOf(reply)).toContain('We are going to have dinner with my mother and my sister.');
    expect(textOf(reply)).toContain('Clara');

    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const pages = receiver.frames().map((frame) => muxer.packet(frame, 960, false));
    const { text } = await api.transcribe({
      audio: Buffer.concat([muxer.head(), ...pages]),
      filename: 'heard.ogg',
      contentType: 'audio/ogg',
    });
    expect(text.toLowerCase()).toMatch(/dinner with my mother and my sister/);
    expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
    expect(receiver.stats().decrypted).toBeGreaterThan(30);
  });
});
