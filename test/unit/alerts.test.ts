// The alerts, evaluated by Prometheus itself on made-up figures: none while all is well, and each trouble sets off its own and no other.

import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';
import { prometheus, titled } from '../helpers/requirements.ts';

const rules = fileURLToPath(new URL('../../deploy/prometheus/alerts.yaml', import.meta.url));
const MINUTES = 100;

/** Series of a process that is well, by name and labels; the values are in promtool's notation: a number, or start+step. */
const well: Record<string, string> = {
  'up{job="parley",instance="one"}': '1',
  'parley_shards{instance="one"}': '2',
  'parley_shards_held{instance="one"}': '2',
  'parley_service_down{instance="one"}': '0',
  'parley_stage_seconds_bucket{stage="speech",le="1"}': '0+60',
  'parley_stage_seconds_bucket{stage="speech",le="5"}': '0+60',
  'parley_stage_seconds_bucket{stage="speech",le="+Inf"}': '0+60',
  'parley_first_sound_seconds_bucket{le="1"}': '0+60',
  'parley_first_sound_seconds_bucket{le="5"}': '0+60',
  'parley_first_sound_seconds_bucket{le="+Inf"}': '0+60',
  'parley_frames_total{instance="one",arrival="on_time"}': '0+3000',
  'parley_frames_total{instance="one",arrival="late"}': '0+1',
  'parley_joins_total{outcome="ready"}': '0+10',
  'parley_joins_total{outcome="not-permitted"}': '0+10',
  'parley_service_calls_total{call="speech",outcome="ok"}': '0+60',
  'parley_commands_total{command="say",outcome="done"}': '0+60',
  'parley_credit_left{instance="one"}': '100000-1',
  'process_resident_memory_bytes{job="parley",instance="one"}': '200000000',
  'nodejs_eventloop_lag_p99_seconds{job="parley",instance="one"}': '0.02',
};
const slowSpeech = { 'parley_stage_seconds_bucket{stage="speech",le="1"}': '0' };
const slowSound = { 'parley_first_sound_seconds_bucket{le="1"}': '0' };

const cases: [alert: string | null, change: Record<string, string>][] = [
  [null, {}],
  ['ParleyDown', { 'up{job="parley",instance="one"}': '0' }],
  ['ParleyShardsFree', { 'parley_shards_held{instance="one"}': '1' }],
  ['ParleyShardsHeldTwice', { 'parley_shards_held{instance="two"}': '1' }],
  ['ParleyServiceDown', { 'parley_service_down{instance="one"}': '1' }],
  ['ParleyServiceSlow', { ...slowSpeech, ...slowSound }],
  ['ParleyFirstSoundSlow', slowSound],
  ['ParleyFramesLate', { 'parley_frames_total{instance="one",arrival="late"}': '0+60' }],
  ['ParleyJoinsFail', { 'parley_joins_total{outcome="join-timeout"}': '0+10' }],
  ['ParleyCallsFail', { 'parley_service_calls_total{call="speech",outcome="timeout"}': '0+10' }],
  ['ParleyCommandsBreak', { 'parley_commands_total{command="say",outcome="broken"}': '0+1' }],
  // The first of its kind: before it there is no such series.
  ['ParleyCommandsBreak', { 'parley_commands_total{command="say",outcome="broken"}': '_x90 1x10' }],
  ['ParleyCreditEnds', { 'parley_credit_left{instance="one"}': '100000-100' }],
  ['ParleyMemoryHigh', { 'process_resident_memory_bytes{job="parley",instance="one"}': '700000000' }],
  ['ParleyEventLoopSlow', { 'nodejs_eventloop_lag_p99_seconds{job="parley",instance="one"}': '0.2' }],
];

test.runIf(prometheus.isMet)(titled('each trouble sets off its own alert and no other', prometheus), async () => {
  const tests = cases.map(([alert, change], number) => ({
    name: `case ${number + 1}, of ${alert ?? 'no trouble'}`,
    interval: '1m',
    input_series: Object.entries({ ...well, ...change }).map(([series, value]) => ({
      series,
      values: value.includes('x') ? value : `${value}x${MINUTES}`,
    })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${MINUTES}m`,
        exp_samples: alert ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
      },
    ],
  }));
  const file = join(await makeFolder(), 'test.json');
  await writeFile(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '5m', tests }));
  const { stdout, stderr, status } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});
