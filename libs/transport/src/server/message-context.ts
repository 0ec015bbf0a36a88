import { BaseRpcContext } from '@nestjs/microservices';

interface Travelling {
  readonly requestId: string;
  /** W3C trace context of the sender. */
  readonly traceparent?: string;
  readonly remainingMs: () => number;
}

/** What travels with a message beside its payload. */
export class MessageContext extends BaseRpcContext<[Travelling]> {
  readonly requestId: string;
  readonly traceparent?: string;
  /** Time until the caller gives up, in ms; negative once it has. */
  readonly remainingMs: () => number;

  constructor(travelling: Travelling) {
    super([travelling]);
    this.requestId = travelling.requestId;
    this.remainingMs = travelling.remainingMs;
    if (travelling.traceparent) this.traceparent = travelling.traceparent;
  }
}
