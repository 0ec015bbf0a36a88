import { message, neverResent, type WithBytes } from '../message.js';
import { AnyField, BooleanField, PatternField } from '../validation/fields.js';
import { type Platform } from './platforms.js';
import { slugLengthMax, slugPattern } from './slug.js';

/** One line of an import and the body of `PUT /creators/{slug}`. Defaults of optional fields are in design section 6. */
export interface CreatorRecord {
  readonly slug: string;
  readonly name: string;
  readonly tagline?: string;
  readonly country: string;
  readonly languages: string[];
  readonly verified?: boolean;
  readonly website?: string;
  readonly categories: string[];
  readonly published?: boolean;
  readonly platforms: PlatformAccountRecord[];
}

export interface PlatformAccountRecord {
  readonly platform: Platform;
  readonly handle: string;
  readonly url?: string;
  readonly followers: number;
  readonly updated_at: string;
}

/** A creator as the admin API shows it: the profile of spec 2.2 and whether it is published. */
export interface CreatorView {
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly tagline: string;
  readonly country: string;
  readonly languages: string[];
  readonly verified: boolean;
  readonly website?: string;
  readonly categories: string[];
  readonly published: boolean;
  readonly total_reach: number;
  readonly platforms: {
    readonly platform: Platform;
    readonly handle: string;
    readonly url: string;
    readonly followers: number;
    readonly updated_at: string;
  }[];
}

/** Names one creator. */
export class CreatorPath {
  @PatternField(slugPattern, slugLengthMax, 'a slug')
  readonly slug: string;
}

export class PutCreatorRequest extends CreatorPath {
  /** Untrusted JSON: the catalog validates it by the rules of the import. */
  @AnyField()
  readonly record: unknown;
}

export class PublishCreatorRequest extends CreatorPath {
  @BooleanField()
  readonly published: boolean;
}

export interface PutCreatorReply {
  readonly created: boolean;
  readonly creator: CreatorView;
}

/** A published creator's profile; `bytes` is the JSON object of spec 2.2, empty when `found` is false. */
export const getProfile = message<CreatorPath, WithBytes<{ readonly found: boolean }>>(
  'catalog',
  'get_profile',
  CreatorPath,
);
export const getCreator = message<CreatorPath, CreatorView>('catalog', 'get_creator', CreatorPath);
/**
 * `invalid_request` with details for an invalid record. Never resent: it would undo a deletion or a replacement made
 * since.
 */
export const putCreator = message<PutCreatorRequest, PutCreatorReply>(
  'catalog',
  'put_creator',
  PutCreatorRequest,
  neverResent,
);
/** Never resent: a creator hidden since would be published again. */
export const publishCreator = message<PublishCreatorRequest, CreatorView>(
  'catalog',
  'publish_creator',
  PublishCreatorRequest,
  neverResent,
);
/**
 * `not_found` when there is no such creator. Never resent: it would delete a creator created since under the same slug.
 */
export const deleteCreator = message<CreatorPath, { readonly deleted: true }>(
  'catalog',
  'delete_creator',
  CreatorPath,
  neverResent,
);
