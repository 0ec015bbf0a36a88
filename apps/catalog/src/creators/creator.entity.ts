import { safeInteger } from '#platform/database';
import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';
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

/** Whose an account is, by one of its keys. */
@Entity('creator_accounts')
export class CreatorAccount {
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'creator_accounts_pk' })
  key: string;

  @Column({ type: 'text', collation: 'C' })
  slug: string;
}

/** A slug that a creator had until it was joined into another one, which it leads to. */
@Entity('creator_aliases')
export class CreatorAlias {
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'creator_aliases_pk' })
  slug: string;

  @Column({ type: 'text', name: 'creator_slug', collation: 'C' })
  creatorSlug: string;
}

/** The followers of an account, on a day on which they were another number than before. */
@Entity('account_counts')
export class AccountCount {
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'account_counts_pk' })
  account: string;

  @PrimaryColumn('date', { primaryKeyConstraintName: 'account_counts_pk' })
  day: string;

  @Column('bigint', { transformer: safeInteger })
  followers: number;
}

/** A deleted creator, for followers of the revisions. */
@Entity('creator_deletions')
export class CreatorDeletion {
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'creator_deletions_pk' })
  slug: string;

  @Column('bigint')
  revision: string;

  @Column('timestamp with time zone', {
    name: 'deleted_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  deletedAt: Date;
}

/** One row. Every writer takes the next revision from it first, so revisions become visible in their order. */
@Entity('catalog_state')
export class CatalogStateEntity {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'catalog_state_pk' })
  id: boolean;

  /** Changes with a restore, so that an index from before it is not used. */
  @Column('uuid', { name: 'catalog_id' })
  @Generated('uuid')
  catalogId: string;

  @Column('bigint', { default: () => '0' })
  revision: string;

  /** Deletions up to this revision have been forgotten. */
  @Column('bigint', { name: 'forgotten_revision', default: () => '0' })
  forgottenRevision: string;

  /** Removals in force. */
  @Column('integer', { default: 0 })
  removals: number;

  /** Keys the hashes of removed slugs and accounts; made by the database, and never changed. */
  @Column('bytea', {
    name: 'removal_secret',
    select: false,
    default: () => 'uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())',
  })
  removalSecret: Buffer;
}
