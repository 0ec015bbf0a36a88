import {
  type CatalogFacts,
  countryKey,
  describeCatalog,
  keywordParts,
  type Filters,
  languageKey,
  listFilters,
  ListFiltersRequest,
  type LookupReply,
  lookUpAccounts,
  LookupRequest,
  searchCreators,
  SearchRequest,
  searchWords,
  type SearchSummary,
  WithBytes,
} from '#contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { categoryKey } from '../creators/creator.js';
import { type AccountKey } from '../lookup/account-key.js';
import { readLookup } from '../lookup/lookup-keys.js';
import { keysOfLink, readProfileLink } from '../lookup/profile-link.js';
import { ClosestValueFinder } from './closest-values.js';
import { type Keyword, type LinkedCriteria, SearchEngine } from './search-engine.js';
import { TestCreators } from './test-creators.js';

@Controller()
export class SearchController {
  private readonly live = searched(this.liveEngine);
  private readonly test = searched(this.testCreators.engine);

  constructor(
    private readonly liveEngine: SearchEngine,
    private readonly testCreators: TestCreators,
  ) {}

  @MessagePattern(searchCreators.pattern)
  async search(@Payload() request: SearchRequest): Promise<WithBytes<SearchSummary>> {
    const { engine, closest: finder } = this.of(request);
    const criteria = toCriteria(request);
    const { total, returned, next, creators } = await engine.search(criteria);
    // A value that does not exist matches no creator, so a search with a match has none.
    const unknown = total > 0 ? [] : await engine.unknownFilters(criteria);
    if (unknown.length === 0) return new WithBytes({ total, returned, next }, creators);
    const closest = await finder.find(criteria, unknown);
    return new WithBytes(
      { total, returned, next, unknown_filters: unknown, closest_values: closest },
      creators,
    );
  }

  @MessagePattern(lookUpAccounts.pattern)
  async lookUp(@Payload() { accounts, test }: LookupRequest): Promise<LookupReply> {
    const lookups = accounts.map(readLookup);
    const { engine } = this.of({ test });
    const slugs = await engine.lookUp(lookups.map((lookup) => ('keys' in lookup ? lookup.keys : [])));
    return {
      results: lookups.map((lookup, index) =>
        'keys' in lookup ? { slug: slugs[index] ?? null } : { slug: null, details: lookup.details },
      ),
    };
  }

  @MessagePattern(listFilters.pattern)
  filters(@Payload() request: ListFiltersRequest): Promise<Filters> {
    return this.of(request).engine.filters();
  }

  @MessagePattern(describeCatalog.pattern)
  async describe(): Promise<CatalogFacts> {
    const [{ total, next }, { countries, platforms }] = await Promise.all([
      this.live.engine.search({ words: [], limit: 1 }),
      this.live.engine.filters(),
    ]);
    const counts = { creators: total, countries: countries.length, platforms: platforms.length };
    // The newest one is the last of this page.
    return { ...counts, newest_updated_at: next?.updated_at ?? null };
  }

  /** What answers a message: the creators of its kind of key, and never the others. */
  private of({ test }: ListFiltersRequest): Searched {
    return test === true ? this.test : this.live;
  }
}

interface Searched {
  readonly engine: SearchEngine;
  readonly closest: ClosestValueFinder;
}

function searched(engine: SearchEngine): Searched {
  return { engine, closest: new ClosestValueFinder(engine) };
}

/** The criteria of a request: its strings folded, without duplicate words. */
export function toCriteria(search: SearchRequest): LinkedCriteria {
  const { q, country, category, language, platform, min_followers, max_followers, limit, sort } = search;
  const { after_slug: slug, after_updated_at: updatedAt, after_followers: followers } = search;
  return {
    ...(q === undefined ? { words: [] } : readKeyword(q)),
    ...(country === undefined ? {} : { country: countryKey(country) }),
    ...(category === undefined ? {} : { category: categoryKey(category) }),
    ...(language === undefined ? {} : { language: languageKey(language) }),
    ...(platform === undefined ? {} : { platform }),
    ...(min_followers === undefined ? {} : { minFollowers: min_followers }),
    ...(max_followers === undefined ? {} : { maxFollowers: max_followers }),
    ...(sort === undefined || sort === 'recent' ? {} : { sort }),
    ...(slug === undefined
      ? {}
      : {
          after: { slug, value: followers ?? (updatedAt === undefined ? -Infinity : Date.parse(updatedAt)) },
        }),
    limit,
  };
}

/** A word that is no link to a profile is a text to be found. */
function readKeyword(keyword: string): Keyword {
  const links: (readonly AccountKey[])[] = [];
  const texts = keywordParts(keyword).filter((part) => {
    const link = readProfileLink(part);
    if (typeof link === 'string') return true;
    links.push(keysOfLink(link));
    return false;
  });
  return { words: [...new Set(searchWords(texts.join(' ')))], links };
}
