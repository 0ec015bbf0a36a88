import { broadcast, message } from '../message.js';

/** What the gateway needs to know of a key that may be used. */
export interface AuthenticatedKey {
  readonly key_id: string;
  readonly account_id: string;
  /** The first characters of the key, fit for logs. */
  readonly prefix: string;
}

export interface AuthenticateKeysRequest {
  /** SHA-256 of whole keys, hex; the keys themselves never leave the gateway. */
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
  /** Exact to a minute or better; `null`: never used. */
  readonly last_used_at: string | null;
}

export interface CreatedKey extends KeyView {
  readonly key: string;
}

export interface KeyPath {
  readonly account_id: string;
  readonly key_id: string;
}

export interface UpdateKeyRequest extends KeyPath {
  readonly name?: string;
  readonly active?: boolean;
}

export interface KeyChanged {
  readonly key_id: string;
  readonly key_hash: string;
}

export const authenticateKeys = message<AuthenticateKeysRequest, AuthenticateKeysReply>(
  'billing',
  'authenticate_keys',
);
/** `conflict` for a 6th key. */
export const createKey = message<{ readonly account_id: string; readonly name: string }, CreatedKey>(
  'billing',
  'create_key',
  { resendAfterMs: null },
);
export const listKeys = message<{ readonly account_id: string }, { readonly keys: KeyView[] }>(
  'billing',
  'list_keys',
);
export const getKey = message<KeyPath, KeyView>('billing', 'get_key');
export const updateKey = message<UpdateKeyRequest, KeyView>('billing', 'update_key');
/** Deleting a key that is deleted already succeeds: the reply says so with `deleted: true` both times. */
export const deleteKey = message<KeyPath, { readonly deleted: true }>('billing', 'delete_key');

/** Sent after a key was switched on or off or deleted: a fast path only, caches live at most a second anyway. */
export const keyChanged = broadcast<KeyChanged>('billing.key_changed');
