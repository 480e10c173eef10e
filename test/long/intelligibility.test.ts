// Whether speech is still understood where Flite's voices are stretched the most.
import { expect, it } from 'vitest';
import { SHAPEABLE_VOICES } from '../../src/local/voice-service/engines/index.ts';
import { collect, countWordErrors, translatorOf } from '../helpers/speech.ts';
import { builtInEngines } from '../helpers/voice-service.ts';

const SENTENCE = 'The children followed him home to dinner.';

it.each(Object.keys(SHAPEABLE_VOICES))('%s stays intelligible at both ends of its pitches', async (base) => {
  const engines = builtInEngines();
  const { min, max } = SHAPEABLE_VOICES[base]?.pitchHz ?? expect.fail('there is no such voice');
  for (const pitchHz of [min, max]) {
    const audio = await collect(engines.speak({ text: SENTENCE, voice: { base, pitchHz }, format: 'wav', sampleRate: 16_000 }));
    const { text } = await engines.transcribe({ audio, timestamps: false });
    expect(countWordErrors(translatorOf(SENTENCE), translatorOf(text)), `at ${pitchHz} Hz, heard as: ${text}`).toBeLessThanOrEqual(2);
  }
});
