// Other work that must go on during an attack: one job at a time, over and over.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { asrResult } from '../../src/api/schemas.ts';
import { createSimulatedMember, OVER, type SimulatedMember } from '../load/simulated-member.ts';
import { ask } from './answers.ts';
import { formOf } from './forms.ts';
import type { FuzzEnvironment } from './target.ts';

const PAUSE_MS = 1_000;
const SPOKEN_MS = 120_000;
const POLL_INTERVAL_MS = 100;
const TEXT = 'All is well.';

export interface Jobs {
  /** How many jobs have been done. */
  done(): number;
  /** Resolves when the last job has ended. */
  close(): Promise<void>;
}

/** Resolves when a text was spoken to its end. @throws Error if several attempts failed */
export async function spoken(member: SimulatedMember, text: string, within: number): Promise<void> {
  const until = performance.now() + within;
  for (;;) {
    const record = await member.run('say', { text });
    while (record.doneAt === null && performance.now() < until) await sleep(POLL_INTERVAL_MS);
    if (/Spoken/.test(record.text)) return;
    if (performance.now() >= until)
      throw new Error(
        `a text is not spoken any more: ${record.failure ?? (OVER.exec(record.text)?.[0] || record.text.slice(0, 200) || 'no answer')}`,
      );
    await sleep(POLL_INTERVAL_MS);
  }
}

/** `key` is the voice service's. `onFailure` receives each job that did not work as it does without an attack. */
export async function startJobs(
  { service, main: { discord } }: FuzzEnvironment,
  key: string,
  onFailure: (what: string) => void,
): Promise<Jobs> {
  const road = readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url));
  // No target attacks the third guild.
  const member = createSimulatedMember(discord, discord.guildIds[2] ?? '', () => {});
  await member.listen();
  const jobs: [string, () => Promise<string>][] = [
    [
      'speech',
      async () => {
        const body = JSON.stringify({ text: TEXT, format: 'pcm', sample_rate: 16_000 });
        const { status, bytes } = await ask(service, '/v1/tts', { key, headers: { 'content-type': 'application/json' }, body });
        return `${status}, ${bytes.length > 10_000 ? 'sound' : 'no sound'}`;
      },
    ],
    [
      'transcription',
      async () => {
        const { status, json } = await ask(service, '/v1/asr', { key, ...formOf([{ name: 'audio', filename: 'a.mp3', value: road }]) });
        return `${status}, ${asrResult.safeParse(json).data?.text}`;
      },
    ],
    ['/say', () => spoken(member, TEXT, SPOKEN_MS).then(() => 'spoken')],
  ];
  const expected = new Map<string, string>();
  for (const [name, run] of jobs) expected.set(name, await run());
  let done = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      for (const [name, run] of jobs) {
        const result = await run().catch((error: Error) => error.message);
        if (result !== expected.get(name)) onFailure(`another job fails, ${name}: ${result} instead of ${expected.get(name)}`);
        done += 1;
        await sleep(PAUSE_MS);
      }
    }
  })();
  return {
    done: () => done,
    async close() {
      isOver = true;
      await loop;
      member.close();
    },
  };
}
