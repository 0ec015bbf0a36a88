import { setTimeout as delay } from 'node:timers/promises';
import { textVersion } from '#contracts';
import { LOGGER, type Logger, PeriodicTask } from '#platform';
import { type Transaction, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { categoryKey, type CreatorContent } from './creator.js';
import { CreatorEntity } from './creator.entity.js';
import {
  contentOf,
  replaceRow,
  rowColumns,
  rowOf,
  stagedRow,
  type StoredCreator,
  storedFields,
} from './creator-row.js';
import { startWriting } from './writing.js';
import { stageCreators, stagingTable } from './store-creators.js';

/** Few enough that neither searches nor other writers wait noticeably for them. */
const creatorsAtOnce = 200;
/** Between two chunks, so that calls have the processor in turn. */
const pauseMs = 50;

/** Any number that no other advisory lock of this database has. */
const refoldingTurn = 7;

const columns = rowColumns.join(', ');
/**
 * Hand-written: set-based; through `creators_pk`. Every staged creator is known, so nothing is inserted: it is the form of an
 * update that a distributed catalog takes from a local table. A creator keeps its revision, as nothing of it has changed for those
 * who fold by this rule themselves.
 */
const storeRefoldedSql = `
  INSERT INTO creators (${columns}, published, revision) SELECT ${columns}, published, 0 FROM ${stagingTable}
  ON CONFLICT (slug) DO UPDATE SET ${replaceRow}`;

/**
 * Folds again what was stored under an older version of the rule or of Unicode, a few creators at a time. Rows of a newer version
 * stay as they are, so that replicas of two versions never undo each other's work.
 */
@Injectable()
export class Refolding extends PeriodicTask {
  /** At the start, and again for what replicas of an older version have stored meanwhile. */
  constructor(
    private readonly transactions: TransactionRunner,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      run: async () => {
        const isUnfinished = await this.next();
        await delay(pauseMs);
        return isUnfinished;
      },
      intervalMs: 60_000,
      jitter: 0.1,
      problem: 'texts of an older version not folded again',
      logger,
    });
  }

  /** Folds the next creators, unless another replica is at it; returns whether there may be more. */
  async next(): Promise<boolean> {
    const fold = (): Promise<number> => this.transactions.run((transaction) => this.fold(transaction));
    return (await this.transactions.runAlone(refoldingTurn, fold)) === creatorsAtOnce;
  }

  private async fold(transaction: Transaction): Promise<number> {
    const [old] = await this.findOld(transaction, 1);
    if (!old) return 0;
    // Before they are read: no other writer changes them until they are stored, and totals that are known by revision are counted again.
    await startWriting(transaction);
    const creators = await this.findOld(transaction, creatorsAtOnce);
    const rows = creators.map((creator) =>
      stagedRow(creator.slug, rowOf(withCategoryKeys(contentOf(creator))), creator.published),
    );
    await stageCreators(transaction, rows);
    await transaction.query('store refolded creators', storeRefoldedSql);
    return creators.length;
  }

  /** By `creators_by_text_version`. */
  private findOld({ manager }: Transaction, limit: number): Promise<StoredCreator[]> {
    const where = { textVersion: LessThan(textVersion) };
    return manager.find(CreatorEntity, {
      select: storedFields,
      where,
      order: { textVersion: 'ASC' },
      take: limit,
    });
  }
}

function withCategoryKeys(creator: CreatorContent): CreatorContent {
  const keys = creator.categories.map(categoryKey).filter((key) => key !== '');
  return { ...creator, categories: [...new Set(keys)] };
}
