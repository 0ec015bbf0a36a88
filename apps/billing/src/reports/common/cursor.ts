import { type Page, utcTime } from '#contracts';
import { invalidField } from '../../errors.js';

/** An opaque string for the last row of a page. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** A page of rows, of which one more was read than is shown; the next page begins behind the position of its last row. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => readonly string[],
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, next_cursor: last ? encodeCursor(positionOf(last)) : null };
}

/** Whether a part of a cursor has its expected form; anything else must not reach the database. */
type PartCheck = (part: string) => boolean;

/**
 * Decodes a cursor, checking each part. Throws `invalid_request` for one that billing can't have issued. Cursors are not signed: what
 * they say decides only what is shown to their own reader.
 */
export function decodeCursor<const Checks extends readonly PartCheck[]>(
  cursor: string,
  checks: Checks,
): { [Part in keyof Checks]: string } {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (hasParts(parts, checks)) return parts;
  } catch {
    // Not JSON.
  }
  const problem = 'cursor must be the next_cursor of the previous page';
  throw invalidField('cursor', problem, 'This is not a cursor from a previous page; start without it.');
}

function hasParts<Checks extends readonly PartCheck[]>(
  parts: unknown,
  checks: Checks,
): parts is { [Part in keyof Checks]: string } {
  return (
    Array.isArray(parts) &&
    parts.length === checks.length &&
    parts.every((part, index) => typeof part === 'string' && checks[index]?.(part))
  );
}

/** A time exactly as `toISOString` writes it. */
export function isTime(part: string): boolean {
  return utcTime(part) === part;
}

/** A row id that fits a bigint. */
export function isRowNumber(part: string): boolean {
  return /^\d{1,18}$/.test(part);
}

/** A number of credits; it may be negative. */
export function isCredits(part: string): boolean {
  return /^-?\d{1,15}$/.test(part);
}
