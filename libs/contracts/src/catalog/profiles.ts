import { AnyText, AnyTexts, Choice, Flag, Integer, Time, Url } from '../shape/fields.js';
import { Many } from '../shape/nested-fields.js';
import { Shape } from '../shape/shape.js';

/** In the order in which documents list them. */
export const platforms = ['youtube', 'instagram', 'tiktok', 'facebook', 'x'] as const;
export type Platform = (typeof platforms)[number];

/** The URL of an account on a platform: the parts before and after its handle. */
export const accountUrls: Readonly<Record<Platform, readonly [before: string, after: string]>> = {
  youtube: ['https://www.youtube.com/@', ''],
  instagram: ['https://www.instagram.com/', '/'],
  tiktok: ['https://www.tiktok.com/@', ''],
  facebook: ['https://www.facebook.com/', ''],
  x: ['https://x.com/', ''],
};

/** Longer than some platforms allow today: old accounts keep their names. */
const handleRules: Readonly<Record<Platform, { readonly pattern: RegExp; readonly what: string }>> = {
  // YouTube takes the letters of many scripts.
  youtube: { pattern: /^[\p{L}\p{M}\p{N}_.·-]{1,30}$/u, what: '1 to 30 letters, digits and _ . - ·' },
  instagram: { pattern: /^[\w.]{1,30}$/, what: '1 to 30 of the characters A-Z, a-z, 0-9, _ and .' },
  tiktok: { pattern: /^[\w.]{1,30}$/, what: '1 to 30 of the characters A-Z, a-z, 0-9, _ and .' },
  // A page without a name of its own is called by its title and its number.
  facebook: { pattern: /^[\p{L}\p{M}\p{N}_.-]{1,100}$/u, what: '1 to 100 letters, digits and _ . -' },
  x: { pattern: /^\w{1,20}$/, what: '1 to 20 of the characters A-Z, a-z, 0-9 and _' },
};
const name = /[\p{L}\p{N}_]/u;
const rounded = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** What is wrong with a handle without its `@`, as the rest of a sentence; `null` when its platform allows it. */
export function handleProblem(platform: Platform, handle: string): string | null {
  if (rounded.test(handle)) return 'was rounded by a spreadsheet; give the whole number';
  const { pattern, what } = handleRules[platform];
  return pattern.test(handle) && name.test(handle) ? null : `must consist of ${what}`;
}

@Shape('An account of a creator on one platform.')
export class PlatformAccount {
  @Choice(platforms, { description: 'The platform.' })
  readonly platform: Platform;

  @AnyText({ description: 'The name of the account, with a leading `@`.' })
  readonly handle: string;

  @Url({ description: 'The account on the platform.' })
  readonly url: string;

  @Integer({ description: 'The latest follower count.' })
  readonly followers: number;
}

@Shape('An account of a creator on one platform, and when its followers were counted.')
export class DatedPlatformAccount extends PlatformAccount {
  @Time({ description: 'When the followers were last counted.' })
  readonly updated_at: string;
}

@Shape('A creator in a search.')
export class Creator {
  @AnyText({
    description:
      'The unique name of the creator: the last part of `url`, and of the path of the profile in this API.',
  })
  readonly slug: string;

  @AnyText({ description: 'Display name.' })
  readonly name: string;

  @Url({ description: 'The profile on our site.' })
  readonly url: string;

  @AnyText({ description: 'Country name.' })
  readonly country: string;

  @Integer({ description: 'The sum of the latest follower counts over all platforms.' })
  readonly total_reach: number;

  @Many(() => PlatformAccount, { description: 'On all platforms, also when a search named one.' })
  readonly platforms: readonly PlatformAccount[];
}

@Shape('The full record of one creator.')
export class Profile extends Creator {
  @AnyText({ description: 'A short summary; may be empty.' })
  readonly tagline: string;

  @AnyTexts({ description: 'Content languages.' })
  readonly languages: readonly string[];

  @Flag({ description: 'We have verified that the profile is genuine.' })
  readonly verified: boolean;

  @Url({ optional: true, description: 'The official website; absent when it is not known.' })
  readonly website?: string;

  @AnyTexts({ description: 'Niches, as slugs.' })
  readonly categories: readonly string[];

  @Many(() => DatedPlatformAccount, { description: 'The accounts on all platforms.' })
  override readonly platforms: readonly DatedPlatformAccount[];
}
