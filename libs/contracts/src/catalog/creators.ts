import { type Done, neverResent, type Page, PageRequest, toCatalog, type WithBytes } from '../message.js';
import { fieldWith } from '../shape/field.js';
import { Choice, Day, Flag, Integer, PastTime, Text, Url } from '../shape/fields.js';
import { pastTime } from '../shape/formats.js';
import { Many, One, Texts } from '../shape/nested-fields.js';
import { Both, Shape } from '../shape/shape.js';
import { sourceLengthMax, longRunning } from './import.js';
import { type Platform, platforms, Profile } from './profiles.js';
import { RequestOfKey } from './test-creators.js';

/** A creator's slug: letters and digits, with single hyphens between them. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const slugLengthMax = 100;

export const Slug = fieldWith<string>({
  schema: { type: 'string', maxLength: slugLengthMax, pattern: slugPattern.source },
  sentence: `must be 1 to ${slugLengthMax} of the characters a-z and 0-9, with single hyphens between them`,
  isValid: (value) => typeof value === 'string' && value.length <= slugLengthMax && slugPattern.test(value),
});

/** An account without `url` gets the URL that its platform has for its handle. */
@Shape('An account on a platform.')
export class PlatformAccountRecord {
  @Choice(platforms)
  readonly platform: Platform;

  @Text({
    max: 500,
    also: ['more than @', (handle) => !/^@+\s*$/.test(handle)],
    description: 'With or without its `@`; or a link to the account.',
  })
  readonly handle: string;

  @Url({
    optional: true,
    description: 'A link to a profile on the platform. Default: built from `platform` and `handle`.',
  })
  readonly url?: string;

  @Integer({ description: 'The latest count.' })
  readonly followers: number;

  @PastTime({
    description:
      'When `followers` was read; a time is at most 5 minutes in the future, a day has begun somewhere.',
  })
  readonly updated_at: string;
}

const consistentPlatforms = {
  crossFieldRule: ({ platforms: accounts }: CreatorBody) => {
    const names = accounts.map(({ platform }) => platform);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) return { platforms: [`platforms must not have two accounts on ${twice}`] };
    const reach = accounts.reduce((sum, { followers }) => sum + followers, 0);
    return Number.isSafeInteger(reach) ? null : { platforms: ['platforms have too many followers in total'] };
  },
};

const aheadMsMax = 5 * 60_000;

/** The instant of an `updated_at`, UTC; `null`: it is in the future, by more than clocks differ. */
export function updateTime(updated_at: string, now: Date): string | null {
  return pastTime(updated_at, now, aheadMsMax);
}

@Shape('A whole creator, as `PUT /creators/{slug}` replaces it.', consistentPlatforms)
export class CreatorBody {
  @Slug({ optional: true, description: 'The slug of the path.' })
  readonly slug?: string;

  @Text({ max: 200 })
  readonly name: string;

  @Text({ min: 0, max: 2_000, multiline: true, optional: true, description: 'Default: empty.' })
  readonly tagline?: string;

  @Text({ max: 100 })
  readonly country: string;

  @Texts({ max: 100, length: 100 })
  readonly languages: readonly string[];

  @Flag({ optional: true, description: 'Default: false.' })
  readonly verified?: boolean;

  @Url({ optional: true, description: 'Default: unknown.' })
  readonly website?: string;

  @Texts({ max: 100, length: 100, description: 'By name or slug.' })
  readonly categories: readonly string[];

  @Flag({
    optional: true,
    description:
      'Default: true for a new creator, unchanged for a known one. A creator without accounts is not published.',
  })
  readonly published?: boolean;

  @Many(() => PlatformAccountRecord, { max: platforms.length, itemRule: 'an object' })
  readonly platforms: readonly PlatformAccountRecord[];
}

@Shape('A whole creator, as a line of an import gives it.', consistentPlatforms)
export class CreatorRecord extends CreatorBody {
  @Slug({
    optional: true,
    description: 'Default: that of the creator who has one of the accounts; of a new one, made of its name.',
  })
  override readonly slug?: string;
}

/** So many counts of a creator are shown at most. */
export const historyMax = 5_000;

export class FollowersOfDay {
  @Choice(platforms)
  readonly platform: Platform;

  @Day({ description: 'The day of the count, UTC.' })
  readonly day: string;

  @Integer()
  readonly followers: number;
}

/** What takes the place of required fields that a record leaves out when it is merged: it is never stored. */
export const blankRecord = { name: '-', country: '-', languages: [], categories: [], platforms: [] } as const;

/** A creator as the admin API shows it: the public profile, whether it is published, and from where it is. */
export class CreatorView extends Profile {
  @Flag({ description: 'Shown to customers.' })
  readonly published: boolean;

  @Text({
    max: sourceLengthMax,
    nullable: true,
    description: 'That of the import that last changed it; `null`: none was given, or it was no import.',
  })
  readonly source: string | null;

