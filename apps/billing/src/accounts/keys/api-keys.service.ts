import {
  type AdminAction,
  type AuthenticatedKey,
  createKey,
  type CreateKeyReply,
  type CreateKeyRequest,
  keyChanged,
  type KeyPath,
  type KeyView,
  type RotateKeyRequest,
  testBalance,
  type UpdateKeyRequest,
} from '#contracts';
import { type ChangeContext, type RemainingMs, TransactionRunner } from '#platform/database';
import { ServiceClient } from '#transport';
import { Injectable, Logger } from '@nestjs/common';
import { AccountsRepository } from '../accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { BalanceRepository } from '../../ledger/lots/balance.repository.js';
import { type MemberOfAccount } from '../../people/records/members.repository.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { expiryOf, KeySecrets, type KeyWithSecret } from './key-secrets.js';

/** For a caller that has just sent its request. */
const unlimited: RemainingMs = () => createKey.deadlineMs;

/** API keys. Only the hash of a secret is stored and known here; the secret is shown once, in the gateway's response. */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger(ApiKeysService.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly secrets: KeySecrets,
    private readonly balances: BalanceRepository,
    private readonly services: ServiceClient,
  ) {}

  /** The usable key with this hash, with the balance of its account, or that of test keys; `null` without one. */
  async authenticate(keyHash: string): Promise<AuthenticatedKey | null> {
    const key = await this.keys.findUsable(this.database, keyHash);
    if (!key) return null;
    if (key.mode === 'test') return { ...key, credits_remaining: testBalance };
    return { ...key, credits_remaining: await this.balances.balanceAt(this.database, key.account_id) };
  }

  /**
   * Creates one key per Idempotency-Key, however often it is requested; the key of an earlier request gets the new
   * secret. Throws `conflict` for a 6th key, for other content, and when the key of the earlier request was used or
   * deleted; `not_found` without the account.
   */
  async create(request: CreateKeyRequest, by: ChangeContext = {}): Promise<CreateKeyReply> {
    const create = (locked: LockedAccounts, sentAt: Date) => this.secrets.create(locked, request, sentAt);
    const key = await this.giveSecret('key.created', request.account_id, create, by);
    return { created: key.id === request.key_id, key };
  }

  /**
   * Gives a key a new secret, once per Idempotency-Key; the secret that it replaces works on for a while. Throws as `KeySecrets`
   * says.
   */
  rotate(request: RotateKeyRequest, by: ChangeContext = {}): Promise<KeyView> {
    const rotate = (locked: LockedAccounts, sentAt: Date) => this.secrets.rotate(locked, request, sentAt);
    return this.giveSecret('key.rotated', request.account_id, rotate, by);
  }

  /** Oldest first, without deleted ones. Throws `not_found` without the account. */
  async list(accountId: string): Promise<KeyView[]> {
    await this.accounts.get(this.database, accountId);
    return (await this.keys.ofAccount(accountId)).map(toView);
  }

  async show({ account_id, key_id }: KeyPath): Promise<KeyView> {
    return toView(await this.keys.get(this.database, account_id, key_id));
  }

  /**
   * Renames a key, turns it on or off, or gives it another expiry or monthly limit. Once turning it off is committed, none of its
   * calls is charged.
   * Throws `invalid_request` for an expiry that is not in the future.
   */
  async update(request: UpdateKeyRequest, by: ChangeContext = {}): Promise<KeyView> {
    const { account_id, key_id, name, active, expires_at, monthly_limit } = request;
    const change = async (locked: LockedAccounts): Promise<ApiKey> => {
      const before = await this.keys.get(locked, account_id, key_id);
      const columns = {
        ...(name !== undefined && { name }),
        ...(active !== undefined && { active }),
        ...(expires_at !== undefined && { expiresAt: expiryOf(expires_at, locked.now) }),
      };
      if (Object.keys(columns).length > 0) await locked.manager.update(ApiKey, { id: key_id }, columns);
      if (monthly_limit !== undefined) await this.keys.limit(locked, before, monthly_limit);
      const key = await this.keys.get(locked, account_id, key_id);
      await locked.record({ ...changeOf('key.updated', key), before: toView(before), after: toView(key) });
      return key;
    };
    const key = await this.transactions.run([account_id], change, by);
    if (active !== undefined || expires_at !== undefined) await this.announce(key_id, hashesOf(key));
    return toView(key);
  }

  /** Throws `not_found`, also for a key deleted before. */
  async remove({ account_id, key_id }: KeyPath, by: ChangeContext = {}): Promise<void> {
    const remove = async (locked: LockedAccounts): Promise<ApiKey> => {
      const key = await this.keys.get(locked, account_id, key_id);
      await this.keys.markDeleted(locked, key);
      await locked.record({ ...changeOf('key.deleted', key), before: toView(key) });
      return key;
    };
    const key = await this.transactions.run([account_id], remove, by);
    await this.announce(key_id, hashesOf(key));
  }

  /** Deletes the keys that a person has created in an account, as part of their removal. */
  async removeCreatedBy(locked: LockedAccounts, member: MemberOfAccount): Promise<void> {
    for (const key of await this.keys.createdBy(locked, member)) {
      await this.keys.markDeleted(locked, key);
      locked.onCommit(() => void this.announce(key.id, hashesOf(key)));
    }
  }

  /** Announces every key of an account, after something changed that concerns them all. Never throws. */
  async announceAll(accountId: string): Promise<void> {
    try {
      const keys = await this.keys.ofAccount(accountId);
      await Promise.all(keys.map((key) => this.announce(key.id, hashesOf(key))));
    } catch (error) {
      this.logger.warn(new Error('The keys of an account were not announced.', { cause: error }));
    }
  }

  /** Creates a key or rotates it, records that, and announces the secrets that are no longer accepted. */
  private async giveSecret(
    action: AdminAction,
    accountId: string,
    make: (locked: LockedAccounts, sentAt: Date) => Promise<KeyWithSecret>,
    by: ChangeContext,
  ): Promise<KeyView> {
    const { key, replacedHashes } = await this.transactions.run(
      [accountId],
      async (locked) => {
        const made = await make(locked, sentAt(locked, by));
        await locked.record({ ...changeOf(action, made.key), after: toView(made.key) });
        return made;
      },
      by,
    );
    await this.announce(key.id, replacedHashes);
    return toView(key);
  }

  /** Gateways look each key up again within a second anyway, so a failed announcement is only logged. */
  private async announce(keyId: string, hashes: readonly string[] = []): Promise<void> {
    try {
      const announced = hashes.map((key_hash) =>
        this.services.broadcast(keyChanged, { key_id: keyId, key_hash }),
      );
      await Promise.all(announced);
    } catch (error) {
      this.logger.warn(new Error('A changed key was not announced.', { cause: error }));
    }
  }
}

