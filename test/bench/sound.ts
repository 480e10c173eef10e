// Compares the sound path with how bots usually do it, in one run on the same sound, and checks the aims.
// npm run bench [-- --only first,cpu,resample,memory,streams,guilds,servers,idle,say,cold,live,dictionary,texts] [--json FILE]; about fifteen minutes. Everything is on loopback.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bench, benchCpu, benchFirstFrame, benchMemory } from './conversion.ts';
import { benchDictionary } from './dictionary.ts';
import { benchIdle } from './idle.ts';
import { benchLive } from './live.ts';
import { hasFfmpeg } from './processes.ts';
import { describeMachine, round, writeReport } from './report.ts';
import { benchResample } from './resample.ts';
import { type Part, printRows, type Row } from './rows.ts';
import { benchCold, benchSay } from './say.ts';
import { benchServers } from './servers.ts';
import { writeSounds } from './sounds.ts';
import { benchGuilds, benchStreams } from './streams.ts';
import { benchTexts } from './texts.ts';
import { USUAL_WAYS } from './ways.ts';

const parts: Record<Part, (bench: Bench) => Promise<Row[]>> = {
  first: benchFirstFrame,
  cpu: benchCpu,
  resample: benchResample,
  memory: benchMemory,
  streams: benchStreams,
  guilds: benchGuilds,
  servers: benchServers,
  idle: benchIdle,
  say: benchSay,
  cold: benchCold,
  live: benchLive,
  dictionary: benchDictionary,
  texts: benchTexts,
};

const { values: options } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
const chosen = Object.keys(parts) as Part[];
const asked = options.only?.split(',').map((name) => name.trim()) ?? chosen;
const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part "${unknown.join(', ')}": choose from ${chosen.join(', ')}.`);
  process.exit(1);
}

const begun = performance.now();
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
try {
  const usual = hasFfmpeg() ? USUAL_WAYS : [];
  if (usual.length === 0) console.error('The usual ways are left out: ffmpeg is not on the PATH.');
  const bench: Bench = {
    sounds: await writeSounds(folder),
    usual,
    progress: (what) => console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${what}`),
  };
  const { processor, cores, load, node } = describeMachine();
  console.error(`${cores} cores of ${processor}, load ${load}, Node ${node}; ${round(bench.sounds.seconds, 3)} s of speech.`);
  const rows: Row[] = [];
  for (const part of chosen.filter((name) => asked.includes(name))) {
    try {
      rows.push(...(await parts[part](bench)));
    } catch (error) {
      // Keep the figures of the other parts.
      console.error(`The part "${part}" failed:`, error);
      process.exitCode = 1;
    }
  }
  bench.progress('done');
  printRows(rows);
  console.log('Medians, with the 10th and 90th percentile; "reached" compares with the better usual way.');
  console.log('50 servers of one bot: npm run load.');
  await writeReport(options.json, { rows });
} finally {
  await rm(folder, { recursive: true, force: true });
}
