import { TransactionRunner } from '#platform/database';
import { type PostgresServer, startPostgres } from '#local-stack';
import { BillingFactory, eventually } from '#testing';
import { DataSource } from 'typeorm';
import { billingMigrationOptions, billingReportsOptions } from '../../database/data-source.js';
import { openLedger, type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { AuditRepository } from './audit.repository.js';
import { FullAuditsService } from './full-audits.service.js';
import { LedgerAudit } from './ledger-audit.js';

describe('a full audit', () => {
  let ledger: LedgerFixture;
  let service: FullAuditsService;

  beforeAll(async () => {
    ledger = await openLedger();
    service = ledger.get(FullAuditsService);
  });
  beforeEach(() => ledger.empty());
  afterAll(() => ledger.close());

  /** Audits wait for the lots until this has ended. */
  async function whileLotsAreLocked(work: () => Promise<void>): Promise<void> {
    await ledger.owner.transaction(async (manager) => {
      await manager.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await manager.query('LOCK TABLE lots IN ACCESS EXCLUSIVE MODE');
      await work();
    });
  }

  it('is started, and asked about until it is done', async () => {
    const customer = await ledger.customer(10);
    await customer.charge(ledger.replicas[0], 3);
    const { id } = await service.start();
    await service.idle();
    const result = { ok: true, accounts: 1, lots: 1, entries: 2, discrepancies: [] };
    const audit = { id, kind: 'full', state: 'done', progress: 1, discrepancies: 0, problem: null };
    expect(await service.show({ audit_id: id })).toMatchObject({ ...audit, result });
    expect(await service.list()).toMatchObject([audit]);
  });

  it('is one for all replicas: another one that is started is the one that runs', async () => {
    const other = (await ledger.anotherReplica()).get(FullAuditsService);
    await whileLotsAreLocked(async () => {
      const { id, state } = await service.start();
      expect(state).toBe('running');
      expect(await other.start()).toMatchObject({ id, state: 'running' });
    });
    await service.idle();
    expect(await service.list()).toMatchObject([{ state: 'done' }]);
  });

  it('ends when it is cancelled at any replica, and stays cancelled', async () => {
    const other = (await ledger.anotherReplica()).get(FullAuditsService);
    await whileLotsAreLocked(async () => {
      const { id } = await service.start();
      expect(await other.cancel({ audit_id: id })).toMatchObject({ id, state: 'cancelled', result: null });
      const cancelledAt = performance.now();
      await service.idle();
      // It would wait for the lots longer, and again.
      expect(performance.now() - cancelledAt).toBeLessThan(5_000);
    });
    expect(await service.list()).toMatchObject([{ state: 'cancelled' }]);
    await service.start();
    await service.idle();
    expect(await service.list()).toMatchObject([{ state: 'done' }, { state: 'cancelled' }]);
  });

  it('that is done is not cancelled, and one that never was is not found', async () => {
    const { id } = await service.start();
    await service.idle();
    expect(await service.cancel({ audit_id: id })).toMatchObject({ state: 'done' });
    const unknown = { audit_id: '0198c0de-0000-7000-8000-000000000001' };
    await expect(service.cancel(unknown)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reads on the standby that is configured, and says why it cannot', async () => {
    const unreachable = {
      ...defaultLedgerOptions,
      BILLING_REPLICA_URL: 'postgres://nobody@127.0.0.1:9/billing',
    };
    const standbys = [unreachable, { ...defaultLedgerOptions, BILLING_REPLICA_URL: ledger.url }];
    for (const options of standbys) {
      const replica = (await ledger.anotherReplica(undefined, options)).get(FullAuditsService);
      await replica.start();
      await replica.idle();
    }
    expect(await service.list()).toMatchObject([
      { state: 'done' },
      { state: 'failed', problem: expect.stringContaining('ECONNREFUSED') as string },
    ]);
  });

  it('of a replica that stops says why it ended', async () => {
    const stopped = (await ledger.anotherReplica()).get(FullAuditsService);
    await whileLotsAreLocked(async () => {
      await stopped.start();
      await stopped.beforeApplicationShutdown();
    });
    expect(await service.list()).toMatchObject([
      { state: 'failed', problem: 'The replica that ran it was stopped.' },
    ]);
  });
});

describe('an audit on a hot standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let owner: DataSource;
  let replica: DataSource;

  beforeAll(async () => {
    primary = await startPostgres();
    owner = await new DataSource(billingMigrationOptions(primary.url())).initialize();
    await owner.runMigrations();
    standby = await startPostgres({ standbyOf: primary });
    replica = await new DataSource(billingReportsOptions({ url: standby.url() })).initialize();
  }, 60_000);
  afterAll(async () => {
    await replica?.destroy();
    await owner?.destroy();
    await standby?.stop();
    await primary?.stop();
  });

  it('reads what was replayed, and cuts no window after it', async () => {
    const factory = new BillingFactory((sql, parameters) => owner.query(sql, parameters));
    const accountId = await factory.account();
    await factory.lot({ accountId, credits: 10 });
    const audit = new LedgerAudit(new AuditRepository(), defaultLedgerOptions);
    const reader = new TransactionRunner(replica);
    const { signal } = new AbortController();
    await eventually(async () => {
      const { reply } = await audit.run({ reader, before: null, signal });
      expect(reply).toEqual({ ok: true, accounts: 1, lots: 1, entries: 1, discrepancies: [] });
    }, 10_000);
    await replica.query('SELECT pg_wal_replay_pause()');
    const [replayed] = await replica.query<{ at: Date }[]>('SELECT pg_last_xact_replay_timestamp() AS at');
    await factory.lot({ accountId, credits: 10 });
    const { until } = await audit.run({ reader, before: null, signal });
    expect(until.getTime()).toBeLessThanOrEqual((replayed?.at.getTime() ?? 0) - 60_000);
  });
});
