import { BaseRpcContext } from '@nestjs/microservices';

interface MessageDetails {
  readonly requestId: string;
  /** W3C trace context of the sender. */
  readonly traceparent?: string;
  readonly remainingMs: () => number;
}

/** The context sent with a message besides its payload. */
export class MessageContext extends BaseRpcContext<[MessageDetails]> {
  readonly requestId: string;
  readonly traceparent?: string;
  /** Time until the caller's time-out, ms; negative after it. */
  readonly remainingMs: () => number;

  constructor(details: MessageDetails) {
    super([details]);
    this.requestId = details.requestId;
    this.remainingMs = details.remainingMs;
    if (details.traceparent) this.traceparent = details.traceparent;
  }
}
