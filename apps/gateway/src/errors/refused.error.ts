import { ServiceError } from '@app/contracts';
import { type FastifyReply } from 'fastify';

/**
 * A call refused before any work is done for it. There may be thousands a second, so each kind is one shared instance,
 * counted and not logged.
 */
export class RefusedError extends ServiceError {}

const refusals = new WeakSet<FastifyReply>();

/** Marks a reply as a refusal. */
export function noteRefusal(reply: FastifyReply): void {
  refusals.add(reply);
}

export function isRefusal(reply: FastifyReply): boolean {
  return refusals.has(reply);
}

/** Too many calls wait for their turn. */
export const busy = new RefusedError('unavailable', 'The service is busy; try again shortly.');

/** The client has disconnected and will not read this. */
export const clientGone = new RefusedError('unavailable', 'The connection was closed before the answer.');
