import { handleKey, idKey, nameKey } from './account-key.js';
import { isOneOf, namesOfHandle, type PlatformLink, type ReadPlatformLink } from './platform-link.js';

const posts = new Set('clip e embed live playlist post shorts source v watch'.split(' '));
const pages = new Set(
  (
    'about account attribution_link channels creators feed gaming hashtag howyoutubeworks intl kids movies music new ' +
    'oembed premium redirect reporthistory results shared signin sports t trending'
  ).split(' '),
);

/** `/@name`, `/channel/ID`, `/c/name`, `/user/name` and the old `/name`; tabs of a channel may follow. */
export const readYoutubeLink: ReadPlatformLink = ({ path }) => {
  const [first, second] = path;
  if (first === undefined) return 'page';
  if (first.startsWith('@')) return namesOfHandle('youtube', first);
  if (isOneOf(posts, first)) return 'post';
  if (isOneOf(pages, first)) return 'page';
  const kind = first.toLowerCase();
  if (kind !== 'channel' && kind !== 'c' && kind !== 'user') return keysOfOldName(first);
  if (second === undefined) return 'page';
  if (second.startsWith('@')) return namesOfHandle('youtube', second);
  return kind === 'channel' ? { exact: [idKey('youtube', second)] } : keysOfName(kind, second);
};

/** A short link to a video, or one that was shortened by hand. */
export const readYoutuBeLink: ReadPlatformLink = ({ path: [first] }) => {
  if (first === undefined) return 'page';
  return first.startsWith('@') ? namesOfHandle('youtube', first) : 'post';
};

/** YouTube gave most channels the handle that their old name was. */
function keysOfName(kind: 'c' | 'user', name: string): PlatformLink {
  return { exact: [nameKey('youtube', kind, name)], candidates: [handleKey('youtube', name)] };
}

function keysOfOldName(name: string): PlatformLink {
  return {
    exact: [nameKey('youtube', 'c', name)],
    candidates: [nameKey('youtube', 'user', name), handleKey('youtube', name)],
  };
}
