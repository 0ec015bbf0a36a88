import { type KeyView } from '@app/contracts';

/** Who created a key, as the end of a sentence; `null` when that was not recorded, or an operator did. */
export function makerOf({ created_by: maker }: Pick<KeyView, 'created_by'>): string | null {
  if (!maker) return null;
  return maker.is_member ? `by ${maker.email}` : `by ${maker.email}, no longer a member`;
}
