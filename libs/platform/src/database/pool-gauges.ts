import { type DataSource } from 'typeorm';
import { gaugesOfTwo } from '../metrics/metrics.js';

/** What node-postgres tells of its pool; the ORM keeps it to itself. */
interface PoolCounts {
  readonly total: number;
  readonly idle: number;
  /** Requests for a connection that wait. */
  readonly waiting: number;
}

const pools = new Map<string, DataSource>();

/** Shows how busy a pool of connections of a service to its database is, under its name. */
export function observePool(name: string, dataSource: DataSource): void {
  pools.set(name, dataSource);
  gaugesOfTwo(
    'database_pool_connections',
    'Connections to PostgreSQL (total, idle), and requests for one that wait.',
    ['pool', 'state'],
    () => {
      const counts = [...pools].map(([pool, source]) => [pool, poolCounts(source)] as const);
      return Object.fromEntries(counts.flatMap(([pool, count]) => (count ? [[pool, { ...count }]] : [])));
    },
  );
}

/** The connections of a pool; none as long as it has never been open. */
export function poolCounts(dataSource: DataSource): PoolCounts | undefined {
  const pool: unknown = Reflect.get(dataSource.driver, 'master');
  if (!isPool(pool)) return undefined;
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

function isPool(value: unknown): value is Pool {
  return typeof value === 'object' && value !== null && 'waitingCount' in value;
}