function changeOf(action: AdminAction, { id, accountId }: ApiKey) {
  return { action, subject: id, account_id: accountId };
}

/** When the caller sent its request. One with a shorter time-out than the message's counts as earlier. */
function sentAt({ now }: LockedAccounts, { remainingMs = unlimited }: ChangeContext): Date {
  return new Date(now.getTime() - createKey.deadlineMs + remainingMs());
}

/** Gateways know a key by the hashes of its secrets. */
function hashesOf({ hash, previousHash }: ApiKey): string[] {
  return previousHash === null ? [hash] : [hash, previousHash];
}

function toView(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    mode: key.mode,
    active: key.active,
    expires_at: key.expiresAt?.toISOString() ?? null,
    monthly_limit: key.monthlyLimit,
    ...(key.spentThisMonth !== null && { spent_this_month: key.spentThisMonth }),
    ...previousSecret(key),
    rotated_at: key.rotatedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_by:
      key.creatorEmail === null ? null : { email: key.creatorEmail, is_member: key.isCreatorMember },
  };
}

function previousSecret({
  isPreviousValid,
  previousPrefix,
  previousValidUntil,
}: ApiKey): Pick<KeyView, 'previous_prefix' | 'previous_valid_until'> {
  if (!isPreviousValid || previousPrefix === null || previousValidUntil === null) return {};
  return { previous_prefix: previousPrefix, previous_valid_until: previousValidUntil.toISOString() };
}
