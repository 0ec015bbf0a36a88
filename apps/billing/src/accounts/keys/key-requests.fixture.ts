import { randomUUID } from 'node:crypto';
import { type CreatedKey, type CreateKeyRequest } from '@app/contracts';
import { type RedisServer, startRedis } from '@app/local-stack';
import { createLogger, displayPrefix, generateApiKey, hashApiKey } from '@app/platform';
import { TransactionRunner } from '@app/platform/database';
import { ServiceClient } from '@app/transport';
import { AccountsRepository } from '../accounts.repository.js';
import { type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { BalanceRepository } from '../../ledger/lots/balance.repository.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyCreation } from './key-creation.js';

export const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

/** A Redis for the suite, and a client that announces changes of keys through it. */
export interface Announcements {
  readonly redisUrl: string;
  readonly client: ServiceClient;
}

/** Starts both before the suite's tests and stops them afterwards; they can be used once the tests run. */
export function useAnnouncements(): Announcements {
  let redis: RedisServer;
  let client: ServiceClient;
  beforeAll(async () => {
    redis = await startRedis();
    client = new ServiceClient({ redisUrl: redis.url, logger });
    await client.connect();
  });
  afterAll(async () => {
    await client.close();
    await redis.stop();
  });
  return {
    get redisUrl() {
      return redis.url;
    },
    get client() {
      return client;
    },
  };
}

/** The keys of a ledger, with changes announced through `client`. */
export function apiKeysOf(ledger: LedgerFixture, client: ServiceClient): ApiKeysService {
  return new ApiKeysService(
    ledger.transactions,
    ledger.get(TransactionRunner),
    ledger.get(AccountsRepository),
    ledger.get(ApiKeysRepository),
    ledger.get(KeyCreation),
    ledger.get(BalanceRepository),
    client,
    defaultLedgerOptions,
  );
}

/** The gateway's message for one HTTP request, and the secret that it keeps to itself. */
export function keyRequest(
  accountId: string,
  name: string,
  idempotencyKey: string = randomUUID(),
): { readonly request: CreateKeyRequest; readonly secret: string } {
  const secret = generateApiKey();
  const request = {
    account_id: accountId,
    key_id: randomUUID(),
    name,
    idempotency_key: idempotencyKey,
    key_hash: hashApiKey(secret),
    prefix: displayPrefix(secret),
  };
  return { request, secret };
}

/** Creates a key as the gateway does. */
export async function makeKey(keys: ApiKeysService, accountId: string, name: string): Promise<CreatedKey> {
  const { request, secret } = keyRequest(accountId, name);
  const { key } = await keys.create(request);
  return { ...key, key: secret };
}
