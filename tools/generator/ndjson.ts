export const linesPerPiece = 1_000;

/** Records as NDJSON, in pieces of 1,000 lines. */
export function* ndjson(records: Iterable<object>): Generator<Buffer> {
  let lines: string[] = [];
  for (const record of records) {
    lines.push(`${JSON.stringify(record)}\n`);
    if (lines.length < linesPerPiece) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}
