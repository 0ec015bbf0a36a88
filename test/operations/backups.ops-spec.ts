import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DatabaseUrls, databaseNames, migrateDatabase, runOrThrow } from '#dev';
import { type DeployedLayout, runSql, startDeployed } from '#testing';

// Each backup and restore is some programs.
jest.setTimeout(60_000);

const backupFiles = ['billing.dump', 'catalog.dump'];
const address = 'ops@customer.example';
type Environment = Readonly<Record<string, string | undefined>>;

let directory: string;
let layout: DeployedLayout;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'backups-'));
  layout = await startDeployed();
  for (const name of databaseNames) {
    await migrateDatabase(name, { ...process.env, ...layout.options.migrationEnvironment?.(name) });
  }
  await runSql(
    layout.databases.owner.billing,
    `INSERT INTO accounts (id, name, email, created_at) VALUES (gen_random_uuid(), 'Acme', '${address}', now())`,
  );
}, 120_000);

afterAll(async () => {
  await layout?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a script of deploy/backup with the databases of the owners, or with others. */
async function runScript(name: string, target: string, environment: Environment = {}): Promise<string> {
  return runOrThrow(resolve('deploy/backup', name), [join(directory, target)], {
    env: { ...layout.environment, ...variablesOf(layout.databases.owner), ...environment },
  });
}

const variablesOf = ({ catalog, billing }: DatabaseUrls) => ({
  CATALOG_DATABASE_URL: catalog,
  BILLING_DATABASE_URL: billing,
});

/** Two new databases. */
async function emptyDatabases(suffix: string): Promise<DatabaseUrls> {
  const create = async (name: keyof DatabaseUrls): Promise<string> => {
    await runSql(layout.postgres.url(), `CREATE DATABASE ${name}_${suffix} OWNER ${name}_owner`);
    const url = new URL(layout.databases.owner[name]);
    url.pathname = `${name}_${suffix}`;
    return url.href;
  };
  return { catalog: await create('catalog'), billing: await create('billing') };
}

const accounts = (urls: DatabaseUrls) => runSql(urls.billing, 'SELECT email FROM accounts');
const tables = (urls: DatabaseUrls) =>
  runSql(urls.billing, `SELECT FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`);

describe('an encrypted backup', () => {
  let home: string;
  let key: string;
  const gpg = (...words: string[]) => runOrThrow('gpg', ['--batch', '--homedir', home, ...words]);

  beforeAll(async () => {
    home = mkdtempSync(join(directory, 'keyring-'));
    await gpg('--passphrase', '', '--quick-generate-key', 'backups@creators.example', 'future-default');
    key = await gpg('--armor', '--export', 'backups@creators.example');
    await runScript('backup.sh', 'encrypted', { BACKUP_PUBLIC_KEY: key });
  });
  afterAll(async () => {
    await runOrThrow('gpgconf', ['--homedir', home, '--kill', 'all']);
  });

  it('has nothing in plain text, and is restored by the holder of the private key', async () => {
    const files = readdirSync(join(directory, 'encrypted'));
    expect(files.sort()).toEqual(backupFiles.map((file) => `${file}.gpg`));
    const urls = await emptyDatabases('decrypted');
    await runScript('restore.sh', 'encrypted', { ...variablesOf(urls), GNUPGHOME: home });
    expect(await accounts(urls)).toEqual([{ email: address }]);
  });

  it('can be read by nobody else, and says so before anything is changed', async () => {
    const urls = await emptyDatabases('without_key');
    const stranger = { ...variablesOf(urls), GNUPGHOME: mkdtempSync(join(directory, 'keyring-')) };
    await expect(runScript('restore.sh', 'encrypted', stranger)).rejects.toThrow(/No secret key/);
    expect(await tables(urls)).toEqual([]);
  });

  it('is not made at all with what is no public key', async () => {
    const left = readdirSync(directory);
    await expect(runScript('backup.sh', 'any', { BACKUP_PUBLIC_KEY: 'no key' })).rejects.toThrow(
      'BACKUP_PUBLIC_KEY is no public key that gpg can encrypt for',
    );
    expect(readdirSync(directory)).toEqual(left);
  });
});

it('a restore never overwrites existing data, nor a backup another one', async () => {
  mkdirSync(join(directory, 'other'));
  for (const file of backupFiles) writeFileSync(join(directory, 'other', file), 'dump');
  await expect(runScript('restore.sh', 'other')).rejects.toThrow('the database catalog is not empty');
  await expect(runScript('backup.sh', 'other')).rejects.toThrow('exists: name another directory');
  for (const file of backupFiles) expect(readFileSync(join(directory, 'other', file), 'utf8')).toBe('dump');
});
