import {
  type ImportChunkRequest,
  type ImportReport,
  type ImportSummary,
  importUndoDays,
  ServiceError,
} from '#contracts';
import {
  deleteOldRows,
  type Managed,
  type Queryable,
  type StatementName,
  type Transaction,
  TransactionRunner,
} from '#platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThanOrEqual, Repository } from 'typeorm';
import { rowsOfText, textOfRows } from '../database/text-rows.js';
import { type Claim } from '../creators/creator-writer.js';
import { Import, ImportChange, ImportChunk } from './import.entity.js';

/** Rows that one statement deletes: small enough for the time limit of a session. */
const deletionBatch = 20_000;

const countNames = ['received', 'created', 'updated', 'unchanged', 'removed', 'rejected'] as const;

/** Hand-written: set-based, for a whole chunk; served by `import_claims_pk`. */
const claimedSql =
  'SELECT key, slug, line, creator FROM import_claims WHERE import_id = $1 AND key = ANY($2)';

/** Hand-written: set-based, for a whole chunk; served by `import_claims_pk`. */
const claimSql = `
  INSERT INTO import_claims (import_id, key, slug, line, creator)
  SELECT $1, key, nullif(slug, ''), line, nullif(creator, '')::json
  FROM ${rowsOfText('$2', { key: 'text', slug: 'text', line: 'integer', creator: 'text' })}
  ON CONFLICT (import_id, key) DO UPDATE SET slug = excluded.slug, line = excluded.line, creator = excluded.creator`;

/** A slug or, in a dry run, an account or what a creator would be, by its key. */
export interface KeyedClaim extends Claim {
  readonly key: string;
}

/** Hand-written: both in one statement, while other chunks wait; served by both primary keys. */
const endTurnSql = `
  WITH reported AS (INSERT INTO import_chunks (import_id, seq, report) VALUES ($1, $2, $3))
  UPDATE imports SET next_seq = $2 + 1, touched_at = statement_timestamp(),
    ${countNames.map((name, at) => `${name} = ${name} + $${at + 4}`).join(', ')}
  WHERE id = $1`;

/** Hand-written: by the clock of the database. Imports without a chunk for an hour. */
const abandonedSql = `
  SELECT id FROM imports
  WHERE finished_at IS NULL AND touched_at < statement_timestamp() - interval '1 hour'`;

/** Hand-written: reads through `import_claims_pk`. Claims of imports that ended while they were being deleted. */
const orphanedSql = `
  SELECT DISTINCT import_id AS id FROM import_claims
  WHERE NOT EXISTS (SELECT FROM imports WHERE imports.id = import_claims.import_id AND finished_at IS NULL)`;

/** Hand-written: looks up each import by `import_changes_pk`, however many changes others have. */
const withOldChangesSql = `
  SELECT id FROM imports
  WHERE started_at < statement_timestamp() - interval '${importUndoDays} days'
    AND (SELECT true FROM import_changes WHERE import_id = imports.id LIMIT 1)`;

const deleteOldSql = `DELETE FROM imports WHERE started_at < statement_timestamp() - interval '400 days'`;

const isOldDeletion = "deleted_at < statement_timestamp() - interval '7 days'";

/** Hand-written: set-based, by the clock of the database. */
const noteForgottenSql = `
  UPDATE catalog_state SET forgotten_revision = forgotten.revision
  FROM (SELECT max(revision) AS revision FROM creator_deletions WHERE ${isOldDeletion}) AS forgotten
  WHERE forgotten.revision > forgotten_revision`;

