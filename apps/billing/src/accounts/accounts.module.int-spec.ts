import { randomUUID } from 'node:crypto';
import { createLogger, PlatformModule } from '@app/platform';
import { DatabaseModule } from '@app/platform/database';
import { freePort } from '@app/local-stack';
import { createTestDatabase, type TestDatabase } from '@app/testing';
import { Test, type TestingModule } from '@nestjs/testing';
import { databaseOptions } from '../billing.module.js';
import { readBillingConfig } from '../config/billing-config.js';
import { grants } from '../database/grants.js';
import { migrations } from '../database/migrations/index.js';
import { AccountsModule } from './accounts.module.js';
import { AccountsService } from './accounts.service.js';

const logger = createLogger({ service: 'billing', level: 'silent', pretty: false });

/** An example of testing one module alone, with the infrastructure of every service and its own database. */
describe('the module of accounts', () => {
  let database: TestDatabase;
  let billing: TestingModule;
  let port: number;

  beforeAll(async () => {
    database = await createTestDatabase({ name: 'billing', migrations, grants });
    port = await freePort();
    const config = readBillingConfig({
      BILLING_DATABASE_URL: database.runtimeUrl,
      SERVICE_REDIS_URL: 'redis://nobody.example',
      INTERNAL_PORT: String(port),
    });
    billing = await Test.createTestingModule({
      imports: [
        PlatformModule.forRoot(config, logger),
        DatabaseModule.forRootAsync({ useFactory: databaseOptions }),
        AccountsModule,
      ],
    }).compile();
    await billing.init();
  });

  afterAll(async () => {
    await billing?.close();
    await database?.drop();
  });

  it('creates an account and shows it with its balance and lots', async () => {
    const accounts = billing.get(AccountsService);
    const request = {
      account_id: randomUUID(),
      name: 'Acme',
      email: 'ops@acme.example',
      idempotency_key: 'a',
    };
    const { created, account } = await accounts.create(request);
    expect({ created, ...account }).toMatchObject({ created: true, name: 'Acme', credits_remaining: 0 });
    expect(await accounts.show(request.account_id)).toEqual({ ...account, lots: [] });
  });

  it('measures how long its statements take, also those of TypeORM', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    for (const query of ['lock accounts', 'typeorm insert', 'typeorm select']) {
      expect(metrics).toContain(`database_query_duration_seconds_count{query="${query}",outcome="ok"}`);
    }
  });
});
