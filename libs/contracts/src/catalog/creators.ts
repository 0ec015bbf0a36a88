import { message, neverResent, type WithBytes } from '../message.js';

/** The platforms of spec 2.3, in the order in which the spec names them. */
export const platforms = ['youtube', 'instagram', 'tiktok', 'facebook', 'x'] as const;
export type Platform = (typeof platforms)[number];

/** Where an account of a platform is found: what stands before and after its handle. */
export const accountUrls: Readonly<Record<Platform, readonly [before: string, after: string]>> = {
  youtube: ['https://www.youtube.com/@', ''],
  instagram: ['https://www.instagram.com/', '/'],
  tiktok: ['https://www.tiktok.com/@', ''],
  facebook: ['https://www.facebook.com/', ''],
  x: ['https://x.com/', ''],
};

/** A creator's slug: letters and digits, with single hyphens between them, at most `slugLengthMax` characters (design 5). */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const slugLengthMax = 100;

/** One line of an import and the body of `PUT /creators/{slug}`. What may be absent has its default in design section 6. */
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

export interface PutCreatorReply {
  readonly created: boolean;
  readonly creator: CreatorView;
}

/** A published creator's profile; `bytes` is the JSON object of spec 2.2, empty when `found` is false. */
export const getProfile = message<{ readonly slug: string }, WithBytes<{ readonly found: boolean }>>(
  'catalog',
  'get_profile',
);
export const getCreator = message<{ readonly slug: string }, CreatorView>('catalog', 'get_creator');
/**
 * `record` is untrusted JSON: the catalog validates it with the rules of the import, `invalid_request` with details. Never
 * resent: a creator that has been taken down or replaced since would come back.
 */
export const putCreator = message<{ readonly slug: string; readonly record: unknown }, PutCreatorReply>(
  'catalog',
  'put_creator',
  neverResent,
);
/** Never resent: a creator that has been hidden since would be shown again. */
export const publishCreator = message<{ readonly slug: string; readonly published: boolean }, CreatorView>(
  'catalog',
  'publish_creator',
  neverResent,
);
/** `not_found` when there is no such creator. Never resent: one that was made since under the same slug would be lost. */
export const deleteCreator = message<{ readonly slug: string }, { readonly deleted: true }>(
  'catalog',
  'delete_creator',
  neverResent,
);
