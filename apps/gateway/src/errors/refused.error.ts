import { ServiceError } from '@app/contracts';
import { type FastifyReply } from 'fastify';

/**
 * A call that is given up before any work is done for it. Thousands a second may be: each is one value for all of them, and is
 * counted and not logged.
 */
export class RefusedError extends ServiceError {}

const refusals = new WeakSet<FastifyReply>();

/** Remembers that a reply is a refusal. */
export function noteRefusal(reply: FastifyReply): void {
  refusals.add(reply);
}

export function isRefusal(reply: FastifyReply): boolean {
  return refusals.has(reply);
}

/** Too many calls wait for their turn. */
export const busy = new RefusedError('unavailable', 'The service is busy; try again shortly.');

/** The client has gone: nobody will read this. */
export const clientGone = new RefusedError('unavailable', 'The connection was closed before the answer.');
