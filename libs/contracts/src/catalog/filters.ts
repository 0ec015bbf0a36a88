import { message, NoPayload } from '../message.js';
import { type Platform } from './platforms.js';

/** A country or a language, spelled as in most of the records that have it. */
export interface NamedFilterValue {
  readonly name: string;
  /** Published creators that a search for it finds. */
  readonly creators: number;
}

export interface CategoryFilterValue {
  readonly slug: string;
  readonly creators: number;
}

export interface PlatformFilterValue {
  readonly platform: Platform;
  readonly creators: number;
}

/**
 * The values of four filters of a search with which it finds somebody, those with the most creators first, then by
 * name; the first `filterValuesMax` of each filter.
 */
export interface FiltersReply {
  readonly countries: NamedFilterValue[];
  readonly categories: CategoryFilterValue[];
  readonly languages: NamedFilterValue[];
  readonly platforms: PlatformFilterValue[];
}

/** Bounds a reply for a catalog in which somebody has written free text into a field. */
export const filterValuesMax = 1_000;

/** Only reads: may be sent twice. */
export const listFilters = message<NoPayload, FiltersReply>('catalog', 'list_filters', NoPayload);
