// How long the local voice service takes for GET /model with ten thousand models, over HTTP, with random filters and sort orders.
// node test/bench/models.ts [--models 10000] [--requests 2000] [--json FILE]; the aim is p99 under 50 ms on two idle cores.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { makeCatalogue } from '../helpers/catalogue.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

const { values: options } = parseArgs({
  options: { models: { type: 'string', default: '10000' }, requests: { type: 'string', default: '2000' }, json: { type: 'string' } },
});

const queries = {
  'the first page': () => '',
  'a page of 100 from anywhere': () => `page_size=100&page_number=${1 + Math.floor(Math.random() * 80)}&sort_by=created_at`,
  'by title': () => `title=voice%20${Math.floor(Math.random() * 1000)}`,
  'by all filters': () => 'title=calm&tag=deep&tag=news&language=en&language=ja&title_language=en&author_id=author-3&sort_by=task_count',
};

await using service = await startTestVoiceService({ catalogue: makeCatalogue(Number(options.models)), limits: { callsPerKey: 1000 } });
const pool = new Pool(service.url, { connections: 4 });
const rows: { query: string; p50: number; p99: number; worst: number }[] = [];
for (const [query, make] of Object.entries(queries)) {
  const times = await measure(make, Number(options.requests));
  const at = (share: number) => Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2));
  rows.push({ query, p50: at(0.5), p99: at(0.99), worst: at(1) });
}
await pool.close();
console.log(`GET /model out of ${options.models} models, 4 connections, milliseconds`);
console.table(rows);
if (options.json) await writeFile(options.json, JSON.stringify(rows, null, 2));

/** Sorted times of this many requests in ms, after a tenth as many to warm up. */
async function measure(make: () => string, count: number): Promise<number[]> {
  const times: number[] = [];
  let left = count + Math.ceil(count / 10);
  const caller = async () => {
    while (left-- > 0) {
      const warm = left < count;
      const begun = performance.now();
      const answer = await pool.request({ method: 'GET', path: `/model?${make()}`, headers: { authorization: `Bearer ${service.key}` } });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
      if (warm) times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: 4 }, caller));
  return times.sort((a, b) => a - b);
}
