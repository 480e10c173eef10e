// Members who speak in a voice channel of the local Discord: Opus packets of recordings, said in real time or faster.
import { toOpusPackets } from '../../src/audio/index.ts';
import { listen, oggOpusOf } from './sound.ts';

export { saySpeech } from '../../src/local/discord/member/speech.ts';

/** A sound of any format as the Opus packets that a client would send: 20 ms and mono by default. */
export async function recordedPackets(sound: Uint8Array, options: Parameters<typeof oggOpusOf>[1] = {}): Promise<Uint8Array[]> {
  async function* source() {
    yield sound;
  }
  const { sound: samples, failure } = await listen(toOpusPackets(source()));
  if (failure) throw failure;
  return (await oggOpusOf(samples, options)).packets;
}
