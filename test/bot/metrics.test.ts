// Metrics, as an operator reads them, and the log of one command from its interaction to its last packet.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createPrometheus, type Prometheus } from '../../src/monitoring/prometheus.ts';
import { type HttpServer, startMonitoringServer } from '../../src/monitoring/server.ts';
import { textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

describe('figures', () => {
  it('report no credit before it is known, or if it is not a number', async () => {
    const metrics = createPrometheus();
    expect(await metrics.registry.metrics()).not.toContain('parley_credit_left');
    metrics.creditSeen('much');
    expect(await metrics.registry.metrics()).not.toContain('parley_credit_left');
    metrics.creditSeen('12.50');
    expect(await metrics.registry.metrics()).toContain('parley_credit_left 12.5');
  });
});

describe('a Parley that is looked after', () => {
  const lines: string[] = [];
  let service: TestVoiceService;
  let parley: Parley;
  let metrics: Prometheus;
  let http: HttpServer;

  beforeAll(async () => {
    service = await startTestVoiceService();
    metrics = createPrometheus();
    parley = await startParley({ service, metrics, logTo: (line) => lines.push(line), timing: { settleMs: 10, pollMs: 50 } });
    const ready = async () => ({ discord: parley.bot().isReady() });
    http = await startMonitoringServer({
      host: '127.0.0.1',
      port: 0,
      metrics,
      metricsToken: null,
      alive: () => true,
      ready,
      log: pino({ level: 'silent' }),
    });
  });
  afterAll(async () => {
    await http.close();
    await parley.close();
    await service.close();
  });

  /** The samples of a metric, by their labels as they are written. */
  async function figures(name: string): Promise<Record<string, number>> {
    const text = await (await fetch(`${http.url}/metrics`)).text();
    const found = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].filter(([, of]) => of === name);
    return Object.fromEntries(found.map(([, , labels = '', value]) => [labels, Number(value)]));
  }

  it('counts and times a /say, from the interaction to its last packet', async () => {
    const { member } = parley;
    await member.listen();
    const long = await member.run('say', { text: 'It is over when the figures have been read. '.repeat(9), voice: 'clara' });
    await long.message((message) => textOf(message).includes(en('say.speaking')));
    expect(await figures('parley_queue_depth')).toEqual({ '': 1 });
    expect(await figures('parley_voice_sessions')).toMatchObject({ 'state="ready"': 1, 'state="connecting"': 0 });
    expect((await figures('parley_audio_resources'))['resource="encoder"'], 'sound is being made').toBeGreaterThan(0);
    await member.run('stop');
    const interaction = await member.run('say', { text: 'Nobody reads this in a log.', voice: 'clara' });
    await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
    await expect
      .poll(async () => Object.values(await figures('parley_audio_resources')).filter((count) => count > 0), {
        message: 'nothing is held once it was said',
      })
      .toEqual([]);
    await expect.poll(() => figures('parley_commands_total')).toMatchObject({ 'command="say",outcome="done"': 2 });
    const calls = await figures('parley_service_calls_total');
    expect(calls['call="models",outcome="ok"']).toBeGreaterThan(0);
    // The call for what was stopped counts if it was over by then.
    expect([1, 2]).toContain(calls['call="speech",outcome="ok"']);
    expect(await figures('parley_first_sound_seconds_count')).toEqual({ '': 2 });
    const { '': first = 0 } = await figures('parley_first_sound_seconds_sum');
    expect(first).toBeGreaterThan(0);
    expect(await figures('parley_stage_seconds_count')).toEqual({ 'stage="join"': 1, 'stage="speech"': 2, 'stage="first_frame"': 2 });
    expect(await figures('parley_queue_depth')).toEqual({ '': 0 });
    await expect.poll(async () => (await figures('parley_credit_left'))['']).toBeLessThan(1000);
    expect(Object.keys(await figures('nodejs_eventloop_lag_p99_seconds'))).toHaveLength(1);

    const command = lines.map((line) => JSON.parse(line)).filter((line) => line.command === interaction.id);
    expect(command.map(({ msg }) => msg)).toEqual([
      'a command has begun',
      'the first packet has left',
      'the last packet has left',
      'a command has ended',
    ]);
    expect(command.at(-1)).toMatchObject({ name: 'say', outcome: 'done' });
    expect(lines.join()).not.toContain('Nobody reads this');
  });

  it('tells refused commands from done ones, buttons among them, under names that are ours', async () => {
    const { member, other } = parley;
    const page = await (await member.run('voices')).message((message) => textOf(message).includes('page 1 of'));
    const shared = await (await member.click(page, en('voices.share'))).message((message) => textOf(message).includes('page 1 of'));
    await (await other.click(shared, 'Next')).sentence();
    await (await member.run('say', { text: '...' })).sentence();
    await expect
      .poll(() => figures('parley_commands_total'))
      .toMatchObject({
        'command="voices",outcome="done"': 2,
        'command="voices",outcome="refused"': 1,
        'command="say",outcome="refused"': 1,
      });
  });

  it('has no label whose values grow with members, guilds or texts', async () => {
    const text = await (await fetch(`${http.url}/metrics`)).text();
    for (const secret of [parley.discord.guildId, parley.member.client.userId, service.key, 'Nobody']) expect(text).not.toContain(secret);
    const ours = text.split('\n').filter((line) => line.startsWith('parley_'));
    expect(ours.length).toBeLessThan(200);
  });
});
