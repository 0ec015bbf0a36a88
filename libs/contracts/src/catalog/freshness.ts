import { message, type WithBytes } from '../message.js';
import { type Page } from '../pagination.js';
import { Choice, Integer, Text } from '../shape/fields.js';
import { Texts } from '../shape/nested-fields.js';
import { slugLengthMax } from './creators.js';
import { type Platform, platforms } from './profiles.js';

export const freshnessDimensions = ['platform', 'country'] as const;
export type FreshnessDimension = (typeof freshnessDimensions)[number];

export class FreshnessQuery {
  @Choice(freshnessDimensions, { default: 'platform' })
  readonly by: FreshnessDimension;
}

/** How old the data of published creators is, for one platform or country. Ages are in whole days, shares from 0 to 1. */
export interface Freshness {
  /** A platform, or a country's name. */
  readonly value: string;
  readonly creators: number;
  readonly median_days: number;
  readonly p90_days: number;
  readonly oldest_days: number;
  readonly older_than_30: number;
  readonly older_than_90: number;
  readonly older_than_365: number;
}

export interface FreshnessReport {
  readonly by: FreshnessDimension;
  /** It is computed every hour; `null`: not yet, or there is no published creator. */
  readonly computed_at: string | null;
  /** Those with the most creators first. */
  readonly rows: readonly Freshness[];
}

/** The last result. */
export const getFreshness = message<FreshnessQuery, FreshnessReport>(
  'catalog',
  'get_freshness',
  FreshnessQuery,
);

/** Which creators are to be refreshed. */
export class RefreshFilters {
  /** Only those with an account there, by the age of its data. */
  @Choice(platforms, { optional: true })
  readonly platform?: Platform;

  @Text({ max: 100, optional: true })
  readonly country?: string;

  @Integer({ max: 36_500, optional: true, description: 'Only data of at least this age.' })
  readonly min_age_days?: number;
}

export const refreshSlugsMax = 20_000;

export class RefreshQuery extends RefreshFilters {
  @Integer({ min: 1, max: 100_000_000, default: 10_000 })
  readonly limit: number;
}

export class RefreshSlugsRequest extends RefreshFilters {
  @Integer({ min: 1, max: refreshSlugsMax })
  readonly limit: number;

  @Text({ max: 500, optional: true })
  readonly cursor?: string;
}

/**
 * The slugs of published creators in the order in which they are to be refreshed: those asked for, by recent reads times the age of
 * their data; then the others, the oldest first. A list of several pages is of the moment of the first; a creator asked for
 * meanwhile may be missing or come twice. Reads the whole table.
 */
export const listRefreshSlugs = message<RefreshSlugsRequest, Page<string>>(
  'catalog',
  'list_refresh_slugs',
  RefreshSlugsRequest,
  { deadlineMs: 30_000, resendAfterMs: 15_000 },
);

export const recordsMax = 200;

export class CreatorRecordsRequest {
  @Texts({ min: 1, max: recordsMax, length: slugLengthMax })
  readonly slugs: readonly string[];
}

/** The records of these creators as lines of an import, in this order; those that no longer exist are left out. */
export const listCreatorRecords = message<CreatorRecordsRequest, WithBytes<{ readonly returned: number }>>(
  'catalog',
  'list_creator_records',
  CreatorRecordsRequest,
);
