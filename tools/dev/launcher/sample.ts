import { Readable } from 'node:stream';
import { type ImportReport, miraSolenne } from '#contracts';
import { type AdminClient } from '../../cli/admin-client.js';
import { type GeneratedCreator, generateCreators } from '../../generator/generate-creators.js';
import { ndjson } from '../../generator/ndjson.js';

// The suites of the composed stack see no library of the services: they get her here.
export { miraSolenne };

export const sampleCount = 2_000;
const sampleSeed = 1;

/** Imports the fictional sample creators: the same ones every time, so a second import changes nothing. */
export async function loadSample(client: AdminClient): Promise<ImportReport> {
  const lines = Readable.from(ndjson(sampleCreators()));
  const report = await client.upload<ImportReport>('/creators/import', lines);
  const problem = report.errors[0];
  if (problem) throw new Error(`The sample creators were rejected: line ${problem.line}: ${problem.error}`);
  return report;
}

/** How many of the sample creators a search without filters finds. */
export function publishedSampleCount(): number {
  return [...sampleCreators()].filter(({ published }) => published).length;
}

function* sampleCreators(): Iterable<GeneratedCreator> {
  // Her data is newer than that of all others.
  yield miraSolenne;
  yield* generateCreators({ count: sampleCount - 1, seed: sampleSeed });
}
