import { type CreatorView, slugLengthMax, slugPattern } from '@app/contracts';
import { type Credits } from '../../charging/paid-answer.js';
import { creditFields } from '../../openapi/credit-fields.js';
import { creatorFields } from '../../openapi/creator-fields.js';
import { type DescribedOperation } from '../../openapi/operation.js';
import { idempotencyKeyParameter, ifNoneMatchParameter } from '../../openapi/request-headers.js';
import { listOf, objectSchema, schemaNamed, text, url, yesOrNo } from '../../openapi/schemas.js';

/** One of the sample creators, whose profile is the example. */
export const exampleSlug = 'chloe-belchamp-vj';

type Answer = Omit<CreatorView, 'published'> & Credits;

export const getCreatorProfileOperation: DescribedOperation = {
  method: 'get',
  path: '/creators/{slug}',
  operationId: 'getCreatorProfile',
  tag: 'Creators',
  summary: "Read one creator's profile",
  cost: '**1 credit.** Free when there is no such creator, and when you have the profile already (`If-None-Match`).',
  description: 'All that is known about one creator, with the age of each follower count.',
  parameters: [
    {
      name: 'slug',
      in: 'path',
      required: true,
      description: 'The `slug` of a search, or the last part of the URL of a profile.',
      schema: { type: 'string', pattern: slugPattern.source, maxLength: slugLengthMax },
      example: exampleSlug,
    },
    idempotencyKeyParameter,
    ifNoneMatchParameter,
  ],
  answer: {
    description: 'The profile, and what it cost.',
    schema: 'CreatorProfile',
    headers: ['etag', 'x-credits-used', 'x-credits-remaining', 'x-credits-warning', 'idempotent-replayed'],
    unchanged: ['etag', 'x-credits-used', 'x-credits-remaining', 'x-credits-warning'],
    examples: { profile: 'A profile' },
  },
  errors: [402, 404, 409, 422, 429],
  schemas: {
    CreatorProfile: objectSchema<Answer>(
      'All that is known about one creator.',
      {
        slug: creatorFields.slug,
        name: creatorFields.name,
        url: creatorFields.url,
        tagline: text('A short summary; may be empty.'),
        country: creatorFields.country,
        languages: listOf({ type: 'string' }, 'Content languages.'),
        verified: yesOrNo('We have verified that the profile is genuine.'),
        website: url('The official website; left out when it is not known.'),
        categories: listOf({ type: 'string' }, 'Niches, as slugs.'),
        total_reach: creatorFields.total_reach,
        platforms: listOf(schemaNamed('DatedPlatformAccount'), 'The accounts on all platforms.'),
        ...creditFields,
      },
      ['website', 'warning'],
    ),
  },
};
