import { isRecord, type Platform, platforms } from '@app/contracts';

/** What everybody may see of a creator: no figures, no handles, nothing about languages or verification. */
export interface PublicProfile {
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly tagline: string;
  readonly country: string;
  readonly categories: readonly string[];
  readonly website: string | undefined;
  readonly platforms: readonly { readonly platform: Platform; readonly url: string }[];
}

/** Takes it out of a profile as the catalog sends it (spec 2.2). */
export function readPublicProfile(bytes: Buffer): PublicProfile {
  const profile: unknown = JSON.parse(bytes.toString('utf8'));
  if (!isRecord(profile)) throw new Error('a profile is no JSON object');
  const { website } = profile;
  return {
    slug: textOf(profile.slug),
    name: textOf(profile.name),
    url: textOf(profile.url),
    tagline: textOf(profile.tagline),
    country: textOf(profile.country),
    categories: listOf(profile.categories).map(textOf),
    website: typeof website === 'string' && isWebAddress(website) ? website : undefined,
    platforms: listOf(profile.platforms).flatMap(readPlatform),
  };
}

function readPlatform(account: unknown): { platform: Platform; url: string }[] {
  if (!isRecord(account)) return [];
  const url = textOf(account.url);
  const platform = platforms.find((name) => name === account.platform);
  return platform !== undefined && isWebAddress(url) ? [{ platform, url }] : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Anything else, as `javascript:`, is no link of ours. */
function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
