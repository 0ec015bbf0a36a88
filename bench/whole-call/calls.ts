import { generateCreators } from '../../tools/generator/generate-creators.js';
import { Random } from '../../tools/generator/random.js';
import { sampleQueries, searchPath } from '../stack/sample-queries.js';
import { generatorSeed } from './side.js';

/** Paths of the calls that both sides answer. */
export interface Calls {
  readonly searches: readonly string[];
  readonly profiles: readonly string[];
}

const profilesMax = 1_000;

/** Searches of the published mix, in random order, and profiles of the first creators. */
export function drawCalls(creators: number): Calls {
  const queries = sampleQueries(generateCreators({ count: creators, seed: generatorSeed }));
  const searches = queries.map(searchPath);
  const profiles: string[] = [];
  for (const { slug, published } of generateCreators({ count: creators, seed: generatorSeed })) {
    if (profiles.length === profilesMax) break;
    if (published !== false) profiles.push(profilePath(slug));
  }
  return { searches: new Random(generatorSeed, 0).sample(searches, searches.length), profiles };
}

export function profilePath(slug: string): string {
  return `/api/public/v1/creators/${slug}`;
}

/** Two searches for each profile. */
export function mix({ searches, profiles }: Calls): string[] {
  const search = (number: number): string => searches[number % searches.length] ?? '';
  return profiles.flatMap((profile, number) => [search(2 * number), search(2 * number + 1), profile]);
}