  @Many(() => FollowersOfDay, {
    optional: true,
    max: historyMax,
    description: 'The days on which follower counts changed, newest first; with `history=true`.',
  })
  readonly history?: readonly FollowersOfDay[];
}

/** Which creators are meant; without any field, all of them. */
export class CreatorSelection {
  @Text({ max: sourceLengthMax, optional: true, description: 'That of the import that last changed them.' })
  readonly source?: string;

  @Text({ max: 100, optional: true, description: 'The name or the ISO code of a country.' })
  readonly country?: string;

  @Choice(platforms, { optional: true, description: 'They have an account there.' })
  readonly platform?: Platform;

  @Flag({ optional: true, description: 'Default: published or not.' })
  readonly published?: boolean;
}

export class ListCreatorsRequest extends Both(PageRequest, CreatorSelection) {}

export class UnpublishCreatorsRequest {
  @Text({ max: sourceLengthMax })
  readonly source: string;

  @Flag({ default: false, description: 'Only counts the creators that would be unpublished.' })
  readonly dry_run: boolean;

  @Text({ max: 500, optional: true, description: 'The `next_cursor` of the request before.' })
  readonly cursor?: string;
}

export interface UnpublishCreatorsReply {
  /** By this request; of a dry run, in all. */
  readonly unpublished: number;
  /** Otherwise there may be more: repeat it with this `cursor`. */
  readonly next_cursor: string | null;
}

/** Names one creator. */
export class CreatorPath {
  @Slug()
  readonly slug: string;
}

export class CreatorQuery {
  @Flag({ default: false, description: 'Also gives the follower counts over time.' })
  readonly history: boolean;
}

export class GetCreatorRequest extends Both(CreatorPath, CreatorQuery) {}

export class GetProfileRequest extends Both(CreatorPath, RequestOfKey) {
  @Flag({
    optional: true,
    description: 'As the primary has it now, instead of as it was within the last second.',
  })
  readonly latest?: boolean;
}

/** Most profiles in one call. */
export const profilesMax = 100;

export class GetProfilesRequest extends RequestOfKey {
  @Texts({ max: profilesMax, length: slugLengthMax })
  readonly slugs: readonly string[];
}

export interface GetProfilesReply {
  /** The slugs that published creators have, or had; each with the length of its profile in the bytes, in this order. */
  readonly found: readonly { readonly slug: string; readonly length: number }[];
}

export class PutCreatorRequest extends CreatorPath {
  @One(() => CreatorBody)
  readonly record: CreatorBody;
}

export class PublishCreatorBody {
  @Flag()
  readonly published: boolean;
}

export class PublishCreatorRequest extends Both(CreatorPath, PublishCreatorBody) {}

export interface PutCreatorReply {
  readonly created: boolean;
  readonly creator: CreatorView;
}

/** A published creator's profile; `bytes` is the JSON object of the public profile, empty when `found` is false. */
export const getProfile = toCatalog<WithBytes<{ readonly found: boolean }>>()(
  'get_profile',
  GetProfileRequest,
);
/** The profiles as the database has them now; `bytes` are their JSON objects, one after the other. */
export const getProfiles = toCatalog<WithBytes<GetProfilesReply>>()('get_profiles', GetProfilesRequest);
/** What everyone may see of a published creator: nothing that leads to the accounts, and no figure that the API sells. */
export interface PublicCreator {
  readonly name: string;
  readonly tagline: string;
  readonly country: string;
  /** The page on our site. */
  readonly url: string;
  readonly platforms: readonly {
    readonly platform: Platform;
    /** Followers, to two digits; 0 below 1,000. */
    readonly reach: number;
  }[];
}

/** `null`: no published creator has the slug. */
export const getPublicCreator = toCatalog<{ readonly creator: PublicCreator | null }>()(
  'get_public_creator',
  CreatorPath,
);
/** By their slugs. Not resent, as it may read the whole table for the few that are meant. */
export const listCreators = toCatalog<Page<CreatorView>>()('list_creators', ListCreatorsRequest, longRunning);
/** Never resent: it would undo a newer change. */
export const unpublishCreators = toCatalog<UnpublishCreatorsReply>()(
  'unpublish_creators',
  UnpublishCreatorsRequest,
  longRunning,
);
/** `not_found` when there is no such creator. */
export const getCreator = toCatalog<CreatorView>()('get_creator', GetCreatorRequest);
/**
 * `invalid_request` with details for an invalid record. Never resent: it would undo a newer deletion or
 * replacement.
 */
export const putCreator = toCatalog<PutCreatorReply>()('put_creator', PutCreatorRequest, neverResent);
/** Never resent: it would undo a newer change. */
export const publishCreator = toCatalog<CreatorView>()('publish_creator', PublishCreatorRequest, neverResent);
/**
 * `not_found` when there is no such creator. Never resent: it would delete a newer creator with the same slug.
 */
export const deleteCreator = toCatalog<Done<'deleted'>>()('delete_creator', CreatorPath, neverResent);
