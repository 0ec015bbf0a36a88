import { type CreatorView, type PublicCreator } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type CatalogConfig } from '../catalog-config.js';
import { type Creator, type PlatformAccount, totalReach } from './creator.js';
import { type StoredCreator } from './creator-row.js';

/** Builds the shapes in which creators leave the catalog; an entry of a search result is written by the index's `EntryWriter`. */
@Injectable()
export class CreatorJson {
  private readonly creatorsUrl: string;

  constructor(@Inject(CONFIG) { SITE_URL }: Pick<CatalogConfig, 'SITE_URL'>) {
    this.creatorsUrl = `${SITE_URL.replace(/\/+$/, '')}/creators/`;
  }

  /** The full profile. */
  profile(creator: Creator): string {
    return JSON.stringify(this.fields(creator));
  }

  /** What everyone may see, with rounded followers. */
  public({ name, tagline, country, slug, platforms }: Creator): PublicCreator {
    const shown = platforms.map(({ platform, followers }) => ({ platform, reach: roundedReach(followers) }));
    return { name, tagline, country, url: this.creatorsUrl + slug, platforms: shown };
  }

  /** The full profile with what only operators see. */
  view(creator: StoredCreator): CreatorView {
    const { published, source } = creator;
    return { ...this.fields(creator), published, source };
  }

  private fields(creator: Creator): Omit<CreatorView, 'published' | 'source'> {
    return {
      slug: creator.slug,
      name: creator.name,
      url: this.creatorsUrl + creator.slug,
      tagline: creator.tagline,
      country: creator.country,
      languages: creator.languages,
      verified: creator.verified,
      ...(creator.website === null ? {} : { website: creator.website }),
      categories: creator.categories,
      total_reach: totalReach(creator),
      platforms: creator.platforms.map((account) => ({
        ...platformEntry(account),
        updated_at: account.updated_at,
      })),
    };
  }
}

/** A platform entry, the handle with its `@`. */
function platformEntry({ platform, handle, url, followers }: PlatformAccount) {
  return { platform, handle: `@${handle}`, url, followers };
}

function roundedReach(followers: number): number {
  return followers < 1_000 ? 0 : Number(followers.toPrecision(2));
}
