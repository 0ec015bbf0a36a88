import { type CreatorRecord, type SearchRequest, searchWords } from '@app/contracts';
import { drawShapes, type Sample } from '../search/queries.js';

const samplesMax = 200;
const seed = 1;

/** Every query of every shape, drawn from the first creators that are imported: each of them is as random as any other. */
export function sampleQueries(records: Iterable<CreatorRecord>): SearchRequest[] {
  const samples: Sample[] = [];
  for (const record of records) {
    if (samples.length === samplesMax) break;
    if (record.published !== false) samples.push(sampleOf(record));
  }
  return drawShapes(samples, seed).flatMap(({ queries }) => queries);
}

function sampleOf({ name, country, categories, languages, platforms }: CreatorRecord): Sample {
  const [category = 'music'] = categories;
  const [language = 'English'] = languages;
  const [word = name] = searchWords(name);
  const reach = platforms.reduce((sum, { followers }) => sum + followers, 0);
  return { country, category, language, word, reach };
}

/** The path of a search on the public API. */
export function searchPath(search: SearchRequest): string {
  const parameters = Object.entries(search).map(([name, value]): [string, string] => [name, String(value)]);
  return `/api/public/v1/search?${new URLSearchParams(parameters).toString()}`;
}
