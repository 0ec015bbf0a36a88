import { type DataSource } from 'typeorm';
import { gaugesOfTwo } from '../metrics/metrics.js';
import { poolCounts } from './raw-connection.js';

const pools = new Map<string, DataSource>();

/** Metrics of a connection pool, labelled with its name. */
export function observePool(name: string, dataSource: DataSource): void {
  pools.set(name, dataSource);
  gaugesOfTwo(
    'database_pool_connections',
    'Connections to PostgreSQL (total, idle), and requests waiting for one.',
    ['pool', 'state'],
    () => {
      const counts = [...pools].map(([pool, source]) => [pool, poolCounts(source)] as const);
      return Object.fromEntries(counts.flatMap(([pool, count]) => (count ? [[pool, { ...count }]] : [])));
    },
  );
}
