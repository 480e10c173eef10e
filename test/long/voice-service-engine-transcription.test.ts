// A recording of more than an hour for an operator's own engine, which takes seconds to decode.
import { expect, test } from 'vitest';
import { openEngineServer } from '../helpers/engine-server.ts';
import { silentFlac } from '../helpers/recordings.ts';
import { sendForm, startTestVoiceService } from '../helpers/voice-service.ts';

test('a recording of more than an hour never reaches the engine', async () => {
  const engine = await openEngineServer();
  await using service = await startTestVoiceService({ transcription: { url: engine.url, key: 'key' } });
  expect((await sendForm(service, '/v1/asr', { audio: silentFlac(3700) })).status).toBe(422);
  expect(engine.callsOf('/v1/audio/transcriptions')).toEqual([]);
});
