import { message } from '../message.js';
import { Choice, Pattern, Text } from '../shape/fields.js';
import { type CreatorView, slugLengthMax, slugPattern } from './creators.js';
import { type Platform, platforms } from './profiles.js';
import { AccountToRemove, type Removal } from './removals.js';

/** Names one account. */
export class AccountQuery extends AccountToRemove {}

/** A slug, or a platform and a handle. */
export class CreatorReportRequest {
  @Pattern({ pattern: slugPattern, max: slugLengthMax, what: 'a slug', optional: true })
  readonly slug?: string;

  @Choice(platforms, { optional: true })
  readonly platform?: Platform;

  @Text({ max: 200, optional: true })
  readonly handle?: string;
}

/** A stored creator, and what else is kept about them. Times are ISO 8601 UTC; `null`: not recorded, or never. */
export interface HeldCreator {
  readonly creator: CreatorView;
  readonly first_stored_at: string | null;
  readonly last_changed_at: string | null;
  /** What the import that last changed it was given as its source. */
  readonly source: string | null;
  /** Reads of the profile by customers, each of which counts half as much after 30 days. */
  readonly recent_reads: number;
  readonly last_read_at: string | null;
}

/** Everything that the catalog holds about a person: nothing when both are empty. */
export interface CreatorReport {
  readonly creators: readonly HeldCreator[];
  readonly removals: readonly Removal[];
}

/** Reads the whole table of creators when an account is named. */
export const getCreatorReport = message<CreatorReportRequest, CreatorReport>(
  'catalog',
  'get_creator_report',
  CreatorReportRequest,
  { deadlineMs: 30_000, resendAfterMs: 15_000 },
);
