import { type ImportReport } from '@app/contracts';
import { type AdminClient } from '../cli/admin-client.js';
import { generateCreators } from '../generator/generate-creators.js';

export const sampleCount = 2_000;
const sampleSeed = 1;
const linesAtOnce = 500;

/** Imports the fictional sample creators: the same ones every time, so a second import changes nothing. */
export async function loadSample(client: AdminClient): Promise<ImportReport> {
  const report = await client.upload<ImportReport>('/creators/import', sampleLines());
  const problem = report.errors[0];
  if (problem) throw new Error(`The sample creators were rejected: line ${problem.line}: ${problem.error}`);
  return report;
}

async function* sampleLines(): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for (const creator of generateCreators({ count: sampleCount, seed: sampleSeed })) {
    lines.push(`${JSON.stringify(creator)}\n`);
    if (lines.length < linesAtOnce) continue;
    yield await Promise.resolve(Buffer.from(lines.join('')));
    lines = [];
  }
  // fetch never ends a body that contained an empty chunk.
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}
