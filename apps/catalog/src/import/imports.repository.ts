import { type ImportReport } from '#contracts';
import {
  deleteOldRows,
  type Managed,
  type OldRows,
  type StatementName,
  type Transaction,
  TransactionRunner,
} from '#platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThanOrEqual, Repository } from 'typeorm';
import { stagingTable } from '../creators/creators.repository.js';
import { Import, ImportChunk } from './import.entity.js';

/** A creator whose slug an earlier line of the same import has. */
export interface TakenSlug {
  readonly slug: string;
  readonly line: number;
  readonly first_line: number;
}

/** Rows that one statement deletes: small enough for the time limit of a session. */
const deletionBatch = 20_000;

/** Hand-written: set-based, for a whole chunk; served by `import_slugs_pk`. */
const claimSql = `
  WITH claimed AS (
    INSERT INTO import_slugs (import_id, slug, line) SELECT $1, slug, line FROM ${stagingTable}
    ON CONFLICT (import_id, slug) DO NOTHING RETURNING 1
  )
  SELECT (SELECT count(*) FROM claimed)::integer AS claimed,
    (SELECT count(*) FROM ${stagingTable})::integer AS staged`;

/** Hand-written: set-based, for a whole chunk; served by `import_slugs_pk`. */
const takeOutSql = `
  WITH taken AS (
    DELETE FROM ${stagingTable} AS staged USING import_slugs AS claim
    WHERE claim.import_id = $1 AND claim.slug = staged.slug AND claim.line <> staged.line
    RETURNING staged.slug, staged.line, claim.line AS first_line
  )
  SELECT slug, line, first_line FROM taken ORDER BY line`;

/** Hand-written: both in one statement, while other chunks wait; served by both primary keys. */
const endTurnSql = `
  WITH reported AS (INSERT INTO import_chunks (import_id, seq, report) VALUES ($1, $2, $3))
  UPDATE imports SET next_seq = $2 + 1, touched_at = statement_timestamp() WHERE id = $1`;

/** Hand-written: reads through `import_slugs_pk`. */
const orphanedSql = `
  SELECT DISTINCT import_id FROM import_slugs
  WHERE NOT EXISTS (SELECT FROM imports WHERE imports.id = import_slugs.import_id)`;

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

  /**
   * Claims the slugs of the staged creators for their lines. Removes those claimed by another line of the import, and
   * returns them with that line.
   */
  async claimSlugs({ query }: Transaction, importId: string): Promise<TakenSlug[]> {
    const [counts] = await query<{ staged: number; claimed: number }>('claim slugs', claimSql, [importId]);
    if (counts?.claimed === counts?.staged) return [];
    return query<TakenSlug>('take out claimed slugs', takeOutSql, [importId]);
  }

  /** Stores the report of a chunk and admits the next one. */
  async endTurn({ query }: Transaction, importId: string, seq: number, report: ImportReport): Promise<void> {
    await query('end turn of chunk', endTurnSql, [importId, seq, JSON.stringify(report)]);
  }

  /** Deletes an import, so that its chunks claim nothing more, and its claims: in batches, as there may be millions. */
  async forget(id: string): Promise<void> {
    await this.imports.delete({ id });
    await this.deleteAll('delete import slugs', {
      table: 'import_slugs',
      key: 'import_id, slug',
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
