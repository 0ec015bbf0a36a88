import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type PostgresServer, withClient } from '@app/local-stack';
import { type Client } from 'pg';
import { ask } from '../ask.js';
import { settle, startDatabaseServer } from '../whole-call/database-server.js';
import { UsageMeter, usedBetween } from '../whole-call/usage.js';
import { type Round } from './round.js';
import { type Ground, type Load, type Played } from './worker.js';

const database = 'billing';
/** All code has run, and the pages that calls change are in memory. */
const firstLoad: Load = { callers: 64, calls: 10_000 };
/** After VACUUM ANALYZE, statements are planned anew. */
const warmUpCalls = 500;

interface SideOptions extends Omit<Ground, 'url'> {
  readonly name: string;
  /** Built. */
  readonly checkout: string;
  readonly directory?: string | undefined;
}

/** The ledger of one checkout, in a process of its own, on its own PostgreSQL. */
export class Side {
  private constructor(
    readonly name: string,
    private readonly postgres: PostgresServer,
    private readonly worker: ChildProcess,
    private readonly meter: UsageMeter,
  ) {}

  /** Its database is removed at the end, unless it has a directory. */
  static async open({ name, checkout, directory, ...history }: SideOptions): Promise<Side> {
    // Each round begins with VACUUM, so that none has more of it than another.
    const settings = { autovacuum: 'off', max_wal_size: '4GB' };
    const postgres = await startDatabaseServer({ directory, settings });
    const worker = fork(join(checkout, 'dist/bench/bench/ledger-cost/worker.js'));
    try {
      await withClient(postgres.url(), async (client) => {
        await client.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
        const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
        if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
      });
      await ask(worker, { url: postgres.url(database), ...history } satisfies Ground);
      await ask(worker, firstLoad);
      const meter = await UsageMeter.open(postgres, () => ({ service: [worker.pid ?? 0] }));
      return new Side(name, postgres, worker, meter);
    } catch (error) {
      worker.kill();
      await postgres.stop();
      throw error;
    }
  }

  get url(): string {
    return this.postgres.url(database);
  }

  /** Begins right after a checkpoint: from there on, the first change of a page logs the whole page. */
  async play(load: Load): Promise<Round> {
    const { url } = this;
    await settle(url);
    await ask(this.worker, { ...load, calls: warmUpCalls });
    const takenBefore = await withClient(url, async (client) => {
      await client.query('CHECKPOINT');
      return creditsTaken(client);
    });
    const before = await this.meter.read();
    const played = await ask<Played>(this.worker, load);
    const { cpuMs } = usedBetween(before, await this.meter.read());
    const taken = (await withClient(url, creditsTaken)) - takenBefore;
    if (taken !== load.calls) throw new Error(`${load.calls} calls took ${taken} credits`);
    return {
      ...played,
      postgresCpuMs: cpuMs[`PostgreSQL, ${database}`] ?? 0,
      serviceCpuMs: cpuMs.service ?? 0,
      ...(await withClient(this.postgres.url(), (client) => walSince(client, before.walBytes))),
    };
  }

  async stop(): Promise<void> {
    this.worker.kill();
    await this.meter.close();
    await this.postgres.stop();
  }
}

async function creditsTaken(client: Client): Promise<number> {
  const { rows } = await client.query<{ taken: number }>(
    'SELECT sum(credits::bigint - remaining)::float8 AS taken FROM lots',
  );
  return rows[0]?.taken ?? 0;
}

type Wal = Pick<Round, 'walRecords' | 'walBytes' | 'pageImageBytes'>;

async function walSince(client: Client, position: number): Promise<Wal> {
  const { rows } = await client.query<Wal>(
    `SELECT sum(count)::float8 AS "walRecords", sum(record_size)::float8 AS "walBytes",
       sum(fpi_size)::float8 AS "pageImageBytes"
     FROM pg_get_wal_stats('0/0'::pg_lsn + $1::numeric, pg_current_wal_flush_lsn())`,
    [position],
  );
  if (!rows[0]) throw new Error('no write-ahead log');
  return rows[0];
}
