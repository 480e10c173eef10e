// One /say from end to end: the command, the speech, the encrypted channel, and recognition of what was heard.
import { describe, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg.ts';
import { isEphemeral, shown } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';

describe('/say', () => {
  const parley = useParley();

  it('is heard, encrypted end to end, and what is heard has the words', async () => {
    const { member, api } = parley;
    const ear = await member.listen();
    const asked = await member.run('say', { text: 'We are going to have dinner with my mother and my sister.', voice: 'clara' });
    const reply = await asked.message((message) => shown(message).includes('Spoken:'));
    expect(isEphemeral(reply)).toBe(false);
    expect(shown(reply)).toContain('We are going to have dinner with my mother and my sister.');
    expect(shown(reply)).toContain('Clara');

    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const pages = ear.frames().map((frame) => muxer.packet(frame, 960, false));
    const { text } = await api.transcribe({
      audio: Buffer.concat([muxer.head(), ...pages]),
      filename: 'heard.ogg',
      contentType: 'audio/ogg',
    });
    expect(text.toLowerCase()).toMatch(/dinner with my mother and my sister/);
    expect(ear.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
    expect(ear.stats().decrypted).toBeGreaterThan(30);
  });
});
