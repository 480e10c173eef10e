// An engine of an operator's own: a server with OpenAI-shaped endpoints over real sockets that speaks and hears in tones. Any of its paths can
// be made to fail.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { onTestFinished } from 'vitest';
import type { SpeechFormat } from '../../src/local/voice-service/engines/index.ts';
import { answer, answerJson, type Behaviour, listenMisbehaving } from './misbehaving-service.ts';
import { toneEngines } from './voice-service.ts';

export type EnginePath = '/v1/models' | '/v1/audio/voices' | '/v1/audio/speech' | '/v1/audio/transcriptions';

interface SeenCall {
  path: string;
  headers: IncomingHttpHeaders;
  /** What speech was asked for, or the fields of a transcription's form. */
  fields: Record<string, unknown>;
  file: { name: string; bytes: Uint8Array } | null;
}

export type EngineServer = Awaited<ReturnType<typeof startEngineServer>>;

const BASES: Record<string, string> = { af_clara: 'slt', bm_angus: 'awb', rms: 'rms' };
const MIME: Record<string, string> = { mp3: 'audio/mpeg', wav: 'audio/wav', opus: 'audio/ogg' };
const ANSWERS: Record<string, (call: SeenCall) => Behaviour | Promise<Behaviour>> = {
  'GET /v1/models': () => answerJson(200, { object: 'list', data: [{ id: 'whisper-1' }, { id: 'kokoro' }, { id: 'kokoro-large' }] }),
  'GET /v1/audio/voices': () => answerJson(200, { voices: Object.keys(BASES) }),
  'POST /v1/audio/speech': speak,
  'POST /v1/audio/transcriptions': transcribe,
};

/** Closes with the test. */
export async function openEngineServer(...given: Parameters<typeof startEngineServer>) {
  const server = await startEngineServer(...given);
  onTestFinished(server.close);
  return server;
}

/** @param key required of every call */
export async function startEngineServer({ key, port = 0 }: { key?: string; port?: number } = {}) {
  const calls: SeenCall[] = [];
  const behaviours = new Map<string, Behaviour>();
  const answerTo = async ({ method, url: path = '', headers }: IncomingMessage, body?: Buffer): Promise<Behaviour> => {
    const call: SeenCall = { path, headers, ...(await readFields(headers['content-type'] ?? '', body)) };
    calls.push(call);
    const behaviour = behaviours.get(path);
    if (behaviour) return behaviour;
    if (key !== undefined && headers.authorization !== `Bearer ${key}`)
      return answerJson(401, { error: { message: `Incorrect API key provided: ${headers.authorization}` } });
    return (await ANSWERS[`${method} ${path}`]?.(call)) ?? answerJson(404, { detail: 'Not Found' });
  };
  const behave: Behaviour = (request, response, body) =>
    void answerTo(request, body)
      .then((behaviour) => behaviour(request, response))
      .catch(() => response.destroy());

  return {
    ...(await listenMisbehaving(port, [behave])),
    calls,
    /** Calls of one path so far, but for those without content, which only look whether it is there. */
    callsOf: (path: EnginePath) => calls.filter((call) => call.path === path && (call.file !== null || 'input' in call.fields)),
    /** Makes a path behave so from now on; null: well. */
    behave(path: EnginePath, behaviour: Behaviour | null) {
      if (behaviour) behaviours.set(path, behaviour);
      else behaviours.delete(path);
    },
  };
}

async function readFields(type: string, body: Uint8Array = Buffer.alloc(0)): Promise<Pick<SeenCall, 'fields' | 'file'>> {
  if (type === 'application/json') return { fields: JSON.parse(Buffer.from(body).toString()), file: null };
  if (!type.startsWith('multipart/')) return { fields: {}, file: null };
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = form.get('file') as File | null;
  form.delete('file');
  return { fields: Object.fromEntries(form), file: file && { name: file.name, bytes: await file.bytes() } };
}

function speak({ fields }: SeenCall): Behaviour {
  const { input, voice, response_format: format = 'mp3', speed = 1 } = fields as Record<string, string & number>;
  if (!input) return answerJson(422, { detail: [{ loc: ['body', 'input'], msg: 'Field required', type: 'missing' }] });
  const base = BASES[voice ?? ''];
  if (!base) return answerJson(400, { error: { message: `Voice '${voice}' not found for: ${input}` } });
  const sound = toneEngines().speak({ text: input, voice: { base }, format: format as SpeechFormat, speed });
  return (_, response) => {
    response.writeHead(200, { 'content-type': MIME[format] });
    pipeline(Readable.from(sound), response).catch(() => response.destroy());
  };
}

async function transcribe({ fields, file }: SeenCall): Promise<Behaviour> {
  if (!file) return answerJson(422, { detail: [{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }] });
  const { text, duration, segments } = await toneEngines().transcribe({ audio: file.bytes, timestamps: true });
  if (fields.response_format === 'text') return answer(200, text, { 'content-type': 'text/plain' });
  const numbered = segments.map((segment, id) => ({ id, seek: 0, ...segment, tokens: [1, 2], avg_logprob: -0.2 }));
  const verbose = { task: 'transcribe', language: 'english', duration, text, segments: numbered };
  return answerJson(200, fields.response_format === 'verbose_json' ? verbose : { text });
}