/** Imports, running and over. */
@Injectable()
export class ImportsRepository {
  constructor(
    @InjectRepository(Import) private readonly imports: Repository<Import>,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Records an import, unless it is known already. */
  async begin(
    { import_id: id, source, file, mode }: ImportChunkRequest,
    isDryRun: boolean,
    operator: string | null,
  ): Promise<void> {
    const values = { id, source: source ?? null, file: file ?? null, mode, isDryRun, operator };
    await this.imports.createQueryBuilder().insert().values(values).orIgnore().updateEntity(false).execute();
  }

  /** Whether chunk `seq` is next, or stored already. Takes no lock. */
  isDue(id: string, seq: number): Promise<boolean> {
    return this.imports.existsBy({ id, finishedAt: IsNull(), nextSeq: MoreThanOrEqual(seq) });
  }

  /**
   * Locks the import until the end of the transaction; returns the number of its next chunk, `null` for one that is over or
   * unknown.
   */
  async lockNextSeq({ manager }: Transaction, id: string): Promise<number | null> {
    const where = { id, finishedAt: IsNull() };
    const found = await manager.findOne(Import, { where, lock: { mode: 'pessimistic_write' } });
    return found?.nextSeq ?? null;
  }

  /** Throws `not_found`. */
  async find(id: string): Promise<Import> {
    const found = await this.imports.findOneBy({ id, isDryRun: false });
    if (!found) throw new ServiceError('not_found', 'There is no import with this id.');
    return found;
  }

  /** Newest first; after that with this id. */
  async list(limit: number, after: string | undefined): Promise<ImportSummary[]> {
    const where = { isDryRun: false, ...(after === undefined ? {} : { id: LessThan(after) }) };
    const found = await this.imports.find({ where, order: { id: 'DESC' }, take: limit });
    return found.map(toSummary);
  }

  /** The changes of the latest chunk that has any; locks the import until the end of the transaction. */
  async lockLatestChanges({ manager }: Transaction, id: string): Promise<ImportChange[]> {
    await manager.findOne(Import, { where: { id }, lock: { mode: 'pessimistic_write' } });
    const [latest] = await manager.find(ImportChange, {
      select: { slug: true, importId: true, seq: true },
      where: { importId: id },
      order: { seq: 'DESC' },
      take: 1,
    });
    return latest ? manager.findBy(ImportChange, { importId: id, seq: latest.seq }) : [];
  }

  async forgetChanges({ manager }: Managed, importId: string, seq: number): Promise<void> {
    await manager.delete(ImportChange, { importId, seq });
  }

  async markUndone(id: string): Promise<void> {
    await this.imports.update({ id, undoneAt: IsNull() }, { undoneAt: () => 'clock_timestamp()' });
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
    if (keys.length === 0) return new Map();
    const rows = await query<KeyedClaim>('find claims', claimedSql, [importId, keys]);
    return new Map(rows.map(({ key, ...claim }) => [key, claim]));
  }

  async claim({ query }: Queryable, importId: string, claims: readonly KeyedClaim[]): Promise<void> {
    if (claims.length === 0) return;
    const rows = claims.map(({ key, slug, line, creator }) => {
      return [key, slug ?? '', line, creator ? JSON.stringify(creator) : ''];
    });
    await query('claim', claimSql, [importId, textOfRows(rows)]);
  }

  /** Stores the report of a chunk and admits the next one. */
  async endTurn({ query }: Transaction, importId: string, seq: number, report: ImportReport): Promise<void> {
    const counts = countNames.map((name) => report[name]);
    await query('end turn of chunk', endTurnSql, [importId, seq, JSON.stringify(report), ...counts]);
  }

  /** Ends an import, so that its chunks claim nothing more, and deletes its claims: in batches, as there may be millions. */
  async finish(id: string): Promise<void> {
    await this.imports.update({ id, finishedAt: IsNull() }, { finishedAt: () => 'clock_timestamp()' });
    await this.imports.manager.delete(ImportChunk, { importId: id });
    await this.deleteAll('delete import claims', 'import_claims', 'import_id = $1', [id]);
    await this.imports.delete({ id, isDryRun: true });
  }

  /** Ends abandoned imports, and deletes what is old; harmless when two replicas do it at once. */
  async sweep(): Promise<void> {
    for (const id of await this.idsOf('select abandoned imports', abandonedSql)) await this.finish(id);
    for (const id of await this.idsOf('select orphaned claims', orphanedSql)) await this.finish(id);
    for (const id of await this.idsOf('select old imports', withOldChangesSql)) {
      await this.deleteAll('delete import changes', 'import_changes', 'import_id = $1', [id]);
    }
    await this.transactions.query('delete old imports', deleteOldSql);
    await this.forgetOldDeletions();
  }

  private async idsOf(name: StatementName, sql: string): Promise<string[]> {
    return (await this.transactions.query<{ id: string }>(name, sql)).map(({ id }) => id);
  }

  /**
   * Deletes deletion records older than a week. First records their highest revision: a follower further behind has to
   * start afresh.
   */
  private async forgetOldDeletions(): Promise<void> {
    await this.transactions.query('note forgotten revision', noteForgottenSql);
    await this.deleteAll('delete creator deletions', 'creator_deletions', isOldDeletion);
  }

  private async deleteAll(name: StatementName, table: string, where: string, parameters: string[] = []) {
    const { query } = this.transactions;
    while ((await deleteOldRows(query, name, { table, where, parameters }, deletionBatch)) === deletionBatch);
  }
}

function toSummary({ startedAt, finishedAt, undoneAt, ...found }: Import): ImportSummary {
  const { id, source, file, operator, mode } = found;
  const { received, created, updated, unchanged, removed, rejected } = found;
  return {
    ...{ id, source, file, operator, mode, received, created, updated, unchanged, removed, rejected },
    started_at: startedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    undone_at: undoneAt?.toISOString() ?? null,
  };
}
