import { postgresOptions } from '@app/platform';
import { type DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';

/** A search must end within its caller's 5 s; an import's chunk sets a longer limit of its own. */
const sessionSettings = {
  statement_timeout: '4500',
  lock_timeout: '4500',
  idle_in_transaction_session_timeout: '5000',
  timezone: 'UTC',
  jit: 'off',
} as const;

/** The catalog database as every replica opens it. */
export function catalogDataSourceOptions({
  url,
  poolSize,
}: {
  url: string;
  poolSize: number;
}): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize,
    entities: [],
    migrations,
    applicationName: 'catalog',
    sessionSettings,
  });
}
