import { countryKey, type CreatorSelection, ServiceError } from '#contracts';
import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { type AccountKey } from '../lookup/account-key.js';
import { findKeptOut, slugKey } from './block-list.js';
import { type Writing } from './writing.js';
import { deleteAliases, findAliases } from './creator-aliases.js';
import { CreatorEntity } from './creator.entity.js';
import { contentFields, type KnownCreator, type StoredCreator, storedFields } from './creator-row.js';
import { releaseAccounts } from './store-creators.js';

interface KnownRow extends Omit<KnownCreator, 'account_keys'> {
  readonly keys: string;
}

/** Hand-written: set-based, for a whole chunk; through `creator_accounts_pk`. */
const ownersSql = 'SELECT key, slug FROM creator_accounts WHERE key = ANY($1)';

/** Hand-written: set-based, for a whole chunk; through `creators_pk`. A text is read much faster than an array. */
const knownSql = (more: string) => `
  SELECT slug, published, content_hash, array_to_string(account_keys, chr(10)) AS keys${more}
  FROM creators WHERE slug = ANY($1)`;

/** Hand-written: set-based, through `creators_pk`. */
const takenSql = 'SELECT slug FROM creators WHERE slug = ANY($1)';

/**
 * Hand-written: set-based; through `creators_pk`. With a subquery, it is sent to every server of a distributed catalog, whose
 * commit then has two steps: a deletion is never there without what the coordinator notes of it.
 */
const deleteSql =
  'DELETE FROM creators WHERE slug IN (SELECT unnest($1::text[])) RETURNING slug, account_keys';

/** Hand-written: set-based; through `creator_deletions_pk`. */
const noteDeletedSql = `
  INSERT INTO creator_deletions (slug, revision) SELECT slug, $2::bigint FROM unnest($1::text[]) AS deleted (slug)
  ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, deleted_at = excluded.deleted_at`;

/** Creators, written by imports and operators, and read one at a time. */
@Injectable()
export class CreatorsRepository {
  /** By the slug of today, or one from before the creator was joined into this one. */
  async find(from: Managed & Queryable, slug: string): Promise<StoredCreator | null> {
    return (await this.findMany(from, [slug])).get(slug) ?? null;
  }

  /** Finds the creators that have or had these slugs. */
  async findMany(from: Managed & Queryable, slugs: readonly string[]): Promise<Map<string, StoredCreator>> {
    const bySlug = async (wanted: readonly string[]): Promise<Map<string, StoredCreator>> => {
      const where = { slug: In(wanted) };
      const creators = await from.manager.find(CreatorEntity, { select: storedFields, where });
      return new Map(creators.map((creator) => [creator.slug, creator]));
    };
    const found = await bySlug(slugs);
    const aliases = await findAliases(
      from,
      slugs.filter((slug) => !found.has(slug)),
    );
    if (aliases.size === 0) return found;
    const current = await bySlug([...aliases.values()]);
    for (const [old, slug] of aliases) {
      const creator = current.get(slug);
      if (creator) found.set(old, creator);
    }
    return found;
  }

  /** The creators of those accounts that any creator has. */
  async findOwners({ query }: Queryable, keys: readonly AccountKey[]): Promise<Map<AccountKey, string>> {
    if (keys.length === 0) return new Map();
    const rows = await query<{ key: AccountKey; slug: string }>('find owners of accounts', ownersSql, [keys]);
    return new Map(rows.map(({ key, slug }) => [key, slug]));
  }

  /** Finds creators by slug; `whole`: with their content. */
  async findKnown(
    { query }: Queryable,
    slugs: readonly string[],
    whole: boolean,
  ): Promise<Map<string, KnownCreator>> {
    if (slugs.length === 0) return new Map();
    const rows = whole
      ? await query<KnownRow>('find whole creators', knownSql(`, ${contentFields.join(', ')}`), [slugs])
      : await query<KnownRow>('find known creators', knownSql(''), [slugs]);
    return new Map(
      rows.map(({ keys, ...creator }) => [
        creator.slug,
        { ...creator, account_keys: keys === '' ? [] : keys.split('\n') },
      ]),
    );
  }

  /** Finds the slugs that a creator has or had, or that a removal keeps out. */
  async findTaken(queryable: Queryable, slugs: readonly string[]): Promise<Set<string>> {
    const rows = await queryable.query<{ slug: string }>('find taken slugs', takenSql, [slugs]);
    const keptOut = await findKeptOut(queryable, slugs.map(slugKey));
    return new Set([
      ...rows.map(({ slug }) => slug),
      ...(await findAliases(queryable, slugs)).keys(),
      ...slugs.filter((slug) => keptOut.has(slugKey(slug))),
    ]);
  }

  /** Lists creators of a selection after a slug, by slug; through `creators_pk`, which it reads until enough are found. */
  list(
    { manager }: Managed,
    { source, country, platform, published }: CreatorSelection,
    limit: number,
    after = '',
  ): Promise<StoredCreator[]> {
    const where = {
      slug: MoreThan(after),
      ...(source === undefined ? {} : { source }),
      ...(country === undefined ? {} : { foldedCountry: countryKey(country) }),
      ...(platform === undefined ? {} : { [`${platform}Followers`]: Not(IsNull()) }),
      ...(published === undefined ? {} : { published }),
    };
    return manager.find(CreatorEntity, { select: storedFields, where, order: { slug: 'ASC' }, take: limit });
  }

  /** Says from where creators are. */
  async setSource({ manager }: Writing, slugs: readonly string[], source: string): Promise<void> {
    await manager.update(CreatorEntity, { slug: In(slugs) }, { source });
  }

  /** Hides those of the creators that are published and still of the source; returns how many. */
  async unpublish({ manager, revision }: Writing, slugs: readonly string[], source: string): Promise<number> {
    const of = { slug: In(slugs), source, published: true };
    const { affected } = await manager.update(CreatorEntity, of, { published: false, revision });
    return affected ?? 0;
  }

  /** Publishes or hides a creator; `null` when there is none. */
  async setPublished(writing: Writing, slug: string, published: boolean): Promise<StoredCreator | null> {
    const { manager, revision } = writing;
    await manager.update(CreatorEntity, { slug }, { published, revision });
    return this.find(writing, slug);
  }

  /**
   * Deletes creators with their old slugs, or only an old slug, and records the revision; returns how many creators existed. The
   * counts of their accounts stay.
   */
  async remove(writing: Writing, slugs: readonly string[]): Promise<number> {
    const { query, revision } = writing;
    const removed = await query<{ slug: string; account_keys: AccountKey[] }>('delete creators', deleteSql, [
      slugs,
    ]);
    const keys = removed.flatMap(({ account_keys }) => account_keys);
    await releaseAccounts(writing, keys);
    await query('note deleted creators', noteDeletedSql, [removed.map(({ slug }) => slug), revision]);
    await deleteAliases(writing, slugs);
    return removed.length;
  }
}

/** The error for a slug that no creator has. */
export function noSuchCreator(what = 'this slug'): ServiceError {
  return new ServiceError('not_found', `There is no creator with ${what}.`);
}
