import { type CreatorRecord, platforms, type SearchRequest, searchWords } from '#contracts';
import { generateCreators } from '../../tools/generator/generate-creators.js';
import { Random } from '../../tools/generator/random.js';

/** Queries of one kind; every measurement runs all of them. */
export interface Shape {
  readonly name: string;
  readonly queries: readonly SearchRequest[];
}

const queriesPerShape = 12;
const limit = 50;

/** What queries search for, taken from one creator. */
interface Sample {
  readonly country: string;
  readonly category: string;
  readonly language: string;
  readonly word: string;
  readonly reach: number;
}

/** The published mix: search values are drawn from creators, so that frequent values are searched for often. */
function drawShapes(samples: readonly Sample[], seed: number): Shape[] {
  const random = new Random(seed, 0);
  const pieces = (length: number): string[] =>
    samples
      .filter(({ word }) => word.length >= length)
      .map(({ word }) => {
        const start = random.below(word.length - length + 1);
        return word.slice(start, start + length);
      });
  const [one, two, three, six] = [pieces(1), pieces(2), pieces(3), pieces(6)];
  const shape: MakeShape = (name, make) => ({
    name,
    queries: samples.slice(0, queriesPerShape).map((sample, index) => ({ limit, ...make(sample, index) })),
  });
  const at = (words: readonly string[], index: number): string => words[index % words.length] ?? 'a';
  return [
    shape('no filter', () => ({})),
    shape('no filter, limit 100', () => ({ limit: 100 })),
    shape('country', ({ country }) => ({ country })),
    shape('category', ({ category }) => ({ category })),
    shape('language', ({ language }) => ({ language })),
    shape('platform', (_, index) => ({ platform: platform(index) })),
    shape('four facets', fourFacets),
    shape('followers from', ({ reach }) => ({ min_followers: reach })),
    shape('followers from, to', ({ reach }) => ({
      min_followers: Math.floor(reach / 3),
      max_followers: reach * 3,
    })),
    shape('followers on a platform', ({ reach }, index) => ({
      platform: platform(index),
      min_followers: reach,
    })),
    shape('keyword of 1 letter', (_, index) => ({ q: at(one, index) })),
    shape('keyword of 2 letters', (_, index) => ({ q: at(two, index) })),
    shape('keyword of 3 letters', (_, index) => ({ q: at(three, index) })),
    shape('keyword of 6 letters', (_, index) => ({ q: at(six, index) })),
    shape('two keywords', (_, index) => ({ q: `${at(three, index)} ${at(two, index + 5)}` })),
    shape('keyword of a whole word', ({ word }) => ({ q: word })),
    shape('keyword and two facets', ({ country }, index) => ({
      q: at(two, index),
      country,
      platform: platform(index),
    })),
    shape('keyword and followers', ({ reach }, index) => ({ q: at(three, index), min_followers: reach })),
    ...sortedShapes(shape, (index) => at(two, index)),
    shape('keyword without a match', (_, index) => ({ q: `zqxj${at(two, index)}` })),
  ];
}

type MakeShape = (name: string, make: (sample: Sample, index: number) => Partial<SearchRequest>) => Shape;

const fourFacets = ({ country, category, language }: Sample, index: number) => {
  return { country, category, language, platform: platform(index) };
};

const platform = (index: number) => platforms[index % platforms.length] ?? 'x';

/** Searches that are sorted by followers, some for a word. */
function sortedShapes(shape: MakeShape, word: (index: number) => string): Shape[] {
  return [
    shape('by reach', () => ({ sort: 'reach' })),
    shape('by reach, country', ({ country }) => ({ sort: 'reach', country })),
    shape('by reach, four facets', (sample, index) => ({ sort: 'reach', ...fourFacets(sample, index) })),
    shape('by reach, followers to', ({ reach }) => ({ sort: 'reach', max_followers: reach })),
    shape('by reach, keyword', (_, index) => ({ sort: 'reach', q: word(index) })),
    shape('by followers', (_, index) => ({ sort: 'followers', platform: platform(index) })),
    shape('by followers, country', ({ country }, index) => ({
      sort: 'followers',
      platform: platform(index),
      country,
    })),
  ];
}

const samplesMax = 200;

/** The mix of queries for generated creators, drawn from the first of them: each is as random as any other. */
export function generatedShapes(count: number, seed = 1): Shape[] {
  const records = generateCreators({ count: Math.min(count, samplesMax), seed });
  const samples = [...records].filter(({ published }) => published !== false).map(sampleOf);
  return drawShapes(samples, seed);
}

function sampleOf({ name, country, categories, languages, platforms: accounts }: CreatorRecord): Sample {
  const [category = 'music'] = categories;
  const [language = 'English'] = languages;
  const [word = name] = searchWords(name);
  const reach = accounts.reduce((sum, { followers }) => sum + followers, 0);
  return { country, category, language, word, reach };
}

/** The path of a search on the public API. */
export function searchPath(search: SearchRequest): string {
  const parameters = Object.entries(search).map(([name, value]): [string, string] => [name, String(value)]);
  return `/api/public/v1/search?${new URLSearchParams(parameters).toString()}`;
}
