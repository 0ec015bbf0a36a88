import { randomUUID } from 'node:crypto';
import { type CreatedKey, type CreateKeyRequest } from '@app/contracts';
import { displayPrefix, generateApiKey, hashApiKey } from '@app/platform';
import { type ApiKeysService } from './api-keys.service.js';

/** What the gateway asks for one HTTP request, and the secret that it keeps to itself. */
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

/** Makes a key as the gateway does. */
export async function makeKey(keys: ApiKeysService, accountId: string, name: string): Promise<CreatedKey> {
  const { request, secret } = keyRequest(accountId, name);
  const { key } = await keys.create(request);
  return { ...key, key: secret };
}
