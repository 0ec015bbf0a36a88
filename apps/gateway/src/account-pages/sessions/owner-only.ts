import { ServiceError } from '@app/contracts';
import { type Visit } from './visit.js';

/** Throws `forbidden` for a member who is not an owner. */
export function assertOwner(visit: Visit): void {
  if (visit.isOwner) return;
  throw new ServiceError('forbidden', 'Only owners of this account can do that. Nothing was changed.');
}
