import { readFileSync } from 'node:fs';
import {
  createServiceDatabases,
  freePort,
  type PostgresServer,
  type RedisServer,
  type Stack,
  startPostgres,
  startRedis,
} from '#dev';
import { Redis } from 'ioredis';
import { Client, escapeLiteral } from 'pg';
import { createFundedAccount } from '../support/accounts.js';
import { api } from '../support/public-api.js';
import { type Certificate, makeCertificate } from '#testing';
import { startOperatedStack } from './support/operated-stack.js';

let tls: Certificate;
let postgres: PostgresServer;
let redis: RedisServer;
let stack: Stack;
let tlsPort: number;

beforeAll(async () => {
  tls = await makeCertificate();
  const { certificateFile: certificate, keyFile: key } = tls;
  postgres = await startPostgres();
  await encrypt(postgres, certificate, key);
  tlsPort = await freePort();
  redis = await startRedis({
    settings: {
      'tls-port': String(tlsPort),
      'tls-cert-file': certificate,
      'tls-key-file': key,
      'tls-auth-clients': 'no',
    },
  });
  const urls = await createServiceDatabases(postgres);
  const verified = `?sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`;
  const encrypted = (url: string): string => url.replace('127.0.0.1', 'localhost') + verified;
  stack = await startOperatedStack({
    redisUrl: `rediss://localhost:${tlsPort}`,
    catalogDatabaseUrl: encrypted(urls.catalog),
    billingDatabaseUrl: encrypted(urls.billing),
    environment: { NODE_EXTRA_CA_CERTS: certificate },
  });
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  await postgres?.stop();
  await redis?.stop();
  tls?.remove();
});

it('calls are answered, and every connection of the services is encrypted', async () => {
  const account = await createFundedAccount({ credits: 5 });
  expect((await api.search({ country: 'nowhere' }, account.key)).status).toBe(200);

  const client = new Client({ connectionString: postgres.url() });
  await client.connect();
  const { rows } = await client.query<{ usename: string; ssl: boolean }>(
    `SELECT DISTINCT usename, ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
     WHERE usename IN ('catalog', 'billing') ORDER BY usename`,
  );
  await client.end();
  expect(rows).toEqual([
    { usename: 'billing', ssl: true },
    { usename: 'catalog', ssl: true },
  ]);

  const asked = new Redis(redis.port);
  const connections = String(await asked.client('LIST'))
    .trim()
    .split('\n');
  asked.disconnect();
  const encrypted = connections.filter((line) => line.includes(`laddr=127.0.0.1:${tlsPort} `));
  expect(encrypted.length).toBeGreaterThan(5);
  expect(connections.length - encrypted.length).toBe(1);
});

/** Gives a server its certificate. The files belong to the server's own user, so it writes them itself. */
async function encrypt(server: PostgresServer, certificate: string, key: string): Promise<void> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  for (const [file, path] of [
    ['server.crt', certificate],
    ['server.key', key],
  ] as const) {
    const lines = escapeLiteral(readFileSync(path, 'utf8').trim());
    const directory = await client.query<{ path: string }>(
      "SELECT current_setting('data_directory') AS path",
    );
    await client.query(
      `COPY (SELECT string_to_table(${lines}, E'\\n')) TO PROGRAM 'umask 077 && cat > ${directory.rows[0]?.path}/${file}'`,
    );
  }
  await client.query('ALTER SYSTEM SET ssl = on');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}
