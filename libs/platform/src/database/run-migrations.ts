import { str } from 'envalid';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { createLogger } from '../logging/logger.js';
import { connectDatabase } from './connect.js';
import { runToEnd } from '../lifecycle/run-to-end.js';
import { type Grants, grantExactly } from './grants.js';
import { migrate } from './postgres.js';

/** Variables of every migration job, beside the URL of its database. */
export const migrationConfig = {
  RUNTIME_ROLE: str({
    default: '',
    desc: "role of the service itself, which gets what the service needs and nothing else; empty: the service runs as the tables' owner",
  }),
};

interface MigrationJob {
  readonly service: string;
  readonly options: DataSourceOptions;
  /** Done after the migrations; gives the names of what it has done. */
  readonly afterwards?: (dataSource: DataSource) => Promise<string[]>;
  /** To `runtimeRole`, unless that is empty. */
  readonly grants: Grants;
  readonly runtimeRole: string;
}

/**
 * The program of a migration job. It takes no arguments: any prints what the job does, and nothing is migrated. A failure is
 * explained on standard error; the process ends with 1.
 */
export function runMigrationJob(service: string, work: () => Promise<void>): void {
  const words = process.argv.slice(2);
  if (words.length === 0) {
    runToEnd(work);
    return;
  }
  const name = `${service.toUpperCase()}_DATABASE_URL`;
  process.stdout.write(
    `Applies the migrations of ${service} to the database of ${name}. It takes no arguments.\n`,
  );
  process.exitCode = words.some((word) => word === '--help' || word === '-h') ? 0 : 1;
}

/** Applies what is pending and prints it. */
export async function runMigrations(job: MigrationJob): Promise<void> {
  const { service, options } = job;
  const dataSource = new DataSource(options);
  await connectDatabase(dataSource, createLogger({ service, level: 'warn', pretty: false }));
  try {
    const applied = await migrate(dataSource, () => finish(dataSource, job));
    const names = applied.length === 0 ? 'nothing to do' : applied.join(', ');
    process.stdout.write(`${service}: ${names}\n`);
  } finally {
    await dataSource.destroy();
  }
}

async function finish(dataSource: DataSource, job: MigrationJob): Promise<string[]> {
  const { runtimeRole, grants } = job;
  const done = (await job.afterwards?.(dataSource)) ?? [];
  if (runtimeRole === '') return done;
  await grantExactly((sql, parameters) => dataSource.query(sql, parameters), runtimeRole, grants);
  return [...done, `grants to ${runtimeRole}`];
}
