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
export class PendingRequests extends Map<string, PendingRequest> {
  /** Removes a pending request, which the caller then settles; `undefined` when it was taken before. */
  take(id: string): PendingRequest | undefined {
    const request = this.get(id);
    clearTimeout(request?.timer);
    this.delete(id);
    return request;
  }

  /** Takes the request of a reply on `channel`: a service may publish only to its own reply channels. */
  takeFrom(channel: string, id: string): PendingRequest | undefined {
    return this.get(id)?.replyTo === channel ? this.take(id) : undefined;
  }

  rejectAll(error: ServiceError): void {
    for (const id of this.keys()) this.take(id)?.reject(error);
  }
}
