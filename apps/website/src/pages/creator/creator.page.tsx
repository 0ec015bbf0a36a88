import { type Platform, type PublicCreator } from '#contracts';
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

const reachFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 2 });

/** What everyone may see of a creator. */
export function creatorPage({ name, tagline, country, platforms }: PublicCreator): PageView {
  return {
    title: name,
    isPublic: true,
    body: (
      <article class="panel creator">
        <h1>{name}</h1>
        {tagline && <p class="lead">{tagline}</p>}
        <Facts>
          <Fact name="Country">{country}</Fact>
          {platforms.map(({ platform, reach }) => (
            <Fact key={platform} name={platformNames[platform]}>
              {reach === 0 ? 'under 1,000' : `about ${reachFormat.format(reach)}`} followers
            </Fact>
          ))}
        </Facts>
        <p class="hint">
          Links, handles and exact follower counts are for customers. <a href={pagePaths.overview}>Sign up</a>
        </p>
      </article>
    ),
  };
}
