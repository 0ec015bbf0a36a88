import { type Platform, type Profile } from '@app/contracts';
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

/** What everyone may see of a creator: no figures, no handles, nothing about languages or verification. */
export function creatorPage(profile: Profile): PageView {
  const { name, tagline, country, categories } = profile;
  const links = [
    ...(profile.website === undefined ? [] : [{ name: 'Website', url: profile.website }]),
    ...profile.platforms.map(({ platform, url }) => ({ name: platformNames[platform], url })),
  ].filter(({ url }) => isWebAddress(url));
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
        {links.length > 0 && (
          <ul class="links" aria-label="Links">
            {links.map((link) => (
              <li key={link.url}>
                <a class="button button-plain" href={link.url} rel="nofollow noopener noreferrer">
                  {link.name}
                </a>
              </li>
            ))}
          </ul>
        )}
        <p class="hint">
          Follower counts, languages and more are available in the API.{' '}
          <a href={pagePaths.overview}>Get a key</a>
        </p>
      </article>
    ),
  };
}

/** Other schemes, such as `javascript:`, are never links. */
function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
