import { Readable } from 'node:stream';
import { type CreatorRecord, type ImportReport } from '@app/contracts';
import { type AdminClient } from '../../tools/cli/admin-client.js';
import { generateCreators } from '../../tools/generator/generate-creators.js';

const pieceLength = 64 * 1_024;

/** Imports generated creators through the gateway; gives the first slugs. */
export async function importCreators(admin: AdminClient, count: number, seed: number): Promise<string[]> {
  await upload(admin, linesOf(generateCreators({ count, seed })));
  return [...generateCreators({ count: Math.min(count, 100), seed })].map(({ slug }) => slug);
}

/** Throws when a line was rejected. */
export async function upload(admin: AdminClient, pieces: Iterable<Uint8Array>): Promise<void> {
  const report = await admin.upload<ImportReport>('/creators/import', Readable.from(pieces));
  if (report.rejected > 0) throw new Error(JSON.stringify(report.errors));
}

/** NDJSON, in pieces of many lines. */
export function* linesOf(records: Iterable<CreatorRecord>): Generator<Uint8Array> {
  let text = '';
  for (const record of records) {
    text += `${JSON.stringify(record)}\n`;
    if (text.length < pieceLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
