import { BitmapIndex, buildSegment, EntryWriter, inThisThread, useSegment } from '#creator-index';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type CatalogConfig } from '../catalog-config.js';
import { type Creator, newestUpdate, totalReach } from '../creators/creator.js';
import { CreatorJson } from '../creators/creator-json.js';
import { parseCreatorRecord } from '../creators/parse-creator-record.js';
import { BitmapSearchEngine } from './bitmap-search-engine.js';
import { type IndexedRow, toDocument } from '../search-index/index-source.js';
import { testRecords } from './test-records.js';

/**
 * The fictional creators that test keys see, in an index of their own: no search, look-up or profile of one kind of key reaches the
 * creators of the other.
 */
@Injectable()
export class TestCreators {
  readonly engine: BitmapSearchEngine;
  private readonly bySlug: ReadonlyMap<string, Creator>;

  constructor(
    @Inject(CONFIG) { SITE_URL }: Pick<CatalogConfig, 'SITE_URL'>,
    private readonly json: CreatorJson,
  ) {
    const creators = testRecords.map((record) => {
      const { slug, ...content } = parseCreatorRecord(record, new Date());
      return { ...content, slug: slug ?? '' };
    });
    this.bySlug = new Map(creators.map((creator) => [creator.slug, creator]));
    const segment = useSegment(buildSegment(creators.map((creator) => toDocument(toRow(creator)))));
    const index = new BitmapIndex(new EntryWriter(SITE_URL), inThisThread, [segment]);
    this.engine = new BitmapSearchEngine(() => index);
  }

  /** The JSON of a profile; `null` when there is none. */
  profile(slug: string): Buffer | null {
    const creator = this.bySlug.get(slug);
    return creator ? Buffer.from(this.json.profile(creator)) : null;
  }

  /** The profiles of those slugs that a creator has. */
  profiles(slugs: readonly string[]): Map<string, Buffer> {
    const found = slugs.map((slug) => [slug, this.profile(slug)] as const);
    return new Map(found.flatMap(([slug, profile]) => (profile ? [[slug, profile]] : [])));
  }
}

/** Without the folded columns: a row of no version is folded when it is read. */
function toRow(creator: Creator): IndexedRow {
  const { slug, name, country, languages, categories, platforms } = creator;
  return {
    slug,
    name,
    country,
    platforms_json: JSON.stringify(platforms),
    total_reach: String(totalReach(creator)),
    newest_ms: Date.parse(newestUpdate(creator) ?? ''),
    languages_json: JSON.stringify(languages),
    folded_categories_json: JSON.stringify(categories),
    folded_country: '',
    folded_languages_json: '[]',
    search_text: '',
    text_version: '',
  };
}
