import { randomUUID } from 'node:crypto';
import { type Session } from '../session.js';

export const referenceHelp =
  'your own reference, such as an invoice number; repeating it adds nothing (default: a new UUID)';

/**
 * The reference that makes a command safe to repeat. A generated one is printed before the call, so that the command
 * can be repeated when its answer is lost.
 */
export function referenceFor(session: Session, given: string | undefined): string {
  if (given !== undefined) return given;
  const reference = randomUUID();
  session.note(`Reference: ${reference} (to try again: --reference ${reference})`);
  return reference;
}
