import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  context,
  propagation,
  trace,
} from '@opentelemetry/api';
import { buildInfo } from './build-info.js';

/** Without an SDK, which `startTracing` loads, everything here is a no-op at the cost of a function call. */
const tracer = trace.getTracer('creator-search');

interface SpanOptions {
  readonly kind?: SpanKind;
  /** Default: the current context. */
  readonly parent?: Context;
}

/**
 * Runs `work` in a child span of the current one; records a failure and rethrows it. Outside of the span of a request there is none:
 * traces are of calls, not of polling.
 */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  { kind = SpanKind.CLIENT, parent = context.active() }: SpanOptions = {},
): Promise<Result> {
  if (!trace.getSpanContext(parent)) return work();
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A span that ends in another function than it begins. */
export interface OpenSpan {
  /** Runs `work`, and everything it starts, within the span. */
  run(work: () => void): void;
  end(attributes: Attributes, isFailure: boolean): void;
}

/** A child span of the current one, to be ended by a callback; `undefined` outside of the span of a request. */
export function openSpan(name: string, attributes: Attributes): Pick<OpenSpan, 'end'> | undefined {
  if (!trace.getSpanContext(context.active())) return undefined;
  return toOpenSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }), context.active());
}

/** The span of an incoming request, possibly with a `traceparent`. */
export function openServerSpan(
  name: string,
  traceparent: string | undefined,
  attributes: Attributes,
): OpenSpan {
  const parent = contextOf(traceparent);
  return toOpenSpan(tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent), parent);
}

function toOpenSpan(span: Span, parent: Context): OpenSpan {
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: (more, isFailure) => {
      span.setAttributes(more);
      if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** The context of a caller that sent a W3C `traceparent`. */
export function contextOf(traceparent: string | undefined): Context {
  return traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
}

/** The `traceparent` of the current span; `undefined` without tracing. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Returns a function that runs work within the current span, later. */
export function withinSpan(): <Result>(work: () => Result) => Result {
  const active = context.active();
  return (work) => context.with(active, work);
}

/** For work shared by many callers: runs it outside their spans. */
export function outsideOfSpans<Result>(work: () => Result): Result {
  return context.with(ROOT_CONTEXT, work);
}

export { SpanKind } from '@opentelemetry/api';

/**
 * Records traces and sends them to the collector at `endpoint`; if that is empty, nothing is loaded. The exporter reads the address,
 * and the SDK its other variables (`OTEL_TRACES_SAMPLER` ...), from the environment, as documented there. Returns what flushes the
 * remaining spans and stops.
 */
export async function startTracing(service: string, endpoint: string): Promise<() => Promise<void>> {
  if (endpoint === '') return () => Promise.resolve();
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': buildInfo.version }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return () => provider.shutdown();
}
