// Compares the API client with plain fetch, against the same service in the same run, and measures an upload's memory.
// npm run bench:api [-- --url URL] [--seconds 3] [--json FILE]; the key of that service comes from VOICE_API_KEY. Without --url it starts the
// local voice service.
import { parseArgs } from 'node:util';
import { type Api, ApiError, createApi } from '../../src/api/index.ts';
import { wavHeader } from '../../src/audio/wav.ts';
import { collectGarbage } from '../helpers/garbage.ts';

import { type Service, startLocalService } from './local-service.ts';
import { median, round, writeReport } from './report.ts';

/** The client may be this much slower than fetch, since it also validates responses. */
const limit = 1.15;
const megabyte = 1024 * 1024;

interface Row {
  measure: string;
  unit: string;
  fetch: number;
  api: number;
  /** How many times worse than fetch. */
  ratio: number;
  within: boolean;
}

const { values: options } = parseArgs({
  options: { url: { type: 'string' }, seconds: { type: 'string', default: '3' }, json: { type: 'string' } },
});

const service = options.url ? { url: options.url, key: process.env.VOICE_API_KEY ?? '', stop: async () => {} } : await startLocalService();
const api = createApi({ baseUrl: service.url, apiKey: service.key });
try {
  // First, while this process is small: later, the heap would have room for the file already.
  const upload = await measureUpload(api, 20_000_000);
  const rows = [await benchSpeak(service, api), ...(await benchListModels(service, api, Number(options.seconds) * 1000))];
  console.table(
    Object.fromEntries(
      rows.map(({ measure, unit, ...row }) => [
        `${measure} (${unit})`,
        { fetch: round(row.fetch), api: round(row.api), ratio: round(row.ratio), limit, within: row.within },
      ]),
    ),
  );
  console.table({
    'memory while 20 MB are uploaded (MB)': { 'resident, more than before': round(upload.rss), 'buffers, at most': round(upload.buffers) },
  });
  const ways = await benchWays(api);
  if (ways) {
    console.table({ 'time to first byte of three sentences, median (ms)': { http: round(ways.http), websocket: round(ways.websocket) } });
  } else console.log('This service does not speak over a websocket.');
  if (rows.some((row) => !row.within)) process.exitCode = 1;
  await writeReport(options.json, { limit, rows, ways, upload });
} finally {
  await api.close();
  await service.stop();
}

/** Time to the first byte of speech, alternating; each text is new, so that nothing can come from a cache. */
async function benchSpeak(service: Service, api: Api): Promise<Row> {
  const times: Record<'fetch' | 'api', number[]> = { fetch: [], api: [] };
  const turns = { fetch: speakWithFetch, api: speakWithApi };
  for (let round = -3; round < 40; round += 1) {
    // The order alternates, and texts depend on the turn, so neither side gets a warmer service or shorter texts.
    for (const [turn, side] of (round % 2 === 0 ? (['fetch', 'api'] as const) : (['api', 'fetch'] as const)).entries()) {
      const ms = await turns[side](
        service,
        api,
        `This is sentence number ${round + 3}, said for the ${turn === 0 ? 'first' : 'second'} time.`,
      );
      if (round >= 0) times[side].push(ms);
    }
  }
  return compare('speak: time to first byte, median', 'ms', median(times.fetch), median(times.api), 'less is better');
}

async function speakWithFetch(service: Service, _: Api, text: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${service.url}/v1/tts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json', model: 's1' },
    body: JSON.stringify({ text }),
  });
  if (!response.ok || response.body === null) throw new Error(`fetch: ${response.status} ${await response.text()}`);
  let firstByteMs = 0;
  for await (const _ of response.body) firstByteMs ||= performance.now() - startedAt;
  return firstByteMs;
}

async function speakWithApi(_: Service, api: Api, text: string): Promise<number> {
  const startedAt = performance.now();
  const speech = await api.speak({ text });
  let firstByteMs = 0;
  // Measured at the caller, later than the speech's own `firstByteMs`.
  for await (const _ of speech.audio) firstByteMs ||= performance.now() - startedAt;
  return firstByteMs;
}

