import { type ImportReport } from '#contracts';
import { type AdminClient } from '../../cli/admin-client.js';
import { type GeneratedCreator, generateCreators } from '../../generator/generate-creators.js';

export const sampleCount = 2_000;
const sampleSeed = 1;
const linesAtOnce = 500;

/** The creator of the examples in the guides; her data is newer than that of all others. */
export const miraSolenne: GeneratedCreator = {
  slug: 'mira-solenne',
  name: 'Mira Solenne',
  tagline: 'Yoga by the sea',
  country: 'France',
  languages: ['French', 'English'],
  verified: true,
  categories: ['fitness', 'travel'],
  published: true,
  platforms: [
    {
      platform: 'youtube',
      handle: 'mirasolenne',
      followers: 412_000,
      updated_at: '2025-06-02T09:00:00.000Z',
    },
    {
      platform: 'instagram',
      handle: 'mirasolenne',
      followers: 187_000,
      updated_at: '2025-06-01T18:30:00.000Z',
    },
  ],
};

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
