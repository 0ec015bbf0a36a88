import { endOfDay, isDay, type KeyView, monthlyLimitMax } from '#contracts';
import { dayOf } from '../../view/dates.js';
import { fieldProblem, type FormFields } from '../../view/form-fields.js';
import { formatNumber } from '../../view/format.js';

/** Names of the fields on the forms of a key. */
export const expiryField = 'expires_at';
export const limitField = 'monthly_limit';

export function isExpired({ expires_at }: Pick<KeyView, 'expires_at'>, now: number): boolean {
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
  const end = isDay(day) ? endOfDay(day) : null;
  if (end === null) throw fieldProblem(expiryField, 'Enter a day, or leave this empty.');
  if (Date.parse(end) <= now) throw fieldProblem(expiryField, 'Choose today or a later day.');
  return end;
}

/** Credits in a month; `null`: no limit. Throws `invalid_request`. */
export function readLimit(fields: FormFields): number | null {
  const text = fields.text(limitField);
  if (text === '') return null;
  const limit = /^[0-9]{1,10}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= monthlyLimitMax) return limit;
  throw fieldProblem(
    limitField,
    `Enter a number from 1 to ${formatNumber(monthlyLimitMax)}, or leave this empty.`,
  );
}
