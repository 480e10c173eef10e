// One /say from end to end: the command, the speech, the encrypted channel, and what is heard there.
import { afterAll, describe, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { createDecoder } from '../../src/local/voice-service/engines/decode/decoder.ts';
import { isEphemeral, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { useParley } from '../helpers/parley.ts';
import { decodeWith, similarityOf } from '../helpers/speech.ts';
import { builtInEngines } from '../helpers/voice-service.ts';

const TEXT = 'We are going to have dinner now.';

describe('/say', () => {
  const parley = useParley({ engines: builtInEngines() });
  const decoder = createDecoder({ processes: 1 });
  afterAll(() => decoder.close());

  it('is heard from beginning to end as the voice says it, encrypted end to end', async () => {
    const { member, api } = parley;
    const receiver = await member.listen();
    const interaction = await member.run('say', { text: TEXT, voice: 'clara' });
    const reply = await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
    expect(isEphemeral(reply)).toBe(false);
    expect(textOf(reply)).toContain(TEXT);
    expect(textOf(reply)).toContain('Clara');

    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const pages = receiver.frames().map((frame) => muxer.packet(frame, 960, false));
    const heard = await decodeWith(decoder, Buffer.concat([muxer.head(), ...pages]));
    const { audio } = await api.speak({ text: TEXT, referenceId: 'clara', format: 'wav', sampleRate: 16_000 });
    const said = await decodeWith(decoder, Buffer.concat(await Array.fromAsync(audio)));
    expect(similarityOf(said, heard)).toBeGreaterThan(0.9);
    expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
  });
});
