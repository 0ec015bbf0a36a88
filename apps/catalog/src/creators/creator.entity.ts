import { safeInteger } from '@app/platform/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type PlatformAccount } from './creator.js';

/**
 * A person or channel, with what searching needs of it in columns: texts arrive folded, SQL never folds. `platforms` are in the
 * order of the record; the followers on each are also columns, `null` without an account there. The indexes that are not
 * synchronized are those of the SQL engine, which the migration job makes and removes (`search/sql/search-indexes.ts`).
 */
@Entity('creators')
@Check('creators_slug_shape', `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(slug) <= 100`)
@Check(
  'creators_platforms_known',
  `jsonb_typeof(platforms) = 'array' AND NOT jsonb_path_exists(platforms, '$[*] ? (!(@.platform == "youtube"
    || @.platform == "instagram" || @.platform == "tiktok" || @.platform == "facebook" || @.platform == "x"))')`,
)
@Check('creators_reach_not_negative', 'total_reach >= 0')
@Check('creators_youtube_not_negative', 'youtube_followers >= 0')
@Check('creators_instagram_not_negative', 'instagram_followers >= 0')
@Check('creators_tiktok_not_negative', 'tiktok_followers >= 0')
@Check('creators_facebook_not_negative', 'facebook_followers >= 0')
@Check('creators_x_not_negative', 'x_followers >= 0')
@Check(
  'creators_reach_is_sum',
  `total_reach = coalesce(youtube_followers, 0) + coalesce(instagram_followers, 0)
    + coalesce(tiktok_followers, 0) + coalesce(facebook_followers, 0) + coalesce(x_followers, 0)`,
)
@Check(
  'creators_accounts_agree',
  `(platforms = '[]') = (
    num_nonnulls(youtube_followers, instagram_followers, tiktok_followers, facebook_followers, x_followers) = 0
  ) AND (newest_updated_at IS NULL) = (platforms = '[]')`,
)
@Index('creators_by_revision', ['revision'])
@Index('creators_newest', { synchronize: false })
@Index('creators_of_country', { synchronize: false })
@Index('creators_of_language', { synchronize: false })
@Index('creators_of_category', { synchronize: false })
@Index('creators_by_reach', { synchronize: false })
@Index('creators_by_text', { synchronize: false })
@Index('creators_of_account', { synchronize: false })
export class CreatorEntity {
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'creators_pk' })
  slug: string;

  @Column('text')
  name: string;

  @Column('text')
  tagline: string;

  @Column('text')
  country: string;

  @Column('text', { array: true })
  languages: string[];

  @Column('boolean')
  verified: boolean;

  @Column('text', { nullable: true })
  website: string | null;

  @Column('text', { array: true })
  categories: string[];

  @Column('boolean')
  published: boolean;

  @Column('jsonb')
  platforms: PlatformAccount[];

  @Column('bigint', { name: 'total_reach', transformer: safeInteger })
  totalReach: number;

  @Column('timestamp with time zone', { name: 'newest_updated_at', precision: 3, nullable: true })
  newestUpdatedAt: Date | null;

  @Column('bigint', { name: 'youtube_followers', nullable: true, transformer: safeInteger })
  youtubeFollowers: number | null;

  @Column('bigint', { name: 'instagram_followers', nullable: true, transformer: safeInteger })
  instagramFollowers: number | null;

  @Column('bigint', { name: 'tiktok_followers', nullable: true, transformer: safeInteger })
  tiktokFollowers: number | null;

  @Column('bigint', { name: 'facebook_followers', nullable: true, transformer: safeInteger })
  facebookFollowers: number | null;

  @Column('bigint', { name: 'x_followers', nullable: true, transformer: safeInteger })
  xFollowers: number | null;

  @Column('text', { name: 'folded_country' })
  foldedCountry: string;

  @Column('text', { name: 'folded_languages', array: true })
  foldedLanguages: string[];

  @Column('text', { name: 'folded_categories', array: true })
  foldedCategories: string[];

  /** The folded name and the folded handles, a line each. */
  @Column('text', { name: 'search_text' })
  searchText: string;

  @Column('text', { name: 'content_hash' })
  contentHash: string;

  /** When it was last changed; a string, as the driver gives a bigint. */
  @Column('bigint')
  revision: string;

  /** The keys by which its platform accounts are looked up; `null` until they are derived. Read by the SQL engine alone. */
  @Column('text', { name: 'account_keys', array: true, nullable: true })
  accountKeys: string[] | null;
}
