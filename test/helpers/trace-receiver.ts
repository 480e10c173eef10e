// A receiver of traces, as OpenTelemetry's collector is: OTLP over HTTP, as JSON.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createWaiter } from './waiter.ts';

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

export interface TraceReceiver {
  url: string;
  /** Everything that has arrived, as it was sent. */
  bodies: string[];
  /**
   * Resolves with the spans of the trace of this interaction once its root and all in all so many have arrived, in the order in which they
   * began. A step may end after the root, and be sent later.
   */
  traceOf(interactionId: string, count: number): Promise<ReceivedSpan[]>;
  close(): Promise<void>;
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
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
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    async traceOf(interactionId, count) {
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
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

export const attributeOf = ({ attributes }: ReceivedSpan, name: string): string | undefined =>
  attributes.find(({ key }) => key === name)?.value.stringValue;
