import { Profile } from '../catalog/profiles.js';
import { profilesMax, slugLengthMax } from '../catalog/creators.js';
import { AnyText, Choice } from '../shape/fields.js';
import { Many, One, Texts } from '../shape/nested-fields.js';
import { Both, Shape } from '../shape/shape.js';
import { Credits, PaidArguments } from './credits.js';
import { operation } from './operation.js';
import { exampleSlug } from './profile.js';

/** An invalid slug counts as unknown: it does not fail the others. */
@Shape('A creator to read.', { name: 'SoughtProfile', schema: { additionalProperties: false } })
export class ProfileToRead {
  @AnyText({ description: 'The slug of the creator.' })
  readonly slug: string;

  @AnyText({
    optional: true,
    description:
      'The `etag` of the profile that you have: while it is current, the profile is not sent again, and free.',
  })
  readonly etag?: string;
}

/** The body of `POST /creators/batch`. */
@Shape('Which profiles to read.', { name: 'SoughtProfiles', schema: { additionalProperties: false } })
export class ProfilesToRead {
  @Many(() => ProfileToRead, {
    min: 1,
    max: profilesMax,
    what: 'creators',
    itemRule: 'an object with slug',
    description: 'The creators. One whom you name twice, also by an old slug, is paid once.',
    example: [{ slug: exampleSlug }, { slug: 'mira-solenne', etag: 'W/"v7gkVVLJmqr4XNVKGkWnYA"' }],
  })
  readonly creators: readonly ProfileToRead[];
}

export const profileStatuses = ['found', 'unchanged', 'not_found'] as const;
export type ProfileStatus = (typeof profileStatuses)[number];

@Shape('The result for one of the slugs.')
export class ProfileResult {
  @AnyText({ description: 'The slug that you sent.' })
  readonly slug: string;

  @Choice(profileStatuses, {
    description:
      '`found`: here is the profile, for 1 credit. `unchanged`: you have it already; free. `not_found`: no published creator has this slug; free.',
  })
  readonly status: ProfileStatus;

  @AnyText({ optional: true, description: 'Identifies this version of the profile: send it the next time.' })
  readonly etag?: string;

  @One(() => Profile, { optional: true, description: 'Only if `found`.' })
  readonly profile?: Profile;
}

class ProfileResults {
  @Many(() => ProfileResult, { description: 'In the order asked.' })
  readonly results: readonly ProfileResult[];
}

@Shape('The results, and what they cost.')
export class ProfilesAnswer extends Both(ProfileResults, Credits) {}

/** The arguments of the tool `get_creators`. */
export class ProfilesArguments extends PaidArguments {
  @Texts({ min: 1, max: profilesMax, length: slugLengthMax, description: 'For example mira-solenne.' })
  readonly slugs: readonly string[];
}

export const getCreatorProfilesOperation = operation({
  name: 'getCreatorProfiles',
  method: 'post',
  path: '/creators/batch',
  tag: 'Creators',
  paid: 'profiles',
  cost: '**1 credit for each profile found.** Those that you have already (`etag`), and slugs that no creator has, are free.',
  summary: `Read up to ${profilesMax} profiles`,
  description:
    'The results are in the order asked. If the balance is too low for all that were found, nothing is sent and nothing charged. The call counts as one, also among the free ones when nothing was found. When you leave it in the middle of its response, it is charged: repeat it with its `Idempotency-Key` for nothing.',
  body: ProfilesToRead,
  answer: {
    shape: ProfilesAnswer,
    description: 'A result for each slug, and what they cost together.',
    examples: { results: 'A profile, one that is unchanged, and a slug that no creator has' },
  },
  tool: {
    name: 'get_creators',
    title: 'Get many creators',
    description: [
      `Reads the full profiles of up to ${profilesMax} creators at once; use it instead of several calls of get_creator.`,
      'Costs 1 credit for each profile found; unknown slugs cost nothing.',
      'results are in the order asked, with profile where status is found.',
    ].join(' '),
    arguments: ProfilesArguments,
  },
});
