import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Without an SDK, which `startTracing` loads, everything here does nothing, at the price of a function call. */
const tracer = trace.getTracer('creator-search');

interface SpanOptions {
  readonly kind?: SpanKind;
  /** Default: whatever is under way. */
  readonly parent?: Context;
}

/** Runs `work` as a span, below the one that is under way; a failure is noted in it and passes through. */
export async function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
  { kind = SpanKind.CLIENT, parent = context.active() }: SpanOptions = {},
): Promise<Result> {
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A span that ends elsewhere than it begins. */
export interface OpenSpan {
  /** Runs `work`, and what it starts, below the span. */
  run(work: () => void): void;
  end(attributes: Attributes, isFailure: boolean): void;
}

/** A span below the one that is under way, of what a callback tells the end of. */
export function openSpan(name: string, attributes: Attributes): Pick<OpenSpan, 'end'> {
  return toOpenSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }), context.active());
}

/** The span of a request that came from outside, perhaps with a `traceparent`. */
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

/** The `traceparent` of the span that is under way; `undefined` when no traces are taken. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** For work that goes on for many callers: below none of their spans. */
export function outsideOfSpans<Result>(work: () => Result): Result {
  return context.with(ROOT_CONTEXT, work);
}

export { SpanKind } from '@opentelemetry/api';
