import { type ServiceError } from '@app/contracts';

interface PendingRequest {
  /** The channel on which its reply is awaited; what comes on another one is none. */
  readonly replyTo: string;
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: ServiceError) => void;
  /** First for the resend, if there is to be one, then for the deadline. */
  timer: NodeJS.Timeout;
}

/** The requests of one client that have no reply yet, by their ids. */
export class PendingRequests {
  private readonly byId = new Map<string, PendingRequest>();

  add(id: string, request: PendingRequest): void {
    this.byId.set(id, request);
  }

  get(id: string): PendingRequest | undefined {
    return this.byId.get(id);
  }

  /** Ends the wait: whoever takes a request settles it. `undefined` when that has happened. */
  take(id: string): PendingRequest | undefined {
    const request = this.byId.get(id);
    if (!request) return undefined;
    this.byId.delete(id);
    clearTimeout(request.timer);
    return request;
  }

  /** As `take`, for what came on `channel`: a service may publish to its own reply channels alone. */
  takeFrom(channel: string, id: string): PendingRequest | undefined {
    return this.byId.get(id)?.replyTo === channel ? this.take(id) : undefined;
  }

  rejectAll(error: ServiceError): void {
    for (const id of this.byId.keys()) this.take(id)?.reject(error);
  }
}
