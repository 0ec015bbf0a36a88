import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, guardDirectory, type PostgresServer, ServerProcess, withClient } from '@app/local-stack';
import { generateCreators } from '../../tools/generator/generate-creators.js';
import { creditsOfAccount } from '../stack/consumers.js';
import { settle } from './database-server.js';
import { fillDatabase } from './monolith/fill-database.js';
import { generatorSeed, type Side, siteUrl } from './side.js';
import { UsageMeter } from './usage.js';

const main = fileURLToPath(new URL('./monolith/main.js', import.meta.url));
const database = 'monolith';
const readyTimeoutMs = 30_000;

/** What was charged was taken from lots, entry by entry. */
const balanceSql = `
  SELECT charged = taken AND charged = entered AS ok
  FROM (SELECT sum(credits) AS charged FROM charges) AS c, (SELECT sum(credits - remaining) AS taken FROM lots) AS l,
    (SELECT -sum(credits) AS entered FROM ledger_entries) AS e`;

interface Options {
  readonly postgres: PostgresServer;
  readonly creators: number;
  /** Keys of each account, as the other side made them. */
  readonly accounts: readonly (readonly string[])[];
  readonly poolSize: string;
}

/** One process over a database of its own. */
export class MonolithSide implements Side {
  readonly name = 'monolith';

  private constructor(
    readonly origin: string,
    readonly accounts: readonly (readonly string[])[],
    readonly meter: UsageMeter,
    private readonly databaseUrl: string,
    private readonly server: ServerProcess,
    private readonly directory: string,
  ) {}

  static async open({ postgres, creators, accounts, poolSize }: Options): Promise<MonolithSide> {
    await withClient(postgres.url(), (client) => client.query(`CREATE DATABASE ${database}`));
    const url = postgres.url(database);
    const records = generateCreators({ count: creators, seed: generatorSeed });
    await fillDatabase(url, { records, siteUrl, accounts, credits: creditsOfAccount });
    await settle(url);
    const directory = mkdtempSync(join(tmpdir(), 'monolith-'));
    guardDirectory(directory);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const server = new ServerProcess({
      name: 'the monolith',
      command: process.execPath,
      parameters: [main],
      environment: {
        ...process.env,
        NODE_ENV: 'production',
        DATABASE_URL: url,
        PORT: String(port),
        POOL_SIZE: poolSize,
      },
      logFile: join(directory, 'monolith.log'),
      stopSignal: 'TERM',
    });
    try {
      await server.waitUntilAnswered(`${origin}/health`, readyTimeoutMs);
      const meter = await UsageMeter.open(postgres, () => ({ monolith: [server.pid] }));
      return new MonolithSide(origin, accounts, meter, url, server, directory);
    } catch (error) {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  }

  async audit(): Promise<void> {
    const { rows } = await withClient(this.databaseUrl, (client) =>
      client.query<{ ok: boolean }>(balanceSql),
    );
    if (rows[0]?.ok !== true) throw new Error(`the ledger of ${this.name} does not add up`);
  }

  async stop(): Promise<void> {
    await this.meter.close();
    await this.server.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
