import { safeInteger } from '#platform/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type PlatformAccount } from './creator.js';

/**
 * A person or channel, with what searching needs in columns: texts arrive folded, SQL never folds. `platforms` are in the
 * order of the record; the followers on each are also columns, `null` without an account there.
 */
@Entity('creators')
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

  /** The `textVersion` by which the columns above were folded. */
  @Column({ type: 'text', name: 'text_version', collation: 'C', default: '1' })
  textVersion: string;

  /** When it was last changed; a string, as the driver gives a bigint. */
  @Column('bigint')
  revision: string;

  /** That of the import that last changed it; `null`: it gave none, or it was no import. */
  @Column('text', { nullable: true })
  source: string | null;

  /** The keys by which its platform accounts are looked up. */
  @Column('text', { name: 'account_keys', array: true })
  accountKeys: string[];
}
