import { setTimeout as wait } from 'node:timers/promises';
import { createServiceDatabases, type PostgresServer, type Stack, startStack } from '@app/local-stack';
import { AdminClient } from '../../tools/cli/admin-client.js';
import { makeKeysOf } from '../stack/consumers.js';
import { importCreators } from '../stack/import-creators.js';
import { settle, startDatabaseServer } from './database-server.js';
import { generatorSeed, type Ground, type Side, siteUrl } from './side.js';
import { UsageMeter } from './usage.js';

/** For the index of the catalog to be merged and saved. */
const quietMs = 5_000;

/** The services of this checkout or of another one, with their own PostgreSQL and Redis. */
export class StackSide implements Side {
  private constructor(
    readonly name: string,
    readonly postgres: PostgresServer,
    private readonly stack: Stack,
    private readonly admin: AdminClient,
    readonly accounts: readonly (readonly string[])[],
    readonly meter: UsageMeter,
  ) {}

  static async open(name: string, checkout: string, { creators, accounts }: Ground): Promise<StackSide> {
    const postgres = await startDatabaseServer();
    let stack: Stack | undefined;
    try {
      const databases = await createServiceDatabases(postgres);
      stack = await startStack({
        checkout,
        catalogDatabaseUrl: databases.catalog,
        billingDatabaseUrl: databases.billing,
        environment: { LOG_LEVEL: 'warn', SITE_URL: siteUrl },
      });
      const admin = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
      await importCreators(admin, creators, generatorSeed);
      const keys = await makeKeysOf(admin, accounts);
      await settle(postgres.url('catalog'));
      await settle(postgres.url('billing'));
      await wait(quietMs);
      const { pids } = stack;
      const { gateway, catalog, billing, redis } = pids;
      const meter = await UsageMeter.open(postgres, () => ({ gateway, catalog, billing, Redis: redis }));
      return new StackSide(name, postgres, stack, admin, keys, meter);
    } catch (error) {
      await stack?.stop();
      await postgres.stop();
      throw error;
    }
  }

  get origin(): string {
    return this.stack.publicUrl;
  }

  async audit(): Promise<void> {
    const { ok } = await this.admin.get<{ ok: boolean }>('/ledger/audit');
    if (!ok) throw new Error(`the ledger of ${this.name} does not add up`);
  }

  async stop(): Promise<void> {
    await this.meter.close();
    await this.stack.stop();
    await this.postgres.stop();
  }
}
