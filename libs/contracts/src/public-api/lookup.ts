import { type Platform, platforms } from '../catalog/profiles.js';
import { RequestOfKey } from '../catalog/test-creators.js';
import { type ErrorDetails } from '../errors.js';
import { toCatalog } from '../message.js';
import { AnyText, Choice, Raw } from '../shape/fields.js';
import { Items, Many } from '../shape/nested-fields.js';
import { Shape } from '../shape/shape.js';
import { operation } from './operation.js';

/** Most accounts in one look-up. */
export const lookupAccountsMax = 100;

/** The catalog validates the strings: an invalid item does not fail the others. */
@Shape('An account: `url`, or `platform` and `handle`.', {
  name: 'SoughtAccount',
  schema: {
    additionalProperties: false,
    oneOf: [{ required: ['url'] }, { required: ['platform', 'handle'] }],
  },
  crossFieldRule: problemsOfChoice,
})
export class AccountToFind {
  @AnyText({
    optional: true,
    description: 'A profile link in any common form. Without `platform` and `handle`.',
  })
  readonly url?: string;

  @AnyText({ known: platforms, optional: true, description: 'The platform of `handle`.' })
  readonly platform?: string;

  @AnyText({ optional: true, description: 'The name of the account, with or without `@`.' })
  readonly handle?: string;
}

/** What is wrong with the choice of fields that name an account; `null` when it is `url`, or `platform` and `handle`. */
function problemsOfChoice({ url, platform, handle }: AccountToFind): ErrorDetails | null {
  const others = Object.entries({ platform, handle }).filter(([, value]) => value !== undefined);
  if (url !== undefined) {
    if (others.length === 0) return null;
    const sentence = 'give url, or platform and handle, not both';
    return Object.fromEntries(['url', ...others.map(([name]) => name)].map((name) => [name, [sentence]]));
  }
  if (others.length === 2) return null;
  const missing = others.length === 0 ? 'url' : platform === undefined ? 'platform' : 'handle';
  return { [missing]: [`${missing} is missing; give url, or platform and handle`] };
}

/** The body of `POST /lookup`. */
@Shape('What to look up.', { name: 'SoughtAccounts', schema: { additionalProperties: false } })
export class AccountsToFind {
  @Many(() => AccountToFind, {
    min: 1,
    max: lookupAccountsMax,
    what: 'accounts',
    itemRule: 'an object with url, or with platform and handle',
    description: 'Links and handles.',
    example: [{ url: 'https://www.youtube.com/@mirasolenne' }, { platform: 'x', handle: '@mirasolenne' }],
  })
  readonly accounts: readonly AccountToFind[];
}

@Shape('The creator who has an account.')
export class LookUpAnswer {
  @AnyText({
    nullable: true,
    description: 'The creator who has the account; `null` when no published creator has it.',
  })
  readonly slug: string | null;
}

@Shape('The creator who has an account.')
export class LookUpResult extends LookUpAnswer {
  @AnyText({ optional: true, description: 'What is wrong with the input.' })
  readonly problem?: string;
}

@Shape('The creators who have these accounts.')
export class LookUpsAnswer {
  @Many(() => LookUpResult, { description: 'In the order asked.' })
  readonly results: readonly LookUpResult[];
}

/** An account with valid strings: the catalog reads each item of a `LookupRequest` as one. */
export class ValidAccountToFind {
  @Raw({ max: 2_000, optional: true })
  readonly url?: string;

  @Choice(platforms, { optional: true })
  readonly platform?: Platform;

  @Raw({ max: 200, optional: true })
  readonly handle?: string;
}

export class LookupRequest extends RequestOfKey {
  /** An invalid item does not fail the others. */
  @Items({ max: lookupAccountsMax })
  readonly accounts: readonly AccountToFind[];
}

export interface LookupReply {
  /** One for each account, in the order of the request. */
  readonly results: readonly {
    /** The published creator with this account; `null` when there is none. */
    readonly slug: string | null;
    /** What is wrong with each field, only for an invalid one. */
    readonly details?: ErrorDetails;
  }[];
}

/** Finds creators by their platform accounts. Only reads: may be sent twice. */
export const lookUpAccounts = toCatalog<LookupReply>()('look_up', LookupRequest);

export const lookUpAccountOperation = operation({
  name: 'lookUpAccount',
  method: 'get',
  path: '/lookup',
  tag: 'Look-ups',
  limit: 'lookup',
  summary: 'Find a creator by a link or a handle',
  description:
    'Give `url` (percent-encoded), or `platform` and `handle`. A link that does not lead to a profile on the five platforms, for example to a post, is a 400 that says why.',
  query: AccountToFind,
  answer: {
    shape: LookUpAnswer,
    description: 'The creator, if one has the account.',
    examples: { found: 'A creator has the account', none: 'No creator has it' },
  },
});

export const lookUpAccountsOperation = operation({
  name: 'lookUpAccounts',
  method: 'post',
  path: '/lookup',
  tag: 'Look-ups',
  limit: 'lookup',
  summary: `Find the creators of up to ${lookupAccountsMax} links and handles`,
  description:
    'The results are in the order asked. An invalid entry does not fail the others; `problem` says what is wrong.',
  body: AccountsToFind,
  answer: {
    shape: LookUpsAnswer,
    description: 'A result for each account.',
    examples: { results: 'A creator, an account that no creator has, and a link that names none' },
  },
  tool: {
    name: 'lookup_accounts',
    title: 'Look up accounts',
    description: [
      'Finds the creators who have these platform accounts, given as links in any common form or as platform and handle, and returns their slugs for get_creator.',
      'Free. Use it instead of a search whenever a link or a handle is known.',
      'results are in the order asked; slug is null where no creator is known, and problem says what is wrong with an invalid entry.',
    ].join(' '),
    arguments: AccountsToFind,
  },
});
