// The process that finds speech, where its model is missing.
import { registerHooks } from 'node:module';
import { SPEECH_MODEL } from '../../src/voice-activity/model.ts';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === SPEECH_MODEL.package) throw new Error('There is no such package.');
    return next(specifier, context);
  },
});
await import('../../src/captions/speech-process.ts');
