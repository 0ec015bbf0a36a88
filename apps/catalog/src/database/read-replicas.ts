import { isDatabaseUnavailable, observed } from '@app/platform';
import { type DataSource } from 'typeorm';
import { type Query, autocommitQuery, rowsOf } from './query.js';

/** So long nothing is read from replicas after one could not be used. */
const avoidedMs = 5_000;

/**
 * Statements on a read replica, which may be a moment behind; on the primary where there are none, and while one of them
 * can't be used.
 */
export function readingFromReplicas(
  dataSource: DataSource,
  now: () => number = () => performance.now(),
): Query {
  const primary = autocommitQuery(dataSource);
  if (!dataSource.driver.isReplicated) return primary;
  let avoidedUntil = -Infinity;
  const replica: Query = observed(async <Row>(sql: string, parameters?: unknown[]) => {
    const runner = dataSource.createQueryRunner('slave');
    try {
      return rowsOf<Row>(await runner.query(sql, parameters));
    } finally {
      await runner.release();
    }
  });
  return async <Row>(sql: string, parameters?: unknown[]) => {
    if (now() < avoidedUntil) return primary<Row>(sql, parameters);
    try {
      return await replica<Row>(sql, parameters);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      avoidedUntil = now() + avoidedMs;
      return primary<Row>(sql, parameters);
    }
  };
}
