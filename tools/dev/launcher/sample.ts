import { type ImportReport, miraSolenne } from '#contracts';
import { type AdminClient } from '../../cli/admin-client.js';
import { type GeneratedCreator, generateCreators } from '../../generator/generate-creators.js';

// The suites of the composed stack see no library of the services: they get her here.
export { miraSolenne };

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

/** How many of the sample creators a search without filters finds. */
export function publishedSampleCount(): number {
  return [...sampleCreators()].filter(({ published }) => published).length;
}

function* sampleCreators(): Iterable<GeneratedCreator> {
  // Her data is newer than that of all others.
  yield miraSolenne;
  yield* generateCreators({ count: sampleCount - 1, seed: sampleSeed });
}

async function* sampleLines(): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for (const creator of sampleCreators()) {
    lines.push(`${JSON.stringify(creator)}\n`);
    if (lines.length < linesAtOnce) continue;
    yield await Promise.resolve(Buffer.from(lines.join('')));
    lines = [];
  }
  // fetch never ends a body that contained an empty chunk.
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}
