// espeak-ng, the synthesiser of nine languages: a program beside ours that is started for each sentence, which takes it 30 ms.
import { EngineError, type Synthesiser } from '../engine.ts';
import { nothingToSpeak } from '../english-text.ts';
import { speakWithEspeak } from './program.ts';
import { readerOf } from './readings.ts';
import { toEspeakPieces } from './text.ts';
import { ESPEAK_VOICES, type EspeakVoice } from './voices.ts';

const RATE = 22_050;
const WAV_HEADER = 44;
const WORDS_PER_MINUTE = { normal: 175, min: 80, max: 450 };

export async function createEngine(): Promise<Synthesiser> {
  return {
    rate: RATE,
    voices: ESPEAK_VOICES,
    async *synthesise(text, { base, rate = 1 }, speed) {
      const { language, program, variant } = ESPEAK_VOICES[base] as EspeakVoice;
      const { normal, min, max } = WORDS_PER_MINUTE;
      const wordsPerMinute = Math.min(Math.max(normal * rate * speed, min), max);
      let isSilent = true;
      for (const piece of toEspeakPieces(text, language, readerOf(language))) {
        const samples = toSamples(await speakWithEspeak(piece, program + variant, wordsPerMinute));
        isSilent &&= samples.every((sample) => sample === 0);
        yield samples;
      }
      if (!isSilent) return;
      // A language may have no name for "😂".
      if (!/[\p{L}\p{N}]/u.test(text)) throw nothingToSpeak();
      throw new EngineError('crashed', 'espeak-ng made no sound of this text. Change its wording, or choose another voice.');
    },
  };
}

function toSamples(wav: Uint8Array): Float32Array {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const samples = new Float32Array(Math.max(0, (wav.length - WAV_HEADER) >> 1));
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(WAV_HEADER + 2 * at, true) / 32_768;
  return samples;
}
