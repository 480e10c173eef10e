// espeak-ng, the synthesiser of nine languages: a program beside ours that is started for each sentence, which takes it 30 ms.
import { EngineError, type EngineVoice, type Synthesiser } from '../engine.ts';
import { nothingToSpeak } from '../english-text.ts';
import { speakWithEspeak } from './program.ts';
import { readerOf } from './readings.ts';
import { toEspeakPieces } from './text.ts';
import { ESPEAK_VOICES } from './voices.ts';

const RATE = 22_050;
const WAV_HEADER = 44;
const WORDS_PER_MINUTE = { normal: 175, min: 80, max: 450 };

export async function createEngine(): Promise<Synthesiser> {
  return {
    rate: RATE,
    voices: ESPEAK_VOICES,
    async *synthesise(text, voice, speed) {
      const { language } = voiceOf(voice);
      let isSilent = true;
      for (const piece of toEspeakPieces(text, language, readerOf(language))) {
        const samples = await speakPiece(piece, voice, speed);
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

function voiceOf({ base }: EngineVoice) {
  const voice = ESPEAK_VOICES[base];
  if (!voice) throw new EngineError('unsupported-format', `There is no voice "${base}".`);
  return voice;
}

async function speakPiece(text: string, voice: EngineVoice, speed: number): Promise<Float32Array> {
  const { program, variant } = voiceOf(voice);
  const { normal, min, max } = WORDS_PER_MINUTE;
  const wordsPerMinute = Math.min(Math.max(normal * (voice.rate ?? 1) * speed, min), max);
  const wav = await speakWithEspeak(text, program + variant, wordsPerMinute);
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const samples = new Float32Array(Math.max(0, (wav.length - WAV_HEADER) >> 1));
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(WAV_HEADER + 2 * at, true) / 32_768;
  return samples;
}
