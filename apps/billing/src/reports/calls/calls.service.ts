import { type CallRecord, type ListCallsRequest, isId, type Page } from '@app/contracts';
import { InjectTransactionRunner, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, isTime } from '../../database/cursor.js';
import { reportsPool } from '../../database/data-source.js';
import { viewOf } from './call-view.js';
import { CallsRepository } from './calls.repository.js';

/** The calls of an account that reached the ledger, page by page. */
@Injectable()
export class CallsService {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly calls: CallsRepository,
  ) {}

  /** Newest first; of an account that does not exist, none. Throws `invalid_request` for a cursor of another list. */
  async list({ limit, cursor, ...wanted }: ListCallsRequest): Promise<Page<CallRecord>> {
    const [at, id] = cursor === undefined ? [] : decodeCursor(cursor, [isTime, isId]);
    const after = at === undefined || id === undefined ? null : { at, id };
    const rows = await this.calls.newestFirst(this.reports, wanted, { limit: limit + 1, after });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(viewOf),
      next_cursor: last ? encodeCursor([last.at.toISOString(), last.id]) : null,
    };
  }
}
