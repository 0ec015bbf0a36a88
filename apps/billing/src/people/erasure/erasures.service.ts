import {
  type ErasedKind,
  erasedKinds,
  type ErasePersonRequest,
  type ErasureReply,
  type ErasureView,
  type ListErasuresRequest,
  type Page,
  type RepeatErasureRequest,
  ServiceError,
} from '#contracts';
import { sha256 } from '#platform';
import { AdminLogRepository, type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { lockAddress, requireEmail } from '../records/email-addresses.js';
import { PeopleRepository } from '../records/people.repository.js';
import { remainsOf } from './erasure-rest.js';
import { ErasuresRepository } from './erasures.repository.js';
import { type OwnedAccount, PersonDataRepository } from './person-data.repository.js';

/** Accounts of the person may be added while the others are locked. */
const triesMax = 5;
const namedMax = 20;

interface WantedErasure {
  readonly emailFolded: string;
  readonly closeAccounts: boolean;
}

/** Erases people. What the ledger needs stays, under a pseudonym; the same address may sign up again as a stranger. */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly people: PeopleRepository,
    private readonly data: PersonDataRepository,
    private readonly erasures: ErasuresRepository,
    private readonly log: AdminLogRepository,
    private readonly keys: ApiKeysService,
  ) {}

  /** Throws as `erasePerson` says. */
  async erase({ email, close_accounts }: ErasePersonRequest, by: ChangeContext = {}): Promise<ErasureReply> {
    const wanted = { emailFolded: requireEmail(email), closeAccounts: close_accounts === true };
    const reply = await this.eraseAddress(wanted, by);
    if (!reply) throw new ServiceError('not_found', 'Nothing is held about this email address.');
    return reply;
  }

  /** The same by the hash of an address. Counts 0 when nobody is held who came before the erasure. */
  async repeat(request: RepeatErasureRequest, by: ChangeContext = {}): Promise<ErasureReply> {
    const { email_hash, erased_at, close_accounts: closeAccounts } = request;
    const emailFolded = await this.erasures.findAddress(this.database, email_hash, new Date(erased_at));
    const reply = emailFolded === null ? null : await this.eraseAddress({ emailFolded, closeAccounts }, by);
    return reply ?? { erased: countsOf({}), remains: [] };
  }

  async list({ limit, cursor }: ListErasuresRequest): Promise<Page<ErasureView>> {
    const found = await this.erasures.page(this.database, limit + 1, cursor);
    const items = found.slice(0, limit).map(({ emailHash, erasedAt, closeAccounts }) => ({
      email_hash: emailHash,
      erased_at: erasedAt.toISOString(),
      close_accounts: closeAccounts,
    }));
    return { items, next_cursor: found.length > limit ? (items.at(-1)?.email_hash ?? null) : null };
  }

  /** `null`: nothing is held. */
  private async eraseAddress(wanted: WantedErasure, by: ChangeContext): Promise<ErasureReply | null> {
    for (let tries = 0; tries < triesMax; tries++) {
      const accountIds = await this.data.accounts(this.database, wanted.emailFolded);
      const erase = (locked: LockedAccounts) => this.eraseLocked(locked, wanted);
      const done = await this.transactions.run(accountIds, erase, by);
      if (done !== 'accounts_changed') return done;
    }
    throw new ServiceError('unavailable', 'The accounts of this person keep changing; try again shortly.');
  }

  private async eraseLocked(
    locked: LockedAccounts,
    { emailFolded, closeAccounts }: WantedErasure,
  ): Promise<ErasureReply | 'accounts_changed' | null> {
    await lockAddress(locked, emailFolded);
    const accountIds = await this.data.accounts(locked, emailFolded);
    if (accountIds.some((id) => !locked.accountIds.has(id))) return 'accounts_changed';
    const person = await this.people.find(locked, emailFolded);
    const personId = person?.id ?? null;
    const alone = personId === null ? [] : await this.data.ownedAlone(locked, personId);
    if (alone.length > 0 && !closeAccounts) throw lastOwner(alone);

    const counts = await this.data.erase(locked, { emailFolded, personId });
    const closedIds = alone.map(({ id }) => id);
    const keys = alone.length > 0 ? await this.close(locked, closedIds) : 0;
    const ofClosed = await this.log.eraseAccounts(locked, closedIds);
    const erased = countsOf({
      ...counts,
      closed_accounts: alone.length,
      switched_off_keys: keys,
      log_entries: ofClosed + (await this.log.erase(locked, [emailFolded])),
    });
    if (Object.values(erased).every((count) => count === 0)) return null;
    const emailHash = sha256(emailFolded);
    await this.erasures.add(locked, { emailHash, erasedAt: locked.now, closeAccounts });
    await locked.record({ action: 'person.erased', subject: personId ?? emailHash, after: erased });
    return { erased, remains: await remainsOf(this.data, locked, personId) };
  }

  /** Returns how many keys were switched off. */
  private async close(locked: LockedAccounts, accountIds: readonly string[]): Promise<number> {
    const switchedOff = await this.data.close(locked, accountIds);
    locked.onCommit(() => {
      for (const id of accountIds) void this.keys.announceAll(id);
    });
    return switchedOff;
  }
}

function countsOf(counts: Partial<Record<ErasedKind, number>>): Record<ErasedKind, number> {
  const none = Object.fromEntries(erasedKinds.map((kind) => [kind, 0])) as Record<ErasedKind, number>;
  return { ...none, ...counts };
}

function lastOwner(accounts: readonly OwnedAccount[]): ServiceError {
  const named = accounts.slice(0, namedMax).map(({ id, name }) => `${name} (${id})`);
  const others = accounts.length > namedMax ? ` and ${accounts.length - namedMax} more` : '';
  return new ServiceError(
    'conflict',
    `This person is the last owner of ${named.join(', ')}${others}. Make another member an owner first, or close these ` +
      'accounts too: "close_accounts": true, --close-accounts.',
  );
}
