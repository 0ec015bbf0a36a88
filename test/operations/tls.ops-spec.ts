import { chownSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  createServiceDatabases,
  freePort,
  type PostgresServer,
  postgresUser,
  type RedisServer,
  type Stack,
  startPostgres,
  startRedis,
} from '#dev';
import { Redis } from 'ioredis';
import { createFundedAccount } from '../support/accounts.js';
import { api } from '../support/public-api.js';
import { type Certificate, makeCertificate, runSql } from '#testing';
import { startOperatedStack } from './support/operated-stack.js';

let tls: Certificate;
let postgres: PostgresServer;
let redis: RedisServer;
let stack: Stack;
let tlsPort: number;

beforeAll(async () => {
  tls = await makeCertificate();
  const { certificateFile: certificate, keyFile: key } = tls;
  // A server reads only a key of its own user.
  const { uid, gid } = await postgresUser();
  for (const path of [dirname(key), certificate, key]) if (uid && gid) chownSync(path, uid, gid);
  const settings = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key };
  postgres = await startPostgres({ settings });
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

  const rows = await runSql(
    postgres.url(),
    `SELECT DISTINCT usename, ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
     WHERE usename IN ('catalog', 'billing') ORDER BY usename`,
  );
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
