import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const secrets = mkdtempSync(join(tmpdir(), 'backup-secrets-'));
const s3 = {
  BACKUP_S3_BUCKET: 'backups',
  BACKUP_S3_ENDPOINT: 's3.example',
  BACKUP_S3_REGION: 'eu-central-1',
  BACKUP_S3_KEY: 'key',
};
const sftp = { BACKUP_SFTP_HOST: 'backups.example', BACKUP_SFTP_USER: 'creator-search' };

beforeAll(() => {
  writeFileSync(join(secrets, 'backup_s3_key_secret'), 'the secret key\n');
  for (const name of ['key', 'known_hosts']) writeFileSync(join(secrets, `backup_sftp_${name}`), 'text');
});
afterAll(() => rmSync(secrets, { recursive: true }));

/** The options of the repository with which pgBackRest would run. */
function optionsWith(settings: Readonly<Record<string, string>>): Record<string, string> {
  const env = { PATH: process.env.PATH, PGBACKREST: '/usr/bin/env', BACKUP_SECRETS: secrets, ...settings };
  const printed = execFileSync('deploy/backup/pgbackrest', { env, encoding: 'utf8' });
  return Object.fromEntries(
    [...printed.matchAll(/^PGBACKREST_REPO1_(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

it('without settings backups stay in the volume', () => {
  expect(optionsWith({})).toEqual({});
});

it('a bucket is named by settings, its secret key by a file', () => {
  expect(optionsWith(s3)).toMatchObject({
    TYPE: 's3',
    S3_BUCKET: 'backups',
    S3_ENDPOINT: 's3.example',
    S3_REGION: 'eu-central-1',
    S3_KEY: 'key',
    S3_KEY_SECRET: 'the secret key',
    PATH: '/creator-search',
  });
});

it('an SFTP server is named by settings, and has to be the known one', () => {
  expect(optionsWith({ ...sftp, BACKUP_SFTP_PORT: '2222', BACKUP_PATH: '/home/backups' })).toMatchObject({
    TYPE: 'sftp',
    SFTP_HOST: 'backups.example',
    SFTP_HOST_PORT: '2222',
    SFTP_HOST_USER: 'creator-search',
    SFTP_HOST_KEY_CHECK_TYPE: 'strict',
    SFTP_KNOWN_HOST: join(secrets, 'backup_sftp_known_hosts'),
    PATH: '/home/backups',
  });
});

it.each([
  [{ ...s3, BACKUP_S3_REGION: '' }, 'BACKUP_S3_REGION is not set'],
  [{ ...s3, BACKUP_SECRETS: '/nowhere' }, 'the secret backup_s3_key_secret is empty'],
  [{ ...sftp, BACKUP_SECRETS: '/nowhere' }, 'the secret backup_sftp_key is empty'],
])('with %j pgBackRest says what is missing', (settings, problem) => {
  expect(() => optionsWith(settings)).toThrow(problem);
});
