import { gauges, LOGGER, type Logger, PeriodicTask } from '#platform';
import { TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';

const hourMs = 60 * 60_000;
const dayMs = 86_400_000;
/** For a table of tens of millions. */
const timeoutMs = 10 * 60_000;
const quantiles = [0.5, 0.9];

/** Hand-written: reads the whole table; by day, so that nothing large is sorted and a distributed catalog counts on each server. */
const countSql = `
  SELECT ($1::date - newest_updated_at::date)::integer AS days, count(*)::integer AS creators
  FROM creators WHERE published AND newest_updated_at IS NOT NULL GROUP BY 1 ORDER BY 1`;

/** How old the follower counts are: each published creator's newest ones, in whole days. Counted every hour, not at a scrape. */
@Injectable()
export class DataAge extends PeriodicTask {
  private ages: Readonly<Record<string, number>> = {};

  constructor(
    private readonly transactions: TransactionRunner,
    @Inject(LOGGER) logger: Logger,
  ) {
    const problem = 'the age of the data not counted';
    super({ run: () => this.count(), intervalMs: hourMs, jitter: 0.1, problem, logger });
    gauges(
      'creator_data_age_seconds',
      "Age of published creators' newest follower counts: the median and the 90th percentile.",
      'quantile',
      () => this.ages,
    );
  }

  async count(now = new Date()): Promise<void> {
    const days = await this.transactions.snapshot(
      ({ query }) => query<{ days: number; creators: number }>('count creators by age', countSql, [now]),
      { timeoutMs },
    );
    const total = days.reduce((sum, { creators }) => sum + creators, 0);
    const ageOf = (quantile: number): number => {
      let younger = 0;
      const day = days.find(({ creators }) => (younger += creators) >= quantile * total);
      return (Math.max(day?.days ?? 0, 0) * dayMs) / 1_000;
    };
    this.ages = total === 0 ? {} : Object.fromEntries(quantiles.map((each) => [each, ageOf(each)]));
  }
}
