import { Slug } from '../catalog/creators.js';
import { AnyText } from '../shape/fields.js';
import { Both, Shape } from '../shape/shape.js';
import { Credits, PaidArguments } from './credits.js';
import { Profile } from '../catalog/profiles.js';
import { operation } from './operation.js';

/** One of the sample creators, whose profile is the example. */
export const exampleSlug = 'chloe-grenvigne-1l';

class ProfileParams {
  @Slug({
    description: 'The `slug` of a search, or the last part of the URL of a profile.',
    example: exampleSlug,
  })
  readonly slug: string;
}

@Shape('The full record of one creator.')
export class CreatorProfile extends Both(Profile, Credits) {}

/** The arguments of the tool `get_creator`. */
export class ProfileArguments extends PaidArguments {
  @AnyText({ description: 'For example mira-solenne.' })
  readonly slug: string;
}

export const getCreatorProfileOperation = operation({
  name: 'getCreatorProfile',
  method: 'get',
  path: '/creators/{slug}',
  tag: 'Creators',
  paid: 'profile',
  cost: '**1 credit.** Free when there is no such creator, and when you already have the current profile (`If-None-Match`).',
  summary: "Read one creator's profile",
  description:
    'The full record of one creator, with the time of each follower count. A slug that has changed leads to the same creator: `slug` is then the new one.',
  params: ProfileParams,
  answer: {
    shape: CreatorProfile,
    description: 'The profile, and what it cost.',
    unchanged: true,
    examples: { profile: 'A profile' },
  },
  errors: [404],
  tool: {
    name: 'get_creator',
    title: 'Get one creator',
    description: [
      "Reads one creator's full profile: what a search shows, and tagline, languages, categories, website, whether verified, and when each follower count was updated.",
      'Costs 1 credit; an unknown slug costs nothing.',
      'Slugs come from search_creators or, for a known link or handle, from lookup_accounts, which is free.',
    ].join(' '),
    arguments: ProfileArguments,
  },
});
