import { type Platform } from '#contracts';
import { type AccountKey } from './account-key.js';
import { readLink } from './link.js';
import {
  type NamesInLink,
  type ReadPlatformLink,
  readFacebookLink,
  readFbMeLink,
  readInstagramLink,
  readTiktokLink,
  readXLink,
  readYoutuBeLink,
  readYoutubeLink,
  type UnsupportedLink,
} from './platform-links.js';

/** A link to a profile. */
export interface ProfileLink extends NamesInLink {
  readonly platform: Platform;
}

interface Site {
  readonly platform: Platform;
  readonly name: string;
  readonly read: ReadPlatformLink;
}

const youtube = { platform: 'youtube', name: 'YouTube', read: readYoutubeLink } as const;
const instagram = { platform: 'instagram', name: 'Instagram', read: readInstagramLink } as const;
const tiktok = { platform: 'tiktok', name: 'TikTok', read: readTiktokLink } as const;
const facebook = { platform: 'facebook', name: 'Facebook', read: readFacebookLink } as const;
const x = { platform: 'x', name: 'X', read: readXLink } as const;

/** Exactly these hosts: one that only resembles them is another site. */
const sites = new Map<string, Site>([
  ...hosts(['youtube.com', 'www.', 'm.', 'mobile.', 'music.', 'gaming.'], youtube),
  ...hosts(['youtu.be', 'www.'], { ...youtube, read: readYoutuBeLink }),
  ...hosts(['instagram.com', 'www.', 'm.', 'mobile.'], instagram),
  ...hosts(['instagr.am', 'www.'], instagram),
  ...hosts(['tiktok.com', 'www.', 'm.', 'mobile.'], tiktok),
  ...hosts(['vm.tiktok.com'], { ...tiktok, read: () => 'short link' }),
  ...hosts(['vt.tiktok.com'], { ...tiktok, read: () => 'short link' }),
  ...hosts(['facebook.com', 'www.', 'm.', 'mobile.', 'web.', 'mbasic.', 'touch.', 'free.'], facebook),
  ...hosts(['fb.com', 'www.', 'm.', 'mobile.'], facebook),
  ...hosts(['fb.me', 'www.'], { ...facebook, read: readFbMeLink }),
  ...hosts(['fb.watch', 'www.'], { ...facebook, read: () => 'post' }),
  ...hosts(['x.com', 'www.', 'm.', 'mobile.'], x),
  ...hosts(['twitter.com', 'www.', 'm.', 'mobile.'], x),
  ...hosts(['t.co', 'www.'], { ...x, read: () => 'short link' }),
]);

/** Facebook in a language: `es-es.facebook.com`, `de-de.facebook.com`. */
const facebookInLanguage = /^[a-z]{2}-[a-z]{2}\.facebook\.com$/;

const hostLengthShown = 60;

/**
 * The account that a pasted link to a profile names. Returns a sentence about the problem when it names none. Never
 * throws, and takes time in proportion to the length of the text.
 */
export function readProfileLink(pasted: string): ProfileLink | string {
  const link = readLink(pasted);
  if (typeof link === 'string') return link;
  const site = siteOf(link.host);
  if (!site) {
    const other = link.host.slice(0, hostLengthShown);
    return `url must be a link to YouTube, Instagram, TikTok, Facebook or X; ${other} is another site`;
  }
  const names = site.read(link);
  return typeof names === 'string' ? sentences[names](site) : { platform: site.platform, ...names };
}

/** The keys of an account that a link names, the most probable first. */
export function keysOfLink({ exact, candidates = [] }: NamesInLink): AccountKey[] {
  return [...exact, ...candidates];
}

/** Whether a text is a link to any page of one of the platforms. */
export function isPlatformLink(text: string): boolean {
  const link = readLink(text);
  return typeof link !== 'string' && siteOf(link.host) !== undefined;
}

const sentences: Readonly<Record<UnsupportedLink, (site: Site) => string>> = {
  post: ({ name }) => `url leads to a post or a video on ${name}; use the link to its author's profile`,
  page: ({ name }) => `url leads to a page of ${name} that is not a profile; use the link to a profile`,
  'short link': ({ name }) =>
    `url is a short link of ${name}, which does not show whose profile it is; open it and use the link that it leads to`,
};

function siteOf(host: string): Site | undefined {
  return sites.get(host) ?? (facebookInLanguage.test(host) ? facebook : undefined);
}

function hosts([host = '', ...before]: readonly string[], site: Site): [string, Site][] {
  return ['', ...before].map((prefix) => [prefix + host, site]);
}
