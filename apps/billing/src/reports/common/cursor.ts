import { ServiceError, utcTime } from '#contracts';

/** An opaque string for the last row of a page. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Whether a part of a cursor has its expected form; anything else must not reach the database. */
type PartCheck = (part: string) => boolean;

/**
 * Decodes a cursor, checking each part; it has all or none of those checked by `added`, which an earlier version did not write.
 * Throws `invalid_request` for one that billing can't have issued. Cursors are not signed: what they say decides only what is
 * shown to their own reader.
 */
export function decodeCursor(
  cursor: string,
  known: readonly PartCheck[],
  added: readonly PartCheck[] = [],
): string[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  const checks = [...known, ...added];
  if (!Array.isArray(parts) || ![known.length, checks.length].includes(parts.length)) throw invalidCursor();
  return parts.map((part, index) => {
    if (typeof part !== 'string' || !checks[index]?.(part)) throw invalidCursor();
    return part;
  });
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

function invalidCursor(): ServiceError {
  return new ServiceError('invalid_request', 'This is not a cursor from a previous page; start without it.', {
    details: { cursor: ['cursor must be the next_cursor of the previous page'] },
  });
}
