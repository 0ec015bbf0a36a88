import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fetchDistributionPackage, fetchEmbeddedPostgres, isExecutable } from './fetch-packages.js';
import { run } from '../processes/run.js';
import { postgresUser } from '../processes/unprivileged-user.js';

export interface PostgresPrograms {
  /** Contains `postgres` and `initdb`. */
  readonly directory: string;
  readonly major: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Environment = PostgresPrograms['environment'];

const majorMin = 15;
const requiredExtension = 'pg_trgm';
let found: Promise<PostgresPrograms> | undefined;

/**
 * PostgreSQL 15 or later with pg_trgm: from this machine, else from the npm registry, else unpacked from the
 * distribution's package.
 */
export function findPostgres(): Promise<PostgresPrograms> {
  found ??= find();
  return found;
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

async function find(): Promise<PostgresPrograms> {
  for (const directory of directoriesOfThisMachine()) {
    const programs = await examine(directory, process.env);
    if (programs) return programs;
  }
  const embedded = await fetchEmbeddedPostgres();
  const programs = embedded && (await examine(join(embedded.root, 'bin'), embedded.environment));
  if (programs) return programs;
  for (const name of ['postgresql-18', 'postgresql-17', 'postgresql-16', 'postgresql-15']) {
    const unpacked = await fetchDistributionPackage(name);
    const directory = join(unpacked?.root ?? '', 'usr/lib/postgresql', name.replace(/\D+/, ''), 'bin');
    const fromPackage = unpacked && (await examine(directory, unpacked.environment));
    if (fromPackage) return fromPackage;
  }
  throw new Error(
    `No PostgreSQL ${majorMin} or later with ${requiredExtension} was found. Install one (Debian and Ubuntu: ` +
      'apt-get install postgresql; macOS: brew install postgresql@17) or set CATALOG_DATABASE_URL and BILLING_DATABASE_URL.',
  );
}

function directoriesOfThisMachine(): string[] {
  return [
    ...(process.env.PATH ?? '').split(delimiter),
    ...subdirectories('/usr/lib/postgresql', /^\d+$/).map((path) => join(path, 'bin')),
    ...subdirectories('/usr', /^pgsql-\d+$/).map((path) => join(path, 'bin')),
    '/usr/local/pgsql/bin',
    ...subdirectories('/opt/homebrew/opt', /^postgresql@\d+$/).map((path) => join(path, 'bin')),
    ...subdirectories('/usr/local/opt', /^postgresql@\d+$/).map((path) => join(path, 'bin')),
    ...subdirectories('/Applications/Postgres.app/Contents/Versions', /^\d+$/).map((path) =>
      join(path, 'bin'),
    ),
  ];
}

async function examine(directory: string, environment: Environment): Promise<PostgresPrograms | null> {
  const link = join(directory, 'postgres');
  if (!isExecutable(link)) return null;
  const programs = dirname(realpathSync(link));
  if (!isExecutable(join(programs, 'initdb'))) return null;
  const version = await run(join(programs, 'postgres'), ['--version'], {
    ...(await postgresUser()),
    env: environment,
  });
  const major = Number(/ (\d+)/.exec(version.output)?.[1] ?? 0);
  if (version.code !== 0 || major < majorMin || !hasExtension(programs, major)) return null;
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

/** The directories in `parent` with a matching name, highest number first; none when it can't be read. */
function subdirectories(parent: string, pattern: RegExp): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => pattern.test(name))
      .sort((a, b) => Number.parseInt(b.replace(/\D+/, ''), 10) - Number.parseInt(a.replace(/\D+/, ''), 10))
      .map((name) => join(parent, name));
  } catch {
    return [];
  }
}
