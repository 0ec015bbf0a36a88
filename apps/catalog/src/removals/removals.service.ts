import {
  type AccountToRemove,
  InvalidPayloadError,
  isId,
  type Page,
  type PageRequest,
  type Removal,
  removalCreatorsMax,
  type RemoveCreatorRequest,
  ServiceError,
} from '#contracts';
import { AdminLogRepository, type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { forgetCounts } from '../creators/account-counts.js';
import { runWriting, type Writing } from '../creators/writing.js';
import { CreatorsRepository, noSuchCreator } from '../creators/creators.repository.js';
import { aliasesOf } from '../creators/creator-aliases.js';
import { readLookup } from '../lookup/lookup-keys.js';
import { type AccountKey } from '../lookup/account-key.js';
import { findKeptOut, removalReason, slugKey } from '../creators/block-list.js';
import { deletedOf, type MatchingCreator, RemovalsRepository } from './removals.repository.js';

/** Other writers wait only for the deletion itself. */
const limits = { statementTimeoutMs: 25_000, lockTimeoutMs: 10_000, answerTimeoutMs: 30_000 };

/** Creators with a slug or an account that was named, and every key that any of them has. */
interface Person {
  readonly creators: readonly MatchingCreator[];
  /** Slugs of the creators, also those of others that were joined into them. */
  readonly slugs: readonly string[];
  readonly keys: readonly string[];
}

/** Removes creators at their request, so that no import brings them back. */
@Injectable()
export class RemovalsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly removals: RemovalsRepository,
    private readonly creators: CreatorsRepository,
    private readonly log: AdminLogRepository,
  ) {}

  /**
   * Deletes everything held of a person, and keeps out the slug and each account named or deleted. No stored creator has any
   * of these afterwards. Throws `not_found`, `conflict` and `invalid_request`.
   */
  async remove(request: RemoveCreatorRequest, by: ChangeContext = {}): Promise<Removal> {
    const named = request.slug === undefined ? [] : [request.slug];
    const accounts = (request.accounts ?? []).flatMap(keysOfAccountNamed);
    const keys = new Set([...named.map(slugKey), ...accounts]);
    if (keys.size === 0) {
      throw new InvalidPayloadError({ accounts: ['accounts must not be empty without a slug'] });
    }
    const remove = async (writing: Writing): Promise<Removal> => {
      const creators = await this.removals.findMatching(writing, named, accounts);
      if (creators.length > removalCreatorsMax) throw tooMany();
      if (creators.length === 0) await refuseUnlessNew(writing, [...keys], accounts);
      const own = creators.map(({ slug }) => slug);
      const slugs = [...own, ...(await aliasesOf(writing, own)).keys()];
      const all = [...keys, ...slugs.map(slugKey), ...creators.flatMap(({ account_keys }) => account_keys)];
      return this.store(writing, request, { creators, slugs, keys: [...new Set(all)] });
    };
    return runWriting(this.transactions, remove, { ...limits, ...by });
  }

  /** Throws `not_found`. */
  async show(id: string): Promise<Removal> {
    return existing(await this.removals.find(this.transactions, id));
  }

  /** Newest first; throws `invalid_request` for a cursor of another list. */
  async list({ limit, cursor }: PageRequest): Promise<Page<Removal>> {
    if (cursor !== undefined && !isId(cursor)) {
      throw new InvalidPayloadError({ cursor: ['cursor must be the next_cursor of the previous page'] });
    }
    const items = await this.removals.list(this.transactions, limit, cursor ?? null);
    return { items, next_cursor: items.length < limit ? null : (items.at(-1)?.id ?? null) };
  }

  /** Ends a removal made by mistake; brings no data back. Throws `not_found`. */
  readmit(id: string, by: ChangeContext = {}): Promise<Removal> {
    const readmit = async (writing: Writing): Promise<Removal> => {
      const removal = existing(await this.removals.find(writing, id));
      await this.removals.delete(writing, id);
      await writing.record({ action: 'creator.readmitted', subject: id, before: removal });
      return removal;
    };
    return runWriting(this.transactions, readmit, by);
  }

  private async store(writing: Writing, request: RemoveCreatorRequest, person: Person): Promise<Removal> {
    const { reference, note = null } = request;
    const removal = { id: uuidv7(), reference, note, deleted: deletedOf(person.creators) };
    const { slugs, keys } = person;
    await this.removals.add(writing, removal, keys);
    await this.creators.remove(writing, slugs);
    await forgetCounts(writing, keys);
    await this.removals.forgetChanges(writing, slugs);
    await this.log.eraseCreators(writing, slugs);
    const after = existing(await this.removals.find(writing, removal.id));
    await writing.record({ action: 'creator.removed', subject: removal.id, after });
    return after;
  }
}

/** Nothing is stored of someone: that is a mistake in the slug, a repetition, or a removal in advance. */
async function refuseUnlessNew(
  writing: Writing,
  keys: readonly string[],
  accounts: readonly AccountKey[],
): Promise<void> {
  const keptOut = await findKeptOut(writing, keys);
  const [earlier, ...others] = new Map(Array.from(keptOut.values(), (each) => [each.id, each])).values();
  if (earlier && others.length === 0 && keptOut.size === keys.length) {
    throw new ServiceError('conflict', `This creator was ${removalReason(earlier)}.`);
  }
  if (accounts.length === 0) throw noSuchCreator();
}

function keysOfAccountNamed(named: AccountToRemove, index: number): readonly AccountKey[] {
  const lookup = readLookup(named);
  if ('keys' in lookup) return lookup.keys;
  // A link can be looked up, so there the sentence goes on.
  const [sentence] = (lookup.details.handle?.[0] ?? '').split(';');
  const account = `accounts[${index}]`;
  throw new InvalidPayloadError({ [`${account}.handle`]: [`${account}.${sentence}`] });
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
