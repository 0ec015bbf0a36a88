import { pagePaths, pagesPrefix } from '../paths/page-paths.js';

const anyOrigin = 'https://pages.invalid';
const pathLengthMax = 500;

/**
 * The page to go to after signing in: the given one if it is one of ours, else the first. Anything that a browser could take
 * for another site, or that is no page, is ignored.
 */
export function returnPath(given: string): string {
  if (given.length > pathLengthMax || !/^\/[\x21-\x7e]*$/.test(given)) {
    return pagesPrefix;
  }
  if (given.includes('\\') || !URL.canParse(given, anyOrigin)) return pagesPrefix;
  const { origin, pathname, search } = new URL(given, anyOrigin);
  const isPage = pathname === pagesPrefix || pathname.startsWith(`${pagesPrefix}/`);
  const isSignIn = [pagePaths.signIn, pagePaths.signOut].some((path) => pathname.startsWith(path));
  return origin === anyOrigin && isPage && !isSignIn ? pathname + search : pagesPrefix;
}
