import { accountPagesPath } from '#contracts';

/** The prefix of all pages except those of creators. */
export const pagesPrefix = accountPagesPath;

/** Every path of version 1 of the API is below it. */
export const publicPrefix = '/api/public/v1';

/** The home page, and its prices. */
export const homePath = '/';
export const pricingPath = '/#pricing';

/** The prefix of the pages of creators. */
export const creatorsPrefix = '/creators';

/** Where Stripe sends its webhooks. */
export const paymentEventsPath = '/webhooks/stripe';

/** The pages of members, by name. */
export const pagePaths = {
  overview: pagesPrefix,
  keys: `${pagesPrefix}/keys`,
  buy: `${pagesPrefix}/buy`,
  usage: `${pagesPrefix}/usage`,
  calls: `${pagesPrefix}/calls`,
  statement: `${pagesPrefix}/statement`,
  settings: `${pagesPrefix}/settings`,
  accounts: `${pagesPrefix}/accounts`,
  signIn: `${pagesPrefix}/sign-in`,
  signUp: `${pagesPrefix}/sign-up`,
  signOut: `${pagesPrefix}/sign-out`,
  switchAccount: `${pagesPrefix}/switch`,
  files: `${pagesPrefix}/files`,
} as const;

/** A path with the parameters that have a value, in the given order. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

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
  const isSignIn = [pagePaths.signIn, pagePaths.signUp, pagePaths.signOut].some((path) =>
    pathname.startsWith(path),
  );
  return origin === anyOrigin && isPage && !isSignIn ? pathname + search : pagesPrefix;
}
