import { isOneOf, isPostOf, namesOfHandle, type ReadPlatformLink } from './platform-link.js';

const posts = new Set('p reel reels s stories tv'.split(' '));
const pages = new Set(
  'about accounts api ar challenge developer direct directory emails explore legal lite popular press privacy session terms web'.split(
    ' ',
  ),
);

/** `/name`; the app's own links have `_u` before it. Tabs of the profile may follow. */
export const readInstagramLink: ReadPlatformLink = ({ path }) => {
  const profile = path[0] === '_u' ? path.slice(1) : path;
  const [name] = profile;
  if (name === undefined) return 'page';
  if (name.startsWith('@')) return namesOfHandle('instagram', name);
  if (isOneOf(posts, name)) return 'post';
  if (isOneOf(pages, name)) return 'page';
  if (name.toLowerCase() === 'share') return 'short link';
  return isPostOf(posts, profile) ? 'post' : namesOfHandle('instagram', name);
};
