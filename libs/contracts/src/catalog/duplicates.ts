import { neverResent, type Page, PageRequest, toCatalog } from '../message.js';
import { Text } from '../shape/fields.js';
import { Both } from '../shape/shape.js';
import { CreatorPath, type CreatorView, Slug, slugLengthMax } from './creators.js';
import { longRunning } from './import.js';

/** What records of one person probably have in common. The same name is not enough. */
export type DuplicateReason = 'website' | 'name and country' | 'name and handle';

/** Most records of one person: what more of them have in common is a usual name, or an agency's website. */
export const duplicatesMax = 10;

/** Creators who are probably one. */
export interface Duplicate {
  readonly slugs: readonly string[];
  /** In the order of the slugs. */
  readonly names: readonly string[];
  readonly same: readonly DuplicateReason[];
}

/** A page of duplicates; the cursor has the slugs of the last one. */
export class ListDuplicatesRequest extends PageRequest {
  @Text({ max: duplicatesMax * (slugLengthMax + 1), optional: true })
  override readonly cursor?: string;
}

export class JoinCreatorBody {
  @Slug({ description: 'The creator that stays.' })
  readonly into: string;
}

export class JoinCreatorRequest extends Both(CreatorPath, JoinCreatorBody) {}

/** By their slugs. */
export const listDuplicates = toCatalog<Page<Duplicate>>()(
  'list_duplicates',
  ListDuplicatesRequest,
  longRunning,
);
/**
 * Makes one creator of two records of a person; returns it. The slug that goes leads to it from then on. Harmless when repeated.
 * `not_found` when there is no such creator; `conflict` when one was removed, or the one that goes was joined into a third;
 * `invalid_request` when both are the same. Never resent: it would undo a newer deletion of the old slug.
 */
export const joinCreator = toCatalog<CreatorView>()('join_creator', JoinCreatorRequest, neverResent);
