import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runSql } from '../databases/run-sql.js';
import { startPgBouncer } from '../servers/pgbouncer.js';
import { createServiceDatabases, startPostgres } from '@app/local-stack';
import { startRedisCluster } from '../servers/redis-cluster.js';
import { startRedisSentinels } from '../servers/redis-sentinel.js';
import { startCitus } from './citus-layout.js';
import { startDeployed } from './deployed-layout.js';
import { type ServerLayout } from './server-layout.js';

/** The layouts by name. */
export const serverLayouts: Readonly<Record<string, () => Promise<ServerLayout>>> = {
  sentinel: async () => {
    const redis = await startRedisSentinels();
    return { options: { redisUrl: redis.url }, stop: () => redis.stop() };
  },
  cluster: async () => {
    const redis = await startRedisCluster();
    return { options: { redisUrl: redis.url }, stop: () => redis.stop() };
  },
  pgbouncer: startPooled,
  replica: startWithReplica,
  citus: startCitus,
  deployed: startDeployed,
};

/** PostgreSQL behind PgBouncer as in deploy/pgbouncer; the migrations bypass it, as they would there. */
async function startPooled(): Promise<ServerLayout> {
  const postgres = await startPostgres();
  const direct = await createServiceDatabases(postgres);
  await runSql(postgres.url(), readFileSync(resolve('deploy/pgbouncer/role-settings.sql'), 'utf8'));
  const pooler = await startPgBouncer(resolve('deploy/pgbouncer/pgbouncer.ini'), postgres.port);
  const pooled = (url: string): string => url.replace(`:${postgres.port}/`, `:${pooler.port}/`);
  return {
    options: {
      catalogDatabaseUrl: direct.catalog,
      billingDatabaseUrl: direct.billing,
      environmentOf: (service) =>
        Promise.resolve<Record<string, string>>(
          {
            gateway: {},
            catalog: { CATALOG_DATABASE_URL: pooled(direct.catalog), CATALOG_DIRECT_URL: direct.catalog },
            billing: {
              BILLING_DATABASE_URL: pooled(direct.billing),
              BILLING_PREPARED_STATEMENTS: String(pooler.keepsPrepared),
            },
          }[service],
        ),
    },
    stop: async () => {
      await pooler.stop();
      await postgres.stop();
    },
  };
}

/**
 * A hot standby for the catalog's reads; a commit waits for it, so that a test reads there what it has just written.
 */
async function startWithReplica(): Promise<ServerLayout> {
  const primary = await startPostgres();
  const { catalog, billing } = await createServiceDatabases(primary);
  const standby = await startPostgres({ standbyOf: primary });
  await runSql(
    primary.url(),
    "ALTER SYSTEM SET synchronous_standby_names = '*'",
    "ALTER SYSTEM SET synchronous_commit = 'remote_apply'",
    'SELECT pg_reload_conf()',
  );
  const replica = catalog.replace(`:${primary.port}/`, `:${standby.port}/`);
  return {
    options: {
      catalogDatabaseUrl: catalog,
      billingDatabaseUrl: billing,
      environment: { CATALOG_REPLICA_URLS: replica },
    },
    stop: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
}
