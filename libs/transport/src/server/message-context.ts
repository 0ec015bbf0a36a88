import { BaseRpcContext } from '@nestjs/microservices';

interface Travelling {
  readonly requestId: string;
  /** W3C trace context of the sender. */
  readonly traceparent?: string;
  readonly remainingMs: () => number;
}

/** The context sent with a message besides its payload. */
export class MessageContext extends BaseRpcContext<[Travelling]> {
  readonly requestId: string;
  readonly traceparent?: string;
  /** Time until the caller's time-out, ms; negative after it. */
  readonly remainingMs: () => number;

  constructor(travelling: Travelling) {
    super([travelling]);
    this.requestId = travelling.requestId;
    this.remainingMs = travelling.remainingMs;
    if (travelling.traceparent) this.traceparent = travelling.traceparent;
  }
}
