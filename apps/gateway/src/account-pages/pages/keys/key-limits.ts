import { isDay, type KeyView } from '@app/contracts';
import { dayMs, dayOf } from '../../view/dates.js';
import { fieldProblem, type FormFields } from '../../view/form-fields.js';

/** Of the fields on the forms of a key. */
export const expiryField = 'expires_at';

export function isExpired({ expires_at = null }: Pick<KeyView, 'expires_at'>, now: number): boolean {
  return expires_at !== null && Date.parse(expires_at) <= now;
}

/** The last day, UTC, on which a key with this expiry works; empty: it never expires. */
export function lastDayOf(expiresAt: string | null = null): string {
  return expiresAt === null ? '' : dayOf(Date.parse(expiresAt) - 1);
}

/** When a key expires by the last day in the form: at the end of it; `null`: never. Throws `invalid_request`. */
export function readExpiry(fields: FormFields, now: number): string | null {
  const day = fields.text(expiryField);
  if (day === '') return null;
  if (!isDay(day)) throw fieldProblem(expiryField, 'Enter a day, or leave this empty.');
  const end = Date.parse(day) + dayMs;
  if (end <= now) throw fieldProblem(expiryField, 'Choose today or a later day.');
  return new Date(end).toISOString();
}
