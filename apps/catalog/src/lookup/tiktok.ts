import { isOneOf, isPostOf, namesOfHandle, type ReadPlatformLink } from './platform-link.js';

const posts = new Set('collection embed photo playlist v video'.split(' '));
const pages = new Set(
  (
    'about browse business channel community-guidelines creators discover download effect explore following forgot ' +
    'foryou friends legal live login messages music place privacy search setting signup sticker tag topics upload'
  ).split(' '),
);

/** `/@name`, the `@` may be missing; tabs of the profile may follow. */
export const readTiktokLink: ReadPlatformLink = ({ path }) => {
  const [name] = path;
  if (name === undefined) return 'page';
  if (isPostOf(posts, path)) return 'post';
  if (name.startsWith('@')) return namesOfHandle('tiktok', name);
  if (isOneOf(posts, name)) return 'post';
  if (isOneOf(pages, name)) return 'page';
  return name.toLowerCase() === 't' ? 'short link' : namesOfHandle('tiktok', name);
};

/** `vm.tiktok.com`, `vt.tiktok.com`. */
export const readShortTiktokLink: ReadPlatformLink = () => 'short link';
