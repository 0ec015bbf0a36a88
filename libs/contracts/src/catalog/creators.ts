import { message, type WithBytes } from '../message.js';

/** The platforms of spec 2.3, in the order in which the spec names them. */
export const platforms = ['youtube', 'instagram', 'tiktok', 'facebook', 'x'] as const;
export type Platform = (typeof platforms)[number];

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
/** `record` is untrusted JSON: the catalog validates it with the rules of the import, `invalid_request` with details. */
export const putCreator = message<{ readonly slug: string; readonly record: unknown }, PutCreatorReply>(
  'catalog',
  'put_creator',
);
export const publishCreator = message<{ readonly slug: string; readonly published: boolean }, CreatorView>(
  'catalog',
  'publish_creator',
);
/** `not_found` when there is no such creator. */
export const deleteCreator = message<{ readonly slug: string }, { readonly deleted: true }>(
  'catalog',
  'delete_creator',
  { resendAfterMs: null },
);
