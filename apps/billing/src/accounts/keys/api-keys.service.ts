import {
  type AdminAction,
  type AuthenticatedKey,
  createKey,
  type CreateKeyReply,
  type CreateKeyRequest,
  keyChanged,
  type KeyPath,
  type KeyView,
  type UpdateKeyRequest,
} from '@app/contracts';
import { type ChangeContext, type RemainingMs, TransactionRunner } from '@app/platform/database';
import { ServiceClient } from '@app/transport';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { AccountsRepository } from '../accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { BalanceRepository } from '../../ledger/lots/balance.repository.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../../ledger/rules/ledger-options.js';
import { type MemberOfAccount } from '../../people/records/members.repository.js';
import { type ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { KeyCreation } from './key-creation.js';

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
    private readonly creation: KeyCreation,
    private readonly balances: BalanceRepository,
    private readonly services: ServiceClient,
    @Inject(LEDGER_OPTIONS) private readonly options: Pick<LedgerOptions, 'refusesOwing'>,
  ) {}

  /** Usable keys with the balances of their accounts, and whether these are stopped; `null` for a hash without a usable key. */
  async authenticate(keyHashes: readonly string[]): Promise<(AuthenticatedKey | null)[]> {
    const keys = await this.keys.findUsable(keyHashes);
    const accountIds = new Set(keys.flatMap((key) => (key ? [key.account_id] : [])));
    if (accountIds.size === 0) return keyHashes.map(() => null);
    const balances = await this.balances.balancesAt(this.database, [...accountIds]);
    return keys.map((key) => {
      if (!key) return null;
      const { isOwing, ...usable } = key;
      const isStopped = isOwing && this.options.refusesOwing;
      const credits_remaining = balances.get(key.account_id) ?? 0;
      return { ...usable, credits_remaining, ...(isStopped && { is_stopped: true as const }) };
    });
  }

  /**
   * Creates one key per Idempotency-Key, however often it is requested; the key of an earlier request gets the new
   * secret. Throws `conflict` for a 6th key, for other content, and when the key of the earlier request was used or
   * deleted; `not_found` without the account.
   */
  async create(request: CreateKeyRequest, by: ChangeContext = {}): Promise<CreateKeyReply> {
    const create = async (locked: LockedAccounts) => {
      const begunAt = new Date(locked.now.getTime() - ageOf(by.remainingMs ?? unlimited));
      const made = await this.creation.create(locked, request, begunAt);
      await locked.record({ ...changeOf('key.created', made.key), after: toView(made.key) });
      return made;
    };
    const made = await this.transactions.run([request.account_id], create, by);
    if (made.replacedHash !== undefined) await this.announce(made.key.id, made.replacedHash);
    return { created: made.key.id === request.key_id, key: toView(made.key) };
  }

  /** Oldest first, without deleted ones. Throws `not_found` without the account. */
  async list(accountId: string): Promise<KeyView[]> {
    await this.accounts.get(this.database, accountId);
    return (await this.keys.ofAccount(accountId)).map(toView);
  }

  async show({ account_id, key_id }: KeyPath): Promise<KeyView> {
    return toView(await this.keys.get(this.database, account_id, key_id));
  }

  /** Renames a key or turns it on or off. Once turning it off is committed, none of its calls is charged. */
  async update(
    { account_id, key_id, name, active }: UpdateKeyRequest,
    by: ChangeContext = {},
  ): Promise<KeyView> {
    const change = async (locked: LockedAccounts): Promise<ApiKey> => {
      const before = await this.keys.get(locked, account_id, key_id);
      await this.keys.change(locked, key_id, { name, active });
      const key = await this.keys.get(locked, account_id, key_id);
      await locked.record({
        ...changeOf('key.updated', key),
        before: toView(before),
        after: toView(key),
      });
      return key;
    };
    const key = await this.transactions.run([account_id], change, by);
    if (active !== undefined) await this.announce(key_id, key.hash);
    return toView(key);
  }

  /** Throws `not_found`, also for a key deleted before. */
  async remove({ account_id, key_id }: KeyPath, by: ChangeContext = {}): Promise<void> {
    const remove = async (locked: LockedAccounts): Promise<string> => {
      const key = await this.keys.get(locked, account_id, key_id);
      await locked.record({ ...changeOf('key.deleted', key), before: toView(key) });
      return this.keys.markDeleted(locked, account_id, key_id);
    };
    const hash = await this.transactions.run([account_id], remove, by);
    await this.announce(key_id, hash);
  }

  /** Deletes the keys that a person has created in an account, as part of their removal. */
  async removeCreatedBy(locked: LockedAccounts, member: MemberOfAccount): Promise<void> {
    for (const keyId of await this.keys.idsCreatedBy(locked, member)) {
      const hash = await this.keys.markDeleted(locked, member.accountId, keyId);
      locked.onCommit(() => void this.announce(keyId, hash));
    }
  }

  /** Gateways look each key up again within a second anyway, so a failed announcement is only logged. */
  private async announce(keyId: string, keyHash: string): Promise<void> {
    try {
      await this.services.broadcast(keyChanged, { key_id: keyId, key_hash: keyHash });
    } catch (error) {
      this.logger.warn(new Error('A changed key was not announced.', { cause: error }));
    }
  }
}

function changeOf(action: AdminAction, { id, accountId }: ApiKey) {
  return { action, subject: id, account_id: accountId };
}

/** How long ago the caller sent its request. A caller with a shorter time-out than the message's counts as earlier. */
function ageOf(remainingMs: RemainingMs): number {
  return createKey.deadlineMs - remainingMs();
}

function toView(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    active: key.active,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_by:
      key.creatorEmail === null ? null : { email: key.creatorEmail, is_member: key.isCreatorMember },
  };
}
