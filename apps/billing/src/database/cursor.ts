import { ServiceError } from '@app/contracts';

/** An opaque text that stands for the last row of a page. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position behind a cursor; raises `invalid_request` for one that is not ours. `shape` is tested part by part. */
export function decodeCursor(cursor: string, shape: readonly RegExp[]): string[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(parts) || parts.length !== shape.length) throw invalidCursor();
  return parts.map((part, index) => {
    if (typeof part !== 'string' || !shape[index]?.test(part)) throw invalidCursor();
    return part;
  });
}

function invalidCursor(): ServiceError {
  return new ServiceError('invalid_request', 'The cursor is not one of a page before; start without it.', {
    details: { cursor: ['cursor must be the next_cursor of the page before'] },
  });
}
