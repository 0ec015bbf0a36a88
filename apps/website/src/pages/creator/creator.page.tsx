import { type Platform, type PublicCreator } from '#contracts';
import { Facts, panelPage } from '../../components/display.js';
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

/** The public part of a creator. */
export function creatorPage({ name, tagline, country, platforms }: PublicCreator): PageView {
  const reaches = platforms.map(({ platform, reach }): [string, string] => [
    platformNames[platform],
    `${reach === 0 ? 'under 1,000' : `about ${reachFormat.format(reach)}`} followers`,
  ]);
  return panelPage(
    name,
    <>
      {tagline && <p>{tagline}</p>}
      <Facts of={{ Country: country, ...Object.fromEntries<string>(reaches) }} />
      <p class="hint">
        Links, handles and exact follower counts are for customers. <a href={pagePaths.signUp}>Sign up</a>
      </p>
    </>,
    { description: tagline ?? `${name} on ${reaches.map(([platform]) => platform).join(', ')}` },
  );
}
