import { idKey } from './account-key.js';
import {
  isOneOf,
  isPostOf,
  namesOfHandle,
  type PlatformLink,
  type ReadPlatformLink,
} from './platform-link.js';
import { visibleText } from './link.js';

const posts = new Set('article status statuses'.split(' '));
const pages = new Set(
  (
    'about account compose download explore hashtag home i intent jobs login logout messages notifications oauth ' +
    'privacy search search-advanced settings share signup tos who_to_follow'
  ).split(' '),
);
const digits = /^\d+$/;

/** `/name`, tabs may follow; `/i/user/ID`; `/intent/user?screen_name=`; the old `/#!/name`. */
export const readXLink: ReadPlatformLink = ({ path, query, fragment }) => {
  const whole = path.length === 0 && fragment.startsWith('#!/') ? fragment.slice(3).split('/') : path;
  const [first, second, third] = whole;
  if (first === undefined || first === '') return 'page';
  const page = first.toLowerCase();
  if (page === 'i' && second === 'user') return keysOfId(third);
  if (page === 'i' && isPostOf(posts, whole)) return 'post';
  if (page === 'intent') return keysOfIntent(query);
  if (isOneOf(pages, first)) return 'page';
  return isPostOf(posts, whole) ? 'post' : namesOfHandle('x', first);
};

/** `t.co`. */
export const readShortXLink: ReadPlatformLink = () => 'short link';

function keysOfIntent(query: URLSearchParams): PlatformLink {
  const name = visibleText(query.get('screen_name') ?? '');
  return name === '' ? keysOfId(visibleText(query.get('user_id') ?? '')) : namesOfHandle('x', name);
}

function keysOfId(id: string | undefined): PlatformLink {
  return id !== undefined && digits.test(id) ? { exact: [idKey('x', id)] } : 'page';
}
