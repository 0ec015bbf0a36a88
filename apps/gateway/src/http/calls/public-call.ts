import { type AuthenticatedKey, ServiceError } from '@app/contracts';
import { type RequestContext } from '@app/transport';

interface Options {
  readonly requestId: string;
  readonly key: AuthenticatedKey;
  readonly keyHash: string;
  /** On the monotonic clock of this process (`performance.now()`), ms. */
  readonly deadline: number;
  readonly traceparent?: string;
}

/** One authenticated request to the public API. */
export class PublicCall {
  readonly requestId: string;
  readonly key: AuthenticatedKey;
  readonly keyHash: string;

  constructor(private readonly options: Options) {
    this.requestId = options.requestId;
    this.key = options.key;
    this.keyHash = options.keyHash;
  }

  /** The context of a message to another service: its deadline is never later than that of this request. */
  context(): RequestContext {
    this.assertInTime();
    const { traceparent } = this.options;
    return {
      requestId: this.requestId,
      deadlineMs: this.options.deadline - performance.now(),
      ...(traceparent ? { traceparent } : {}),
    };
  }

  /** Throws `deadline_exceeded` once the request has taken too long. */
  assertInTime(): void {
    if (performance.now() >= this.options.deadline) {
      throw new ServiceError('deadline_exceeded', 'The request took too long to process; try again shortly.');
    }
  }
}
