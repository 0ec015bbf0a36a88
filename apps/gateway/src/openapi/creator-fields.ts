import { type CreatorView, platforms } from '@app/contracts';
import { type SchemaObject } from 'openapi3-ts/oas31';
import { count, objectSchema, oneOf, text, time, url } from './schemas.js';

type PlatformAccount = CreatorView['platforms'][number];

/** What a search and a profile say about a creator alike (spec 2.1 and 2.2). */
export const creatorFields = {
  slug: text(
    'The unique name of the creator: the last part of `url`, and of the path of their profile here.',
  ),
  name: text('Display name.'),
  url: url('The profile on our site.'),
  country: text('Country name.'),
  total_reach: count('The sum of the latest follower counts over all platforms.'),
} satisfies Partial<Record<keyof CreatorView, SchemaObject>>;

const accountFields = {
  platform: oneOf(platforms, 'The platform.'),
  handle: text('The name of the account, with a leading `@`.'),
  url: url('The account on the platform.'),
  followers: count('The latest follower count.'),
};

/** An account of a creator in a search (spec 2.3), and in a profile, which says how old its numbers are. */
export const platformSchemas: Readonly<Record<string, SchemaObject>> = {
  PlatformAccount: objectSchema<Omit<PlatformAccount, 'updated_at'>>(
    'A presence of a creator on one platform.',
    accountFields,
  ),
  DatedPlatformAccount: objectSchema<PlatformAccount>(
    'A presence of a creator on one platform, and when its followers were counted.',
    { ...accountFields, updated_at: time('When the followers were last counted.') },
  ),
};
