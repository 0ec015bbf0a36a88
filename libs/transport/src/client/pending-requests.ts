import { type ServiceError } from '#contracts';

interface PendingRequest {
  /** The channel on which its reply is accepted. */
  readonly replyTo: string;
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: ServiceError) => void;
  /** First the timer of the resend, if any, then that of the deadline. */
  timer: NodeJS.Timeout;
}

/** The unanswered requests of one client, by id. */
export class PendingRequests {
  private readonly byId = new Map<string, PendingRequest>();

  add(id: string, request: PendingRequest): void {
    this.byId.set(id, request);
  }

  get(id: string): PendingRequest | undefined {
    return this.byId.get(id);
  }

  /** Removes a pending request, which the caller then settles; `undefined` when it was taken before. */
  take(id: string): PendingRequest | undefined {
    const request = this.byId.get(id);
    if (!request) return undefined;
    this.byId.delete(id);
    clearTimeout(request.timer);
    return request;
  }

  /** Takes the request of a reply on `channel`: a service may publish only to its own reply channels. */
  takeFrom(channel: string, id: string): PendingRequest | undefined {
    return this.byId.get(id)?.replyTo === channel ? this.take(id) : undefined;
  }

  rejectAll(error: ServiceError): void {
    for (const id of this.byId.keys()) this.take(id)?.reject(error);
  }
}
