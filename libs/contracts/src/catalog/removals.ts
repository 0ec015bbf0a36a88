import { neverResent, type Page, PageRequest, toCatalog } from '../message.js';
import { Choice, Id, Text } from '../shape/fields.js';
import { Many } from '../shape/nested-fields.js';
import { Slug } from './creators.js';
import { longRunning } from './import.js';
import { type Platform, platforms } from './profiles.js';

/** Most accounts that one request names. */
export const removalAccountsMax = 20;
/** A removal that would delete more creators than this is refused: the accounts are those of several people. */
export const removalCreatorsMax = 10;

/** An account of the person to be removed. */
export class AccountToRemove {
  @Choice(platforms)
  readonly platform: Platform;

  @Text({ max: 200, description: 'With or without its `@`.' })
  readonly handle: string;
}

export class RemovalReason {
  /** The request that is answered. It is kept, so it should not name the person. */
  @Text({ max: 200 })
  readonly reference: string;

  @Text({ max: 500, optional: true })
  readonly note?: string;
}

export class RemoveAccountsBody extends RemovalReason {
  @Many(() => AccountToRemove, { min: 1, max: removalAccountsMax, what: 'accounts' })
  readonly accounts: readonly AccountToRemove[];
}

/** A slug, accounts, or both. */
export class RemoveCreatorRequest extends RemovalReason {
  @Slug({ optional: true })
  readonly slug?: string;

  @Many(() => AccountToRemove, {
    max: removalAccountsMax,
    what: 'accounts',
    optional: true,
  })
  readonly accounts?: readonly AccountToRemove[];
}

/** Names one removal. */
export class RemovalPath {
  @Id()
  readonly removal_id: string;
}

/** What keeps a removed creator out: the keyed hash of a slug, or of a name of an account on a platform. */
export interface KeptOut {
  readonly by: 'slug' | Platform;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/** Counts of deleted data, without its content. */
export interface Deleted {
  readonly creators: number;
  /** The fields that had a value, by name. */
  readonly fields: readonly string[];
  /** Accounts on platforms. */
  readonly accounts: number;
}

/** A removal: the dated proof of it. */
export interface Removal {
  readonly id: string;
  readonly removed_at: string;
  readonly reference: string;
  readonly note: string | null;
  readonly deleted: Deleted;
  readonly kept_out: readonly KeptOut[];
  /** SHA-256 of the fields above as compact JSON in this order, hexadecimal: it changes when one of them does. */
  readonly digest: string;
}

/**
 * Deletes a creator, and every other one that shares an account, and keeps them out of later imports. `not_found` when no
 * creator has the slug; `conflict` when it is removed already, or the accounts are those of more than `removalCreatorsMax`
 * creators. Never resent: it would undo a newer re-admission.
 */
export const removeCreator = toCatalog<Removal>()('remove_creator', RemoveCreatorRequest, longRunning);
/** `not_found` when there is none. */
export const getRemoval = toCatalog<Removal>()('get_removal', RemovalPath);
/** Newest first. */
export const listRemovals = toCatalog<Page<Removal>>()('list_removals', PageRequest);
/**
 * Deletes a removal, so that an import may bring the creator back; returns what it was. `not_found` when there is none. Never
 * resent: the second reply would differ.
 */
export const readmitCreator = toCatalog<Removal>()('readmit_creator', RemovalPath, neverResent);
