import {
  type AccountToRemove,
  isId,
  type Page,
  type PageRequest,
  type Removal,
  removalCreatorsMax,
  type RemoveCreatorRequest,
  ServiceError,
} from '#contracts';
import {
  AdminLogRepository,
  type ChangeContext,
  type Transaction,
  TransactionRunner,
} from '#platform/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { forgetCounts } from '../creators/account-counts.js';
import { CatalogStateRepository, type Writing } from '../creators/catalog-state.repository.js';
import { CreatorsRepository, noSuchCreator } from '../creators/creators.repository.js';
import { aliasesOf } from '../creators/creator-aliases.js';
import { readLookup } from '../lookup/lookup-keys.js';
import { accountKey, BlockList, type NamedKey, removalReason, slugKey } from '../creators/block-list.js';
import { deletedOf, type MatchingCreator, RemovalsRepository } from './removals.repository.js';

/** Other writers wait only for the deletion itself. */
const limits = { statementTimeoutMs: 25_000, lockTimeoutMs: 10_000, answerTimeoutMs: 30_000 };

/** Creators with a slug or an account that was named, and every key that any of them has. */
interface Person {
  readonly creators: readonly MatchingCreator[];
  /** Slugs of the creators, also those of others that were joined into them. */
  readonly slugs: readonly string[];
  readonly keys: readonly NamedKey[];
}

/** Removes creators at their request, so that no import brings them back. */
@Injectable()
export class RemovalsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly removals: RemovalsRepository,
    private readonly blockList: BlockList,
    private readonly creators: CreatorsRepository,
    private readonly state: CatalogStateRepository,
    private readonly log: AdminLogRepository,
  ) {}

  /**
   * Deletes everything held of a person, and keeps out the slug and each account named or deleted. No stored creator has any
   * of these afterwards. Throws `not_found`, `conflict` and `invalid_request`.
   */
  async remove(request: RemoveCreatorRequest, by: ChangeContext = {}): Promise<Removal> {
    const named = namedKeys(request);
    const remove = async (transaction: Transaction): Promise<Removal> => {
      const writing = await this.state.startWriting(transaction);
      const creators = await this.removals.findMatching(writing, named);
      if (creators.length > removalCreatorsMax) throw tooMany();
      if (creators.length === 0) await this.refuseUnlessNew(writing, request, named);
      const own = creators.map(({ slug }) => slug);
      const slugs = [...own, ...(await aliasesOf(writing, own)).keys()];
      const keys = distinct([...named, ...slugs.map(slugKey), ...creators.flatMap(keysOf)]);
      return this.store(writing, request, { creators, slugs, keys });
    };
    return this.transactions.run(remove, { ...limits, ...by });
  }

  /** Throws `not_found`. */
  async show(id: string): Promise<Removal> {
    return existing(await this.removals.find(this.transactions, id));
  }

  /** Newest first; throws `invalid_request` for a cursor of another list. */
  async list({ limit, cursor }: PageRequest): Promise<Page<Removal>> {
    if (cursor !== undefined && !isId(cursor)) throw invalidCursor();
    const items = await this.removals.list(this.transactions, limit, cursor ?? null);
    return { items, next_cursor: items.length < limit ? null : (items.at(-1)?.id ?? null) };
  }

  /** Ends a removal made by mistake; brings no data back. Throws `not_found`. */
  readmit(id: string, by: ChangeContext = {}): Promise<Removal> {
    const readmit = async (transaction: Transaction): Promise<Removal> => {
      const writing = await this.state.startWriting(transaction);
      const removal = existing(await this.removals.find(writing, id));
      await this.removals.delete(writing, id);
      await writing.record({ action: 'creator.readmitted', subject: id, before: removal });
      return removal;
    };
    return this.transactions.run(readmit, by);
  }

  private async store(writing: Writing, request: RemoveCreatorRequest, person: Person): Promise<Removal> {
    const { reference, note = null } = request;
    const removal = { id: uuidv7(), reference, note, deleted: deletedOf(person.creators) };
    const { slugs } = person;
    await this.removals.add(writing, removal, person.keys);
    await this.creators.remove(writing, slugs);
    const keys = person.keys.map(({ key }) => key);
    await forgetCounts(writing, keys);
    await this.removals.forgetChanges(writing, slugs);
    await this.log.eraseCreators(writing, slugs);
    const after = existing(await this.removals.find(writing, removal.id));
    await writing.record({ action: 'creator.removed', subject: removal.id, after });
    return after;
  }

  /** Nothing is stored of someone: that is a mistake in the slug, a repetition, or a removal in advance. */
  private async refuseUnlessNew(
    { query }: Writing,
    { accounts = [] }: RemoveCreatorRequest,
    named: readonly NamedKey[],
  ): Promise<void> {
    const [earlier] = await this.blockList.find(query, named);
    if (earlier?.keys === named.length) {
      throw new ServiceError('conflict', `This creator was ${removalReason(earlier)}.`);
    }
    if (accounts.length === 0) throw noSuchCreator();
  }
}

function namedKeys({ slug, accounts = [] }: RemoveCreatorRequest): NamedKey[] {
  const keys = [...(slug === undefined ? [] : [slugKey(slug)]), ...accounts.flatMap(keysOfAccountNamed)];
  if (keys.length > 0) return distinct(keys);
  throw invalid('accounts', 'accounts must not be empty without a slug');
}

function keysOfAccountNamed(account: AccountToRemove, index: number): NamedKey[] {
  const lookup = readLookup(account);
  if ('keys' in lookup) return lookup.keys.map(accountKey);
  // A link can be looked up, so there the sentence goes on.
  const [sentence] = (lookup.details.handle?.[0] ?? '').split(';');
  throw invalid(`accounts[${index}].handle`, `accounts[${index}].${sentence}`);
}

function keysOf({ account_keys }: MatchingCreator): NamedKey[] {
  return account_keys.map(accountKey);
}

function distinct(keys: readonly NamedKey[]): NamedKey[] {
  return [...new Map(keys.map((named) => [named.key, named])).values()];
}

function existing(removal: Removal | null): Removal {
  if (!removal) throw new ServiceError('not_found', 'There is no removal with this id.');
  return removal;
}

function tooMany(): ServiceError {
  return new ServiceError(
    'conflict',
    `More than ${removalCreatorsMax} creators have these accounts, so they are not one person's: nothing is removed. Name fewer accounts.`,
  );
}

function invalid(field: string, sentence: string): ServiceError {
  return new ServiceError('invalid_request', `The request is not valid: ${sentence}.`, {
    details: { [field]: [sentence] },
  });
}

function invalidCursor(): ServiceError {
  return invalid('cursor', 'cursor must be the next_cursor of the previous page');
}