/** Medians of both ways to speak, alternating; null if the service has only one. */
async function benchWays(api: Api): Promise<{ http: number; websocket: number } | null> {
  const times: Record<'http' | 'websocket', number[]> = { http: [], websocket: [] };
  const speak = async (way: 'http' | 'websocket', text: string) => {
    const startedAt = performance.now();
    const speech = way === 'http' ? await api.speak({ text }) : await api.speakLive({}, sentencesOf(text));
    let firstByteMs = 0;
    for await (const _ of speech.audio) firstByteMs ||= performance.now() - startedAt;
    return firstByteMs;
  };
  try {
    for (let round = -2; round < 20; round += 1) {
      for (const way of round % 2 === 0 ? (['http', 'websocket'] as const) : (['websocket', 'http'] as const)) {
        const ms = await speak(way, `This is text number ${round + 2}. It has a second sentence. And it ends with a third one.`);
        if (round >= 0) times[way].push(ms);
      }
    }
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'unsupported') return null;
    throw error;
  }
  return { http: median(times.http), websocket: median(times.websocket) };
}

async function* sentencesOf(text: string): AsyncGenerator<string> {
  yield* text.split(/(?<=\. )/);
}

/** Requests per second, sequential and with five in flight, in alternating fifths of the time. */
async function benchListModels(service: Service, api: Api, ms: number): Promise<Row[]> {
  const listWithFetch = async () => {
    const response = await fetch(`${service.url}/model`, { headers: { authorization: `Bearer ${service.key}` } });
    if (!response.ok) throw new Error(`fetch: ${response.status} ${await response.text()}`);
    await response.json();
  };
  const listWithApi = () => api.listModels();
  const rows: Row[] = [];
  for (const inFlight of [1, 5]) {
    const rates: Record<'fetch' | 'api', number[]> = { fetch: [], api: [] };
    await ratePerSecond(listWithFetch, inFlight, ms / 10);
    await ratePerSecond(listWithApi, inFlight, ms / 10);
    for (let turn = 0; turn < 5; turn += 1) {
      rates.fetch.push(await ratePerSecond(listWithFetch, inFlight, ms / 5));
      rates.api.push(await ratePerSecond(listWithApi, inFlight, ms / 5));
    }
    rows.push(compare(`listModels: ${inFlight} in flight, median`, 'requests/s', median(rates.fetch), median(rates.api), 'more is better'));
  }
  return rows;
}

async function ratePerSecond(call: () => Promise<unknown>, inFlight: number, ms: number): Promise<number> {
  const startedAt = performance.now();
  let calls = 0;
  const worker = async () => {
    while (performance.now() - startedAt < ms) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return (calls * 1000) / (performance.now() - startedAt);
}

/** MB of this process while a WAV of silence is uploaded, sampled at every chunk. */
async function measureUpload(api: Api, size: number): Promise<{ rss: number; buffers: number; seconds: number }> {
  collectGarbage();
  const before = process.memoryUsage();
  let { rss, arrayBuffers } = before;
  async function* wav() {
    // 20 MB are 104 s.
    yield wavHeader(size, { channels: 2, rate: 48_000 });
    const piece = new Uint8Array(64 * 1024);
    for (let at = 0; at < size; at += piece.length) {
      const now = process.memoryUsage();
      rss = Math.max(rss, now.rss);
      arrayBuffers = Math.max(arrayBuffers, now.arrayBuffers);
      yield piece;
    }
  }
  const startedAt = performance.now();
  await api.transcribe({ audio: wav(), filename: 'silence.wav', contentType: 'audio/wav', language: 'en' });
  return {
    rss: (rss - before.rss) / megabyte,
    buffers: (arrayBuffers - before.arrayBuffers) / megabyte,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

function compare(measure: string, unit: string, plain: number, ours: number, better: 'less is better' | 'more is better'): Row {
  const ratio = better === 'less is better' ? ours / plain : plain / ours;
  return { measure, unit, fetch: plain, api: ours, ratio, within: ratio <= limit };
}
