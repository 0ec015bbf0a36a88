import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type DatabaseName,
  type DatabaseUrls,
  guardDirectory,
  postgresClientsPath,
  type PostgresServer,
  runOrThrow,
  type StackOptions,
  startPostgres,
  startRedis,
} from '#dev';

/** Servers for a stack, other than one PostgreSQL and one Redis. */
export interface ServerLayout {
  readonly options: StackOptions;
  stop(): Promise<void>;
}

export type DeployedLayout = Awaited<ReturnType<typeof startDeployed>>;
export type DeployedDatabases = Awaited<ReturnType<typeof createDeployedDatabases>>;

/** Servers as the scripts of deploy/compose set them up, for services with separate roles and users. */
export async function startDeployed() {
  const secrets = await makeSecrets();
  const [postgres, redis] = await Promise.all([
    startPostgres(),
    startRedis({ settings: { aclfile: join(secrets, 'redis_users') } }),
  ]);
  const databases = await createDeployedDatabases(postgres, secrets);
  /** URL for the Redis user of a service, or for `health`. */
  const redisUrl = (user: string): string =>
    `redis://${user}:${secret(secrets, `${user}_redis_password`)}@127.0.0.1:${redis.port}`;
  const options: StackOptions = {
    redisUrl: redis.url,
    catalogDatabaseUrl: databases.runtime.catalog,
    billingDatabaseUrl: databases.runtime.billing,
    migrationEnvironment: (name) => ({
      [`${name.toUpperCase()}_DATABASE_URL`]: databases.owner[name],
      RUNTIME_ROLE: name,
    }),
    environmentOf: (service) => Promise.resolve({ SERVICE_REDIS_URL: redisUrl(service) }),
  };
  return {
    postgres,
    redis,
    databases,
    /** Environment of a shell in PostgreSQL's container, except that its superuser is not the default. */
    environment: await environmentOf(postgres, secrets),
    redisUrl,
    options,
    stop: async (): Promise<void> => {
      await Promise.all([postgres.stop(), redis.stop()]);
      rmSync(secrets, { recursive: true, force: true });
    },
  };
}

/** Secrets of a deployment, in a directory that is removed when this process ends. */
export async function makeSecrets(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  guardDirectory(directory);
  await runOrThrow(resolve('deploy/compose/make-secrets.sh'), [directory]);
  return directory;
}

/** Databases and roles, created or updated as PostgreSQL's container does it. */
export async function createDeployedDatabases(postgres: Pick<PostgresServer, 'port'>, secrets: string) {
  await runOrThrow(resolve('deploy/compose/create-databases.sh'), [], {
    env: await environmentOf(postgres, secrets),
  });
  const url = (name: DatabaseName, kind: string): string =>
    secret(secrets, `${name}_${kind}`).replace('@postgres:5432', `@127.0.0.1:${postgres.port}`);
  const urls = (kind: string): DatabaseUrls => ({
    catalog: url('catalog', kind),
    billing: url('billing', kind),
  });
  /** URLs for the roles that the services run as, and for those that own the tables. */
  return { runtime: urls('database_url'), owner: urls('migration_database_url') };
}

async function environmentOf(
  postgres: Pick<PostgresServer, 'port'>,
  secrets: string,
): Promise<Record<string, string | undefined>> {
  return {
    ...process.env,
    PATH: await postgresClientsPath(),
    PGHOST: '127.0.0.1',
    PGPORT: String(postgres.port),
    PGUSER: undefined,
    PGPASSWORD: secret(secrets, 'postgres_password'),
    SECRETS_DIRECTORY: secrets,
  };
}

export function secret(directory: string, name: string): string {
  return readFileSync(join(directory, name), 'utf8').trim();
}
