import { type PostgresServer } from '@app/local-stack';
import { Client } from 'pg';
import { childrenOf, cpuMs, cpuMsWithEndedChildren } from '../stack/processes.js';

/** What the parts of one side have used so far. */
export interface Usage {
  /** Of the processes that are still there. */
  readonly processes: ReadonlyMap<number, { readonly part: string; readonly cpuMs: number }>;
  /** Of all that PostgreSQL ever started. */
  readonly postgresCpuMs: number;
  readonly walBytes: number;
}

export interface Used {
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly walBytes: number;
}

const restOfPostgres = 'PostgreSQL, other';

/** Reads what one side uses: its own processes, and its PostgreSQL with each connection's by the name of its database. */
export class UsageMeter {
  private constructor(
    private readonly client: Client,
    private readonly postgres: PostgresServer,
    private readonly pids: () => Readonly<Record<string, readonly number[]>>,
  ) {}

  /** `pids` gives the side's own processes, by what a table calls them. */
  static async open(
    postgres: PostgresServer,
    pids: () => Readonly<Record<string, readonly number[]>>,
  ): Promise<UsageMeter> {
    const client = new Client({ connectionString: postgres.url() });
    await client.connect();
    return new UsageMeter(client, postgres, pids);
  }

  async read(): Promise<Usage> {
    const { rows: backends } = await this.client.query<{ pid: number; database: string }>(
      'SELECT pid, datname AS database FROM pg_stat_activity WHERE datname <> current_database()',
    );
    const { rows: positions } = await this.client.query<{ bytes: number }>(
      `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes`,
    );
    const processes = new Map<number, { part: string; cpuMs: number }>();
    for (const [part, pids] of Object.entries(this.pids())) {
      for (const pid of pids) processes.set(pid, { part, cpuMs: cpuMs(pid) });
    }
    for (const { pid, database } of backends) {
      processes.set(pid, { part: `PostgreSQL, ${database}`, cpuMs: cpuMs(pid) });
    }
    const children = childrenOf(this.postgres.pid).reduce((sum, pid) => sum + cpuMs(pid), 0);
    const postgresCpuMs = cpuMsWithEndedChildren(this.postgres.pid) + children;
    return { processes, postgresCpuMs, walBytes: positions[0]?.bytes ?? 0 };
  }

  close(): Promise<void> {
    return this.client.end();
  }
}

/** The processes that ended in between are among the rest of PostgreSQL. */
export function usedBetween(before: Usage, after: Usage): Used {
  const used: Record<string, number> = {};
  let ofConnections = 0;
  for (const [pid, { part, cpuMs: now }] of after.processes) {
    const ms = now - (before.processes.get(pid)?.cpuMs ?? 0);
    used[part] = (used[part] ?? 0) + ms;
    if (part.startsWith('PostgreSQL')) ofConnections += ms;
  }
  used[restOfPostgres] = after.postgresCpuMs - before.postgresCpuMs - ofConnections;
  return { cpuMs: used, walBytes: after.walBytes - before.walBytes };
}
