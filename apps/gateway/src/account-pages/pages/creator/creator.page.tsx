import { type Platform } from '@app/contracts';
import { Fact, Facts } from '../../components/display/facts.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { type PublicProfile } from './public-profile.js';

const platformNames: Readonly<Record<Platform, string>> = {
  youtube: 'YouTube',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  facebook: 'Facebook',
  x: 'X',
};

/** What everybody may see of a creator. */
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
