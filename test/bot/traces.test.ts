// Traces of commands, as a collector receives them from the program. That none are made unasked is in main.test.ts.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { warnings } from '../helpers/program.ts';
import { openProgramFixture } from '../helpers/program-fixture.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { createWaiter } from '../helpers/waiter.ts';

/** One sentence, so that it is one call. */
const TEXT = `${'Nobody reads this in a trace, '.repeat(4)}or hears it to its end.`;

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Absent or empty at the root. */
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string } }[];
  status: { code?: number };
}

/** A receiver of traces, as OpenTelemetry's collector is: OTLP over HTTP, as JSON. */
async function startTraceReceiver() {
  const waiter = createWaiter();
  const bodies: string[] = [];
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`);
    for (const { scopeSpans } of JSON.parse(body).resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    waiter.notify();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Everything that has arrived, as it was sent. */
    bodies,
    /**
     * Resolves with the spans of the trace of this interaction once its root and all in all so many have arrived, in the order in which they
     * began. A step may end after the root, and be sent later.
     */
    async traceOf(interactionId: string, count: number): Promise<ReceivedSpan[]> {
      const arrived = () => {
        const root = spans.find((span) => attributeOf(span, 'parley.interaction') === interactionId);
        return spans.filter(({ traceId }) => traceId === root?.traceId);
      };
      const all = await waiter.until(
        () => (arrived().length >= count ? arrived() : undefined),
        () => `${count} spans of ${interactionId}; there are ${arrived().map(({ name }) => name)} of ${spans.map(({ name }) => name)}`,
      );
      return all.sort((one, other) => Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano)));
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

const attributeOf = ({ attributes }: ReceivedSpan, name: string): string | undefined =>
  attributes.find(({ key }) => key === name)?.value.stringValue;

let service: TestVoiceService;
let receiver: Awaited<ReturnType<typeof startTraceReceiver>>;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startTestVoiceService(), startTraceReceiver()]);
});
afterAll(async () => {
  await Promise.all([service.close(), receiver.close()]);
});

it('a /say is one trace, from the interaction to the first packet, without what was said or by whom', async () => {
  const { start, member, discord } = await openProgramFixture(service);
  const program = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_SERVICE_NAME: 'voices',
  });
  await member.listen();
  const first = await member.run('say', { text: TEXT, voice: 'clara' });
  // The others could overtake it, and join in its place.
  await first.message((message) => textOf(message).includes(en('say.speaking')));
  // The last of three is prepared when the first has ended.
  const second = await member.run('say', { text: 'Two.', voice: 'clara' });
  await second.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
  const third = await member.run('say', { text: 'Three.', voice: 'clara' });
  await third.message((message) => textOf(message).includes(en('say.queued', { before: 2 })));
  await member.run('skip');
  const spans = await receiver.traceOf(first.id, 6);
  const [root, ...steps] = spans;
  expect(root).toMatchObject({ name: 'say' });
  expect(root?.parentSpanId ?? '').toBe('');
  expect(steps.map(({ name }) => name).sort()).toEqual(['access', 'first frame', 'first packet', 'join', 'service speech']);
  for (const step of steps) expect(step.parentSpanId, step.name).toBe(root?.spanId);
  const call = steps.find(({ name }) => name === 'service speech');
  expect(call && attributeOf(call, 'parley.outcome')).toBe('ok');
  const ends = (name: string) => BigInt(spans.find((span) => span.name === name)?.endTimeUnixNano ?? 0);
  expect(ends('say') >= ends('first packet'), 'the trace ends with the first packet').toBe(true);
  expect(ends('first packet') >= ends('service speech'), 'the service answers before').toBe(true);

  const later = await receiver.traceOf(third.id, 4);
  expect(later.map(({ name }) => name).sort(), 'each has its own call').toEqual(['access', 'first packet', 'say', 'service speech']);
  await third.message((message) => textOf(message).includes(openingOf('say.spoken')));

  const refused = await member.run('say', { text: '...' });
  const [only] = await receiver.traceOf(refused.id, 1);
  expect(only && attributeOf(only, 'parley.outcome')).toBe('refused');

  program.child.kill('SIGTERM');
  expect((await program.ended).code).toBe(0);
  const sent = receiver.bodies.join('\n');
  expect(sent).toContain('"voices"');
  const { token } = discord.application;
  for (const secret of ['Nobody', 'reads', 'Robin', 'clara', member.client.userId, discord.guildId, token, service.key])
    expect(sent, secret).not.toContain(secret);
  expect(warnings(program)).toEqual([]);
});
