import {
  type CreatorReport,
  type CreatorReportRequest,
  type HeldCreator,
  type Removal,
  ServiceError,
} from '#contracts';
import { type Transaction, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { accountKey, BlockList, type NamedKey, slugKey } from '../creators/block-list.js';
import { CreatorEntity } from '../creators/creator.entity.js';
import { CreatorJson } from '../creators/creator-json.js';
import { DemandRepository } from '../demand/demand.repository.js';
import { readLookup } from '../lookup/lookup-keys.js';
import { RemovalsRepository } from '../removals/removals.repository.js';

/** The table of creators is read whole for an account. */
const timeoutMs = 25_000;

/** What is held about one creator. */
@Injectable()
export class CreatorReportService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly removals: RemovalsRepository,
    private readonly blockList: BlockList,
    private readonly demand: DemandRepository,
    private readonly json: CreatorJson,
  ) {}

  /**
   * Of a slug, or of whoever has an account; at most eleven creators. Nobody is no error: then nothing is held. Throws
   * `invalid_request`.
   */
  report(request: CreatorReportRequest): Promise<CreatorReport> {
    const keys = namedKeys(request);
    const read = async (transaction: Transaction): Promise<CreatorReport> => {
      const matching = await this.removals.findMatching(transaction.query, keys);
      const creators: HeldCreator[] = [];
      for (const { slug } of matching) creators.push(...(await this.held(transaction, slug)));
      const removals: Removal[] = [];
      for (const { id } of await this.blockList.find(transaction.query, keys)) {
        const removal = await this.removals.find(transaction, id);
        if (removal) removals.push(removal);
      }
      return { creators, removals };
    };
    return this.transactions.snapshot(read, { timeoutMs });
  }

  private async held({ manager }: Transaction, slug: string): Promise<HeldCreator[]> {
    const stored = await manager.findOneBy(CreatorEntity, { slug });
    if (!stored) return [];
    const reads = await this.demand.recentReads(manager, slug);
    return [
      {
        creator: this.json.view(stored),
        first_stored_at: stored.createdAt?.toISOString() ?? null,
        last_changed_at: stored.changedAt?.toISOString() ?? null,
        source: stored.source,
        recent_reads: Math.round((reads?.reads ?? 0) * 10) / 10,
        last_read_at: reads?.readAt.toISOString() ?? null,
      },
    ];
  }
}

function namedKeys({ slug, platform, handle }: CreatorReportRequest): NamedKey[] {
  if (slug !== undefined) return [slugKey(slug)];
  const lookup = readLookup({ platform, handle });
  if ('keys' in lookup) return lookup.keys.map(accountKey);
  throw new ServiceError('invalid_request', 'The account is not valid.', { details: lookup.details });
}
