import { type Platform } from '#contracts';
import {
  type AccountKey,
  handleKey,
  idKey,
  keysOfHandle,
  nameKey,
  numberAtEnd,
  withoutAt,
  youtubeChannelId,
} from './account-key.js';
import { type Link, visibleText } from './link.js';

/**
 * Why a link to a platform names no account: it leads to a post, to a page of the platform itself, or shortens another
 * link, so that only the platform knows where it leads.
 */
export type UnsupportedLink = 'post' | 'page' | 'short link';

/** The keys of the account that a link leads to. */
export interface NamesInLink {
  readonly exact: readonly AccountKey[];
  /** Other keys that it most probably means, when the exact ones are not known. */
  readonly candidates?: readonly AccountKey[];
  /** The name as it is written, without `@`; absent where the link has only a number that is no handle. */
  readonly handle?: string;
  /** The link of the account, where it is not made of the handle. */
  readonly url?: string;
}

type PlatformLink = NamesInLink | UnsupportedLink;

/** Reads the path of a link to one platform. */
export type ReadPlatformLink = (link: Link) => PlatformLink;

/** A profile named by its handle, with or without the `@`. */
function namesOfHandle(platform: Platform, handle: string): PlatformLink {
  const exact = keysOfHandle(platform, handle);
  return exact.length === 0 ? 'page' : { exact, handle: withoutAt(handle) };
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Whether a segment is one of these words, in any case. */
function isOneOf(words: ReadonlySet<string>, segment: string | undefined): boolean {
  return segment !== undefined && words.has(segment.toLowerCase());
}

/**
 * Whether the path after a profile leads to one of its posts: such a word with something after it. The word by itself is
 * a tab of the profile. The name in such a link is not evidence: platforms show the post whatever the name is.
 */
function isPostOf(words: ReadonlySet<string>, [, word, post]: readonly string[]): boolean {
  return isOneOf(words, word) && post !== undefined;
}

const digits = /^\d+$/;

function keysOfId(platform: Platform, id: string | undefined): PlatformLink {
  if (id === undefined || !digits.test(id)) return 'page';
  return { exact: [idKey(platform, id)], ...(platform === 'facebook' ? { handle: id } : {}) };
}

const youtubePosts = words('clip e embed live playlist post shorts source v watch');
const youtubePages = words(
  'about account attribution_link channels creators feed gaming hashtag howyoutubeworks intl kids movies music ' +
    'new oembed premium redirect reporthistory results shared signin sports t trending',
);

/** `/@name`, `/channel/ID`, `/c/name`, `/user/name` and the old `/name`; tabs of a channel may follow. */
export const readYoutubeLink: ReadPlatformLink = ({ path }) => {
  const [first, second] = path;
  if (first === undefined) return 'page';
  if (first.startsWith('@')) return namesOfHandle('youtube', first);
  if (isOneOf(youtubePosts, first)) return 'post';
  if (isOneOf(youtubePages, first)) return 'page';
  const kind = first.toLowerCase();
  if (kind !== 'channel' && kind !== 'c' && kind !== 'user') return keysOfOldName(first);
  if (second === undefined) return 'page';
  if (second.startsWith('@')) return namesOfHandle('youtube', second);
  return kind === 'channel' ? keysOfChannel(second) : keysOfName(kind, second);
};

/** A short link to a video, or one that was shortened by hand. */
export const readYoutuBeLink: ReadPlatformLink = ({ path: [first] }) => {
  if (first === undefined) return 'page';
  return first.startsWith('@') ? namesOfHandle('youtube', first) : 'post';
};

function keysOfChannel(id: string): PlatformLink {
  const exact = [idKey('youtube', id)];
  return youtubeChannelId.test(id) ? { exact, handle: id, url: youtubeUrl('channel', id) } : { exact };
}

/** YouTube gave most channels the handle that their old name was. */
function keysOfName(kind: 'c' | 'user', name: string): PlatformLink {
  return {
    exact: [nameKey('youtube', kind, name)],
    candidates: [handleKey('youtube', name)],
    handle: name,
    url: youtubeUrl(kind, name),
  };
}

/** The link of a channel that has no handle. */
export function youtubeUrl(...path: readonly string[]): string {
  return ['https://www.youtube.com', ...path.map(encodeURIComponent)].join('/');
}

function keysOfOldName(name: string): PlatformLink {
  return {
    exact: [nameKey('youtube', 'c', name)],
    candidates: [nameKey('youtube', 'user', name), handleKey('youtube', name)],
    handle: name,
    url: youtubeUrl(name),
  };
}

const instagramPosts = words('p reel reels s stories tv');
const instagramPages = words(
  'about accounts api ar challenge developer direct directory emails explore legal lite popular press privacy ' +
    'session terms web',
);

/** `/name`; the app's own links have `_u` before it. Tabs of the profile may follow. */
export const readInstagramLink: ReadPlatformLink = ({ path }) => {
  const profile = path[0] === '_u' ? path.slice(1) : path;
  const [name] = profile;
  if (name === undefined) return 'page';
  if (name.startsWith('@')) return namesOfHandle('instagram', name);
  if (isOneOf(instagramPosts, name)) return 'post';
  if (isOneOf(instagramPages, name)) return 'page';
  if (name.toLowerCase() === 'share') return 'short link';
  return isPostOf(instagramPosts, profile) ? 'post' : namesOfHandle('instagram', name);
};

const tiktokPosts = words('collection embed photo playlist v video');
const tiktokPages = words(
  'about browse business channel community-guidelines creators discover download effect explore following ' +
    'forgot foryou friends legal live login messages music place privacy search setting signup sticker tag topics ' +
    'upload',
);

/** `/@name`, the `@` may be missing; tabs of the profile may follow. */
export const readTiktokLink: ReadPlatformLink = ({ path }) => {
  const [name] = path;
  if (name === undefined) return 'page';
  if (isPostOf(tiktokPosts, path)) return 'post';
  if (name.startsWith('@')) return namesOfHandle('tiktok', name);
  if (isOneOf(tiktokPosts, name)) return 'post';
  if (isOneOf(tiktokPages, name)) return 'page';
  return name.toLowerCase() === 't' ? 'short link' : namesOfHandle('tiktok', name);
};

const facebookPosts = words(
  'events groups media notes permalink.php photo photo.php photos posts reel reels stories story.php video.php ' +
    'videos watch',
);
const facebookPages = words(
  'ads bookmarks business dialog flx games gaming hashtag help home.php l.php legal login login.php marketplace ' +
    'messages notifications plugins policies privacy search settings sharer sharer.php',
);

/**
 * `/name`, `/100012345678901`, `/profile.php?id=`, `/people/Title/ID`, `/pages/Title/ID`, `/p/Title-ID`, `/pg/name`, tabs may
 * follow.
 */
export const readFacebookLink: ReadPlatformLink = ({ path, query }) => {
  const [first, second, third] = path;
  if (first === undefined) return 'page';
  switch (first.toLowerCase()) {
    case 'profile.php':
      return keysOfId('facebook', visibleText(query.get('id') ?? ''));
    case 'people':
    case 'pages':
      return keysOfId('facebook', third ?? numberAtEnd(second ?? ''));
    case 'p':
      return keysOfId('facebook', numberAtEnd(second ?? ''));
    case 'pg':
      return second === undefined ? 'page' : namesOfHandle('facebook', second);
    case 'share':
      return 'short link';
  }
  if (isOneOf(facebookPosts, first) || isPostOf(facebookPosts, path)) return 'post';
  return isOneOf(facebookPages, first) ? 'page' : namesOfHandle('facebook', first);
};

/** `fb.me/name`; a longer path is a short link. */
export const readFbMeLink: ReadPlatformLink = ({ path: [first, second] }) => {
  if (first === undefined) return 'page';
  return second === undefined ? namesOfHandle('facebook', first) : 'short link';
};

const xPosts = words('article status statuses');
const xPages = words(
  'about account compose download explore hashtag home i intent jobs login logout messages notifications oauth ' +
    'privacy search search-advanced settings share signup tos who_to_follow',
);

/** `/name`, tabs may follow; `/i/user/ID`; `/intent/user?screen_name=`; the old `/#!/name`. */
export const readXLink: ReadPlatformLink = ({ path, query, fragment }) => {
  const whole = path.length === 0 && fragment.startsWith('#!/') ? fragment.slice(3).split('/') : path;
  const [first, second, third] = whole;
  if (first === undefined || first === '') return 'page';
  const page = first.toLowerCase();
  if (page === 'i' && second === 'user') return keysOfId('x', third);
  if (page === 'i' && isPostOf(xPosts, whole)) return 'post';
  if (page === 'intent') return keysOfIntent(query);
  if (isOneOf(xPages, first)) return 'page';
  return isPostOf(xPosts, whole) ? 'post' : namesOfHandle('x', first);
};

function keysOfIntent(query: URLSearchParams): PlatformLink {
  const name = visibleText(query.get('screen_name') ?? '');
  return name === '' ? keysOfId('x', visibleText(query.get('user_id') ?? '')) : namesOfHandle('x', name);
}
