import { broadcast, message, neverResent } from '../message.js';
import {
  BooleanField,
  IdField,
  OptionalField,
  Sha256Field,
  Sha256ListField,
  TextField,
} from '../validation/fields.js';
import { AccountPath } from './account-path.js';

/** What the gateway needs to know of a key that may be used. */
export interface AuthenticatedKey {
  readonly key_id: string;
  readonly account_id: string;
  /** The first characters of the key, fit for logs. */
  readonly prefix: string;
}

export class AuthenticateKeysRequest {
  /** SHA-256 of whole keys, hex; the keys themselves never leave the gateway. */
  @Sha256ListField(10_000)
  readonly key_hashes: readonly string[];
}

/** One for each hash; `null` when it is unknown, deleted or switched off: the three look alike to a caller. */
export interface AuthenticateKeysReply {
  readonly keys: readonly (AuthenticatedKey | null)[];
}

/** A key as the admin API shows it; the key itself is shown once, in `CreatedKey`. */
export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly active: boolean;
  readonly created_at: string;
  /** The newest call that was not refused, for want of credits or because the key was switched off; `null`: never used. */
  readonly last_used_at: string | null;
}

export interface CreatedKey extends KeyView {
  readonly key: string;
}

/** Names one key. */
export class KeyPath extends AccountPath {
  @IdField()
  readonly key_id: string;
}

export class CreateKeyRequest extends AccountPath {
  /** UUIDv7 made by the gateway for this HTTP request: the id of the key, unless the Idempotency-Key has made one before. */
  @IdField()
  readonly key_id: string;

  @TextField(100)
  readonly name: string;

  /** The caller's own, or one that the gateway made for this HTTP request. */
  @TextField(200)
  readonly idempotency_key: string;

  /**
   * SHA-256 of the key, hex. The gateway makes the key itself: a message that is sent twice then names one secret, and the
   * secret never travels.
   */
  @Sha256Field()
  readonly key_hash: string;

  /** The first characters of the key, for lists and logs. */
  @TextField(100)
  readonly prefix: string;
}

/** `created` is `false` when the Idempotency-Key had made the key before: it has the new secret now instead of the old one. */
export interface CreateKeyReply {
  readonly created: boolean;
  readonly key: KeyView;
}

export class UpdateKeyRequest extends KeyPath {
  @OptionalField()
  @TextField(100)
  readonly name?: string;

  @OptionalField()
  @BooleanField()
  readonly active?: boolean;
}

export class KeyChanged {
  @IdField()
  readonly key_id: string;

  @Sha256Field()
  readonly key_hash: string;
}

export const authenticateKeys = message<AuthenticateKeysRequest, AuthenticateKeysReply>(
  'billing',
  'authenticate_keys',
  AuthenticateKeysRequest,
);
/**
 * `conflict` for a 6th key, for a known Idempotency-Key with other content, and for one whose key was used or deleted. May be
 * sent twice: an Idempotency-Key makes one key, and the same secret again changes nothing.
 */
export const createKey = message<CreateKeyRequest, CreateKeyReply>('billing', 'create_key', CreateKeyRequest);
export const listKeys = message<AccountPath, { readonly keys: KeyView[] }>(
  'billing',
  'list_keys',
  AccountPath,
);
export const getKey = message<KeyPath, KeyView>('billing', 'get_key', KeyPath);
/** Never resent: a key that has been switched off since would be switched on again. */
export const updateKey = message<UpdateKeyRequest, KeyView>(
  'billing',
  'update_key',
  UpdateKeyRequest,
  neverResent,
);
/**
 * `not_found` when there is no such key, or not any more. Never resent: what was given up must not take a key away later.
 */
export const deleteKey = message<KeyPath, { readonly deleted: true }>(
  'billing',
  'delete_key',
  KeyPath,
  neverResent,
);

/** Sent after a key was switched on or off or deleted: a fast path only, caches live at most a second anyway. */
export const keyChanged = broadcast<KeyChanged>('billing.key_changed', KeyChanged);
