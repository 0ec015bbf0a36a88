import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeployedDatabases, type DeployedDatabases, eventually, runSql } from '#testing';
import { createFundedAccount, purchase } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import { codeBlocksOf } from '../support/code-blocks.js';
import { api } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { ArchivedCluster } from './support/archived-cluster.js';
import { type Buyer, OwnShop } from './support/own-shop.js';

jest.setTimeout(900_000);

const patienceMs = 60_000;
const [setUp = '', restore = ''] = codeBlocksOf('docs/operations/backup.md', 'On a PostgreSQL of your own')
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code);
const documentedInstant = /^instant=.*$/m.exec(restore)?.[0] ?? '';

let directory: string;
let cluster: ArchivedCluster;
let databases: DeployedDatabases;
let shop: OwnShop | undefined;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'point-in-time-'));
  cluster = await ArchivedCluster.create();
  databases = await createDeployedDatabases(cluster, cluster.secrets);
  await cluster.shell(setUp);
  shop = await startServices();
}, 180_000);

afterAll(async () => {
  await Promise.all([shop?.stack.stop(), shop?.standIn.stop()]);
  await cluster?.remove();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts the services, or starts them again, after their migrations: with the same Stripe and the same directories. */
async function startServices(): Promise<OwnShop> {
  return OwnShop.start(
    {
      dataDirectory: join(directory, 'stack'),
      catalogDatabaseUrl: databases.runtime.catalog,
      billingDatabaseUrl: databases.runtime.billing,
      migrationEnvironment: (name) => ({
        [`${name.toUpperCase()}_DATABASE_URL`]: databases.owner[name],
        RUNTIME_ROLE: name,
      }),
      environment: { RECONCILIATION_PERIOD_MS: '1000', PENDING_TIMEOUT_MS: '2000', SWEEP_PERIOD_MS: '200' },
    },
    shop?.standIn,
  );
}

async function pay(buyer: Buyer): Promise<void> {
  shop?.standIn.payments.pay(buyer.session.id, 'card');
  await eventually(async () => expect(await buyer.balance()).toBe(500), patienceMs);
}

it('a destroyed cluster is restored to an instant by the documented commands, and purchases after it come back once', async () => {
  if (!shop) throw new Error('the services have not started');
  const [catalog, undone] = [new SuiteCatalog(), new SuiteCatalog()];
  const kept = catalog.record('kept');
  await catalog.importVisible([kept]);
  const account = await createFundedAccount({ credits: 100, keys: 2 });
  const profile = async (key = account.key) => succeeded(await api.profile(kept.slug, key));
  const buyers = [await shop.newBuyer(), await shop.newBuyer(), await shop.newBuyer()] as const;
  const [granted, opened, later] = buyers;
  const before = { pack: 'trial', reference: 'before the instant' } as const;
  const after = { pack: 'builder', reference: 'after the instant' } as const;

  await purchase(account.id, before);
  for (let call = 0; call < 5; call++) await profile();
  await granted.press();
  await pay(granted);
  await opened.press();
  const entries = await settledLedgers([account.id], patienceMs);
  const balance = await admin.balance(account.id);
  const instant = await cluster.instant();

  for (let call = 0; call < 5; call++) await profile();
  await purchase(account.id, after);
  await undone.importVisible([undone.record('undone')]);
  succeeded(await admin.call('DELETE', `/accounts/${account.id}/keys/${account.keyId}`));
  await pay(opened);
  await later.press();
  await pay(later);
  // As the timer does each hour; what is written after the last archived file is lost with the disk.
  await cluster.shell('sudo -u postgres /opt/creator-search/deploy/backup/check.sh');
  await cluster.destroy();
  await shop.stack.stop();
  await cluster.shell(restore, { [documentedInstant]: `instant='${instant}'` });
  shop = await startServices();

  expect(await admin.audit()).toMatchObject({ ok: true, discrepancies: [] });
  expect(await settledLedgers([account.id], patienceMs)).toEqual(entries);
  expect(await admin.balance(account.id)).toBe(balance);
  const found = async ({ country }: SuiteCatalog) => (await api.search({ country }, account.key)).body.total;
  expect([await found(undone), await found(catalog)]).toEqual([0, 1]);

  for (let time = 0; time < 2; time++) for (const order of [before, after]) await purchase(account.id, order);
  expect(await admin.balance(account.id)).toBe(balance - 2 + 500);
  // The key that was deleted works again.
  expect((await profile()).credits_remaining).toBe(balance - 3 + 500);
  await eventually(async () => {
    expect(await Promise.all(buyers.map((buyer) => buyer.balance()))).toEqual([500, 500, 500]);
  }, patienceMs);
  expect(await admin.audit()).toMatchObject({ ok: true, discrepancies: [] });
});

const checkRestore = () =>
  cluster.shell(
    'sudo -u postgres /opt/creator-search/deploy/backup/check-restore.sh "$(dirname "$PGBACKREST_LOCK_PATH")/run"',
  );

it('the weekly test restores everything that was committed, and leaves nothing behind', async () => {
  const accounts = await runSql(cluster.url('billing'), 'SELECT FROM accounts');
  expect(await checkRestore()).toContain(`, ${accounts.length} accounts, `);
  expect(await cluster.shell('ls run')).not.toContain('restored');
});

it('the age of the newest backup is measured, and that it is on this machine', async () => {
  const metrics = await cluster.shell('sudo -u postgres /opt/creator-search/deploy/backup/measure.sh');
  const valueOf = (name: string) =>
    Number(new RegExp(`^creator_search_${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
  expect(Date.now() / 1_000 - valueOf('backup_newest_timestamp_seconds')).toBeLessThan(3_600);
  expect([valueOf('backup_restored_timestamp_seconds'), valueOf('backup_is_local')]).toEqual([0, 1]);
});

describe('check.sh fails', () => {
  const check = (variables: string, words = '') =>
    cluster.shell(`sudo -u postgres env ${variables} /opt/creator-search/deploy/backup/check.sh ${words}`);

  it('when the newest backup is too old', async () => {
    await expect(check('BACKUP_AGE_HOURS_MAX=0')).rejects.toThrow('the newest backup is 0 hours old');
  });

  it('when WAL does not arrive', async () => {
    const set = (command: string) =>
      runSql(cluster.url(), `ALTER SYSTEM SET archive_command = '${command}'`, 'SELECT pg_reload_conf()');
    await set('test pgbackrest = broken');
    await expect(check('PGBACKREST_ARCHIVE_TIMEOUT=1')).rejects.toThrow(/was not archived before/);
    await runSql(cluster.url(), 'ALTER SYSTEM RESET archive_command', 'SELECT pg_reload_conf()');
    await check('PGBACKREST_ARCHIVE_TIMEOUT=60');
  });

  it('with --verify when files of the repository are damaged', async () => {
    await check('', '--verify');
    // All, because a restore reads only those that its backup needs.
    await cluster.shell(
      'for file in $(find /var/lib/pgbackrest/backup -path "*/bundle/*" -type f); do\nprintf damage >> "$file"\n' +
        'printf damage | dd of="$file" bs=1 seek=100 conv=notrunc status=none\ndone',
    );
    await check('');
    await expect(check('', '--verify')).rejects.toThrow('the repository is damaged');
    await expect(checkRestore()).rejects.toThrow(/ERROR: \[\d+\]/);
  });
});
