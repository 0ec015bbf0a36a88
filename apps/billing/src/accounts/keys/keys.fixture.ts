import { randomUUID } from 'node:crypto';
import {
  type CreatedKey,
  type CreateKeyRequest,
  type KeyChanged,
  keyChanged,
  type KeyMode,
} from '#contracts';
import { type RedisServer, startRedis } from '#dev';
import { createLogger, displayPrefix, generateApiKey, hashApiKey } from '#platform';
import { connectRedis, createRedis, ServiceClient } from '#transport';
import { type Type } from '@nestjs/common';
import { type ComposedBilling } from '../../composed-billing.fixture.js';
import { useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { ApiKeysService } from './api-keys.service.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

/** A ledger whose keys are announced through a Redis of the suite; empty when a test begins. */
export function useKeys() {
  const ledger = useAuditedLedger();
  let redis: RedisServer;
  let client: ServiceClient;
  let billing: ComposedBilling;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    client = new ServiceClient({ redisUrl: redis.url, logger });
    await client.connect();
    billing = await ledger.anotherReplica({ client });
  });
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));
  afterAll(async () => {
    await client.close();
    await redis.stop();
  });
  return {
    ledger,
    get keys() {
      return billing.get(ApiKeysService);
    },
    get: <Provider>(type: Type<Provider>) => billing.get(type),
    /** The changes that gateways are notified of from now on. */
    async announced() {
      const listener = createRedis(redis.url, logger);
      closing.push(() => listener.disconnect());
      await connectRedis(listener, logger);
      const changes: KeyChanged[] = [];
      listener.on('smessage', (_channel, text: string) => changes.push(JSON.parse(text) as KeyChanged));
      await listener.ssubscribe(`rpc:broadcast:${keyChanged.event}`);
      return changes;
    },
  };
}

/** The gateway's message for one HTTP request, and the secret that it keeps to itself. */
export function keyRequest(
  accountId: string,
  name: string,
  idempotencyKey: string = randomUUID(),
  mode: KeyMode = 'live',
): { readonly request: CreateKeyRequest; readonly secret: string } {
  const secret = generateApiKey(mode);
  const request = {
    account_id: accountId,
    key_id: randomUUID(),
    name,
    mode,
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
