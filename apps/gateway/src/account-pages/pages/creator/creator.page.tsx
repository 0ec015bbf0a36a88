import { isRecord, type Platform, platforms } from '@app/contracts';
import { Fact, Facts } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

const platformNames: Readonly<Record<Platform, string>> = {
  youtube: 'YouTube',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  facebook: 'Facebook',
  x: 'X',
};

/** What everyone may see of a creator. */
export function creatorPage(profile: PublicProfile): PageView {
  const { name, tagline, country, categories, website, platforms } = profile;
  return {
    title: name,
    isPublic: true,
    body: (
      <article class="panel creator">
        <h1>{name}</h1>
        {tagline && <p class="lead">{tagline}</p>}
        <Facts>
          <Fact name="Country">{country}</Fact>
          {categories.length > 0 && <Fact name="Categories">{categories.join(', ')}</Fact>}
        </Facts>
        {(website !== undefined || platforms.length > 0) && (
          <ul class="links" aria-label="Links">
            {website !== undefined && <ExternalLink href={website}>Website</ExternalLink>}
            {platforms.map(({ platform, url }) => (
              <ExternalLink key={url} href={url}>
                {platformNames[platform]}
              </ExternalLink>
            ))}
          </ul>
        )}
        <p class="hint">
          Follower counts, languages and more come with the API. <a href={pagePaths.overview}>Get a key</a>
        </p>
      </article>
    ),
  };
}

function ExternalLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <li>
      <a class="button button-plain" href={href} rel="nofollow noopener noreferrer">
        {children}
      </a>
    </li>
  );
}

/** What everyone may see of a creator: no figures, no handles, nothing about languages or verification. */
interface PublicProfile {
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
