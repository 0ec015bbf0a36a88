import { idKey, numberAtEnd } from './account-key.js';
import {
  isOneOf,
  isPostOf,
  namesOfHandle,
  type PlatformLink,
  type ReadPlatformLink,
} from './platform-link.js';
import { visibleText } from './link.js';

const posts = new Set(
  'events groups media notes permalink.php photo photo.php photos posts reel reels stories story.php video.php videos watch'.split(
    ' ',
  ),
);
const pages = new Set(
  (
    'ads bookmarks business dialog flx games gaming hashtag help home.php l.php legal login login.php marketplace ' +
    'messages notifications plugins policies privacy search settings sharer sharer.php'
  ).split(' '),
);
const digits = /^\d+$/;

/**
 * `/name`, `/100012345678901`, `/profile.php?id=`, `/people/Title/ID`, `/pages/Title/ID`, `/p/Title-ID`, `/pg/name`, with tabs
 * behind it.
 */
export const readFacebookLink: ReadPlatformLink = ({ path, query }) => {
  const [first, second, third] = path;
  if (first === undefined) return 'page';
  switch (first.toLowerCase()) {
    case 'profile.php':
      return keysOfId(visibleText(query.get('id') ?? ''));
    case 'people':
    case 'pages':
      return keysOfId(third ?? numberAtEnd(second ?? ''));
    case 'p':
      return keysOfId(numberAtEnd(second ?? ''));
    case 'pg':
      return second === undefined ? 'page' : namesOfHandle('facebook', second);
    case 'share':
      return 'short link';
  }
  if (isOneOf(posts, first) || isPostOf(posts, path)) return 'post';
  return isOneOf(pages, first) ? 'page' : namesOfHandle('facebook', first);
};

/** Short links to videos. */
export const readFbWatchLink: ReadPlatformLink = () => 'post';

/** `fb.me/name`; with more behind it, it shortens something. */
export const readFbMeLink: ReadPlatformLink = ({ path: [first, second] }) => {
  if (first === undefined) return 'page';
  return second === undefined ? namesOfHandle('facebook', first) : 'short link';
};

function keysOfId(id: string | undefined): PlatformLink {
  return id !== undefined && digits.test(id) ? { exact: [idKey('facebook', id)] } : 'page';
}
