import { type Transaction } from '@app/platform/database';
import { Injectable } from '@nestjs/common';

/** A writer's transaction, and the revision it sets on every row it changes. */
export interface Writing extends Transaction {
  readonly revision: string;
}

/** Hand-written: the row is changed and read in one statement. */
const nextRevisionSql = 'UPDATE catalog_state SET revision = revision + 1 RETURNING revision';

/** The revisions of the catalog. */
@Injectable()
export class CatalogStateRepository {
  /**
   * Takes the next revision for a transaction that changes creators. The row stays locked until the end of the
   * transaction, so that writers take turns and a revision is never visible before a smaller one: followers of the
   * revisions miss nothing.
   */
  async startWriting(transaction: Transaction): Promise<Writing> {
    const [state] = await transaction.query<{ revision: string }>('take next revision', nextRevisionSql);
    if (!state) throw new Error('catalog_state has no row');
    return { ...transaction, revision: state.revision };
  }
}
