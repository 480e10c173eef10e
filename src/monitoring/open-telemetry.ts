// Traces through OpenTelemetry, sent by OTLP over HTTP. Its own environment variables (OTEL_…) say where to, with which headers, and how
// many are kept. Spans carry names of commands, steps and outcomes, and the interaction's id: never what members say, or who they are. No
// header of a trace is sent to the voice service or to Discord.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Attributes, type Context, diag, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { ApiError } from '../api/index.ts';
import { within } from '../async/waiting.ts';
import type { Log } from '../log.ts';
import { VoiceError } from '../voice-session/types.ts';
import type { Traces } from './observers.ts';

/** A command that is being traced. */
interface Traced {
  span: Span;
  /** The context that its steps begin in. */
  context: Context;
  hasEnded: boolean;
  /** Whether something will be spoken: the trace then ends with the first packet. */
  isSpeaking: boolean;
}

/** Milliseconds between two warnings that traces cannot be sent. */
const WARN_MS = 600_000;
/** The most that the last spans may take at the end, in milliseconds: the process has 3 s left. */
const CLOSE_MS = 1_500;

/** Outcomes of commands that nobody chose. */
const FAILURES = ['failed', 'broken', 'late'];

/** Milliseconds since 1970, by a clock that neither jumps nor is rounded; OpenTelemetry's own differs by a millisecond between spans. */
const now = () => performance.timeOrigin + performance.now();

export function createTraces(log: Log): Traces {
  warnAboutFailures(log);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'parley' }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
  const tracer = provider.getTracer('parley');
  const current = new AsyncLocalStorage<Traced>();

  function end(traced: Traced, outcome: string | null): void {
    if (traced.hasEnded) return;
    traced.hasEnded = true;
    if (outcome) traced.span.setAttribute('parley.outcome', outcome);
    if (outcome && FAILURES.includes(outcome)) traced.span.setStatus({ code: SpanStatusCode.ERROR });
    traced.span.end(now());
  }

  /** Begins a step of the command that is running; null if there is none, or its trace has ended. */
  function begin(name: string, attributes: Attributes, kind = SpanKind.INTERNAL, startTime = now()): Span | null {
    const traced = current.getStore();
    return traced && !traced.hasEnded ? tracer.startSpan(name, { kind, startTime, attributes }, traced.context) : null;
  }

  return {
    async command(name, id, run) {
      const attributes = { 'parley.command': name, 'parley.interaction': id };
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, root: true, startTime: now(), attributes });
      const traced: Traced = { span, context: trace.setSpan(ROOT_CONTEXT, span), hasEnded: false, isSpeaking: false };
      try {
        const outcome = await current.run(traced, run);
        if (!traced.isSpeaking) end(traced, outcome);
        return outcome;
      } catch (error) {
        end(traced, 'broken');
        throw error;
      }
    },
    async step(name, work) {
      const traced = current.getStore();
      const span = begin(name, {});
      if (span && traced && name === 'first packet') traced.isSpeaking = true;
      try {
        return await work();
      } catch (error) {
        span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kindOf(error));
        throw error;
      } finally {
        span?.end(now());
        if (span && traced && name === 'first packet') end(traced, null);
      }
    },
    called(operation, outcome, ms) {
      const attributes = { 'parley.operation': operation, 'parley.outcome': outcome };
      const span = begin(`service ${operation}`, attributes, SpanKind.CLIENT, now() - ms);
      if (outcome !== 'ok') span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', outcome);
      span?.end(now());
    },
    async close() {
      await within(CLOSE_MS, provider.shutdown()).catch(() => {});
      diag.disable();
    },
  };
}

/** A word for the kind of error; messages may hold what members wrote. */
function kindOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof VoiceError) return error.kind;
  return error instanceof Error ? error.name : 'unknown';
}

/** OpenTelemetry says nothing on its own if traces don't arrive. What it reports is left out: it may hold headers with a key. */
function warnAboutFailures(log: Log): void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const ignore = () => {};
  const warn = () => {
    if (performance.now() - warnedAt < WARN_MS) return;
    warnedAt = performance.now();
    log.warn('traces cannot be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and whether something listens there');
  };
  diag.setLogger({ error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, { suppressOverrideMessage: true });
}
