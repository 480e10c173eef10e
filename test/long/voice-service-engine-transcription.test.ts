// A recording of more than an hour for an operator's own engine, which takes seconds to decode.
import { expect, onTestFinished, test } from 'vitest';
import { createEngines } from '../../src/local/voice-service/engines/index.ts';
import { startEngineServer } from '../helpers/engine-server.ts';
import { silentFlac } from '../helpers/recordings.ts';
import { sendForm, startTestVoiceService } from '../helpers/voice-service.ts';

test('a recording of more than an hour never reaches the engine', async () => {
  const engine = await startEngineServer();
  const engines = createEngines({ transcription: { url: engine.url, key: 'key' } });
  const service = await startTestVoiceService({ engines });
  onTestFinished(() => service.close().then(engines.close));
  expect((await sendForm(service, '/v1/asr', { audio: silentFlac(3700) })).status).toBe(422);
  expect(engine.callsOf('/v1/audio/transcriptions')).toEqual([]);
});
