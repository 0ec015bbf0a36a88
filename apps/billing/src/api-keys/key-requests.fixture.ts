import { randomUUID } from 'node:crypto';
import { type CreatedKey, type CreateKeyRequest } from '@app/contracts';
import { displayPrefix, generateApiKey, hashApiKey, TransactionRunner } from '@app/platform';
import { type ServiceClient } from '@app/transport';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { type LedgerFixture } from '../ledger/ledger.fixture.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyCreation } from './key-creation.js';

/** The keys of a ledger, with changes announced through `client`. */
export function apiKeysOf(ledger: LedgerFixture, client: ServiceClient): ApiKeysService {
  return new ApiKeysService(
    ledger.transactions,
    ledger.get(TransactionRunner),
    ledger.get(AccountsRepository),
    ledger.get(ApiKeysRepository),
    ledger.get(KeyCreation),
    client,
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
