import { type FreshnessQuery, type FreshnessReport } from '#contracts';
import { gauges, gaugesOfTwo, LOGGER, type Logger, PeriodicTask } from '#platform';
import { TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { type FreshnessRow } from './freshness.entity.js';
import { FreshnessRepository, toFreshness } from './freshness.repository.js';

const maxAgeMs = 60 * 60_000;
const pollMs = 60_000;
/** For a table of tens of millions. */
const statementTimeoutMs = 10 * 60_000;
const secondsPerDay = 86_400;

/** How old the data is: computed every hour by one replica, and read by all. */
@Injectable()
export class FreshnessService {
  /** The last result, for the metrics: a scrape asks the database for nothing. */
  private platforms: readonly FreshnessRow[] = [];

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly freshness: FreshnessRepository,
  ) {
    const perPlatform = <Value>(read: (row: FreshnessRow) => Value): Record<string, Value> =>
      Object.fromEntries(this.platforms.map((row) => [row.value, read(row)]));
    gaugesOfTwo(
      'creator_data_age_seconds',
      'Age of the data of published creators on a platform: the median and the 90th percentile.',
      ['platform', 'quantile'],
      () =>
        perPlatform(({ medianDays, p90Days }) => ({
          '0.5': medianDays * secondsPerDay,
          '0.9': p90Days * secondsPerDay,
        })),
    );
    gauges(
      'creator_data_old_ratio',
      'Share of the published creators on a platform whose data is older than 90 days.',
      'platform',
      () => perPlatform(({ olderThan90, creators }) => olderThan90 / creators),
    );
  }

  /** The last result, at most an hour and a minute old. */
  async report({ by }: FreshnessQuery): Promise<FreshnessReport> {
    const rows = await this.freshness.find(this.transactions, by);
    return { by, computed_at: rows[0]?.computedAt.toISOString() ?? null, rows: rows.map(toFreshness) };
  }

  /** Computes it when the last result is an hour old, or empty; then the metrics show it. */
  async refresh(now = new Date()): Promise<void> {
    const [row] = await this.freshness.find(this.transactions, 'platform');
    if (!row || now.getTime() - row.computedAt.getTime() >= maxAgeMs) {
      await this.transactions.run((transaction) => this.freshness.compute(transaction, now), {
        statementTimeoutMs,
        answerTimeoutMs: statementTimeoutMs,
      });
    }
    this.platforms = await this.freshness.find(this.transactions, 'platform');
  }
}

@Injectable()
export class FreshnessTask extends PeriodicTask {
  constructor(freshness: FreshnessService, @Inject(LOGGER) logger: Logger) {
    super({
      run: () => freshness.refresh(),
      intervalMs: pollMs,
      jitter: 0.1,
      problem: 'the age of the data not computed',
      logger,
    });
  }
}
