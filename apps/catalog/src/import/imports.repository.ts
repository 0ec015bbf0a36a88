import { type ImportReport } from '#contracts';
import {
  deleteOldRows,
  type Managed,
  type Queryable,
  type OldRows,
  type StatementName,
  type Transaction,
  TransactionRunner,
} from '#platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThanOrEqual, Repository } from 'typeorm';
import { type Claim } from '../creators/creator-writer.js';
import { Import, ImportChunk } from './import.entity.js';

/** Rows that one statement deletes: small enough for the time limit of a session. */
const deletionBatch = 20_000;

/** Hand-written: set-based, for a whole chunk; served by `import_claims_pk`. */
const claimedSql = 'SELECT key, slug, line FROM import_claims WHERE import_id = $1 AND key = ANY($2)';

/** Hand-written: set-based, for a whole chunk; served by `import_claims_pk`. */
const claimSql = `
  INSERT INTO import_claims (import_id, key, slug, line)
  SELECT $1, key, slug, line FROM unnest($2::text[], $3::text[], $4::integer[]) AS claim (key, slug, line)
  ON CONFLICT (import_id, key) DO UPDATE SET slug = excluded.slug, line = excluded.line`;

/** A slug or, in a dry run, an account, by its key. */
export interface KeyedClaim extends Claim {
  readonly key: string;
}

/** Hand-written: both in one statement, while other chunks wait; served by both primary keys. */
const endTurnSql = `
  WITH reported AS (INSERT INTO import_chunks (import_id, seq, report) VALUES ($1, $2, $3))
  UPDATE imports SET next_seq = $2 + 1, touched_at = statement_timestamp() WHERE id = $1`;

/** Hand-written: reads through `import_claims_pk`. */
const orphanedSql = `
  SELECT DISTINCT import_id FROM import_claims
  WHERE NOT EXISTS (SELECT FROM imports WHERE imports.id = import_claims.import_id)`;

const isOldDeletion = "deleted_at < statement_timestamp() - interval '7 days'";

/** Hand-written: set-based, by the clock of the database. */
const noteForgottenSql = `
  UPDATE catalog_state SET forgotten_revision = forgotten.revision
  FROM (SELECT max(revision) AS revision FROM creator_deletions WHERE ${isOldDeletion}) AS forgotten
  WHERE forgotten.revision > forgotten_revision`;

/** Running imports, and the rests of others. */
@Injectable()
export class ImportsRepository {
  constructor(
    @InjectRepository(Import) private readonly imports: Repository<Import>,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Records an import, unless it is known already. */
  async begin(id: string): Promise<void> {
    await this.imports.createQueryBuilder().insert().values({ id }).orIgnore().updateEntity(false).execute();
  }

  /** Whether chunk `seq` is next, or stored already. Takes no lock. */
  isDue(id: string, seq: number): Promise<boolean> {
    return this.imports.existsBy({ id, nextSeq: MoreThanOrEqual(seq) });
  }

  /**
   * Locks the import until the end of the transaction; returns the number of its next chunk, `null` for a deleted
   * import.
   */
  async lockNextSeq({ manager }: Transaction, id: string): Promise<number | null> {
    const found = await manager.findOne(Import, { where: { id }, lock: { mode: 'pessimistic_write' } });
    return found?.nextSeq ?? null;
  }

  /**
   * The stored report of a chunk. A separate statement after the lock, so that it sees commits made while waiting for
   * it.
   */
  async findReport({ manager }: Managed, importId: string, seq: number): Promise<ImportReport | null> {
    const chunk = await manager.findOneBy(ImportChunk, { importId, seq });
    return chunk?.report ?? null;
  }

  /** The latest claims of these keys by earlier chunks of the import. */
  async findClaims(
    { query }: Queryable,
    importId: string,
    keys: readonly string[],
  ): Promise<Map<string, Claim>> {
    const rows = await query<KeyedClaim>('find claims', claimedSql, [importId, keys]);
    return new Map(rows.map(({ key, ...claim }) => [key, claim]));
  }

  async claim({ query }: Queryable, importId: string, claims: readonly KeyedClaim[]): Promise<void> {
    if (claims.length === 0) return;
    await query('claim', claimSql, [
      importId,
      claims.map(({ key }) => key),
      claims.map(({ slug }) => slug),
      claims.map(({ line }) => line),
    ]);
  }

  /** Stores the report of a chunk and admits the next one. */
  async endTurn({ query }: Transaction, importId: string, seq: number, report: ImportReport): Promise<void> {
    await query('end turn of chunk', endTurnSql, [importId, seq, JSON.stringify(report)]);
  }

  /** Deletes an import, so that its chunks claim nothing more, and its claims: in batches, as there may be millions. */
  async forget(id: string): Promise<void> {
    await this.imports.delete({ id });
    await this.deleteAll('delete import claims', {
      table: 'import_claims',
      key: 'import_id, key',
      where: 'import_id = $1',
      parameters: [id],
    });
  }

  /** Deletes abandoned imports and old deletions; harmless when two replicas do it at once. */
  async sweep(): Promise<void> {
    for (const importId of await this.findAbandoned()) await this.forget(importId);
    await this.forgetOrphanedClaims();
    await this.forgetOldDeletions();
  }

  /** Deletes the claims of imports whose replica ended before it could delete them. */
  private async forgetOrphanedClaims(): Promise<void> {
    const rows = await this.transactions.query<{ import_id: string }>('select orphaned claims', orphanedSql);
    for (const { import_id } of rows) await this.forget(import_id);
  }

  /** Imports without a chunk for an hour; served by `imports_age`. */
  private async findAbandoned(): Promise<string[]> {
    const abandoned = await this.imports
      .createQueryBuilder('import')
      .select('import.id')
      .where("import.touchedAt < clock_timestamp() - interval '1 hour'")
      .orderBy('import.touchedAt')
      .getMany();
    return abandoned.map(({ id }) => id);
  }

  /**
   * Deletes deletion records older than a week. First records their highest revision: a follower further behind has to
   * start afresh.
   */
  private async forgetOldDeletions(): Promise<void> {
    await this.transactions.query('note forgotten revision', noteForgottenSql);
    await this.deleteAll('delete creator deletions', {
      table: 'creator_deletions',
      key: 'slug',
      where: isOldDeletion,
    });
  }

  private async deleteAll(name: StatementName, rows: OldRows): Promise<void> {
    while ((await deleteOldRows(this.transactions.query, name, rows, deletionBatch)) === deletionBatch);
  }
}
