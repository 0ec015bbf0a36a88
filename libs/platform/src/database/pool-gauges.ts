import { type DataSource } from 'typeorm';
import { gauges } from '../metrics/metrics.js';

/** What node-postgres tells of its pool; the ORM keeps it to itself. */
interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Shows how busy the connections of a service to its database are. */
export function observePool(dataSource: DataSource): void {
  gauges(
    'database_pool_connections',
    'Connections to PostgreSQL (total, idle), and requests for one that wait.',
    'state',
    () => {
      const pool: unknown = Reflect.get(dataSource.driver, 'master');
      if (!isPool(pool)) return undefined;
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    },
  );
}

function isPool(value: unknown): value is PoolCounts {
  return typeof value === 'object' && value !== null && 'waitingCount' in value;
}
