// What an idle bot takes: the time until it is ready, and its memory after that. One start after the other.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { startArguments } from '../helpers/program.ts';
import type { Bench } from './conversion.ts';
import { endProcess, residentMb } from './processes.ts';
import { type Row, rowOf } from './rows.ts';
import { startBot, USUAL_BOT } from './say.ts';
import { shortMp3 } from './sounds.ts';
import { startSteadyService } from './steady-service.ts';

const ROUNDS = 5;
/** Time for memory that was only needed during the start to be freed. */
const SETTLE_MS = 5_000;

type Who = 'parley' | 'usual';

export async function benchIdle(bench: Bench): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-idle-'));
  const service = await startSteadyService(await shortMp3(0.4));
  const startMs: Record<Who, number[]> = { parley: [], usual: [] };
  const memoryMb: Record<Who, number[]> = { parley: [], usual: [] };
  try {
    // Only the first start after an installation has no compiled code.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const who of ['parley', 'usual'] as const) {
        if (who === 'usual' && bench.usual.length === 0) continue;
        bench.progress(`idle: start ${round} of ${ROUNDS}, ${who}`);
        const discord = await startLocalDiscord();
        const begun = performance.now();
        const bot = await startBot(who === 'parley' ? startArguments : USUAL_BOT, discord, service, await mkdtemp(join(folder, 'bot-')));
        const ready = performance.now();
        await sleep(SETTLE_MS);
        const resident = residentMb(bot.pid as number);
        if (round > 0) startMs[who].push(ready - begun);
        if (round > 0 && resident !== null) memoryMb[who].push(resident);
        await endProcess(bot);
        await discord.close();
      }
    }
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  const part = 'idle' as const;
  return [
    rowOf({
      part,
      figure: 'start to ready',
      unit: 'ms',
      parley: startMs.parley,
      usual: { 'usual bot': startMs.usual },
      aim: { atMost: 600 },
    }),
    rowOf({
      part,
      figure: 'idle memory',
      unit: 'MB',
      parley: memoryMb.parley,
      usual: { 'usual bot': memoryMb.usual },
      aim: { atMost: 130 },
    }),
  ];
}
