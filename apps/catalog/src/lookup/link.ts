/** The parts of a link that can name an account. */
export interface Link {
  /** Lower case, without a period at the end. */
  readonly host: string;
  /** The segments of the path, decoded and without empty ones. */
  readonly path: readonly string[];
  /** The link's query, with names in lower case. */
  readonly query: URLSearchParams;
  /** With its `#`. */
  readonly fragment: string;
}

/** Longer than any host: bringing a longer one into its form would take too long. */
const hostLengthMax = 300;

/** Brackets and quotes that come along when a link is copied out of a text. */
const wrapped = /^(?:<(.*)>|"(.*)"|'(.*)'|“(.*)”|\((.*)\)|\[(.*)\])$/u;
/** Browsers take a backslash for a slash. */
const scheme = /^[a-z][a-z0-9+.-]*:[/\\]{2}/i;
const authority = /^[^:]*:[/\\]{2}([^/\\?#]*)/;
/** Matches a link whose first slash is encoded: a program has encoded the whole link. */
const encoded = /^[^/?#]*%2f/i;

/** Reads pasted text as a link. Returns a sentence about the problem when it is none; both take one pass. */
export function readLink(pasted: string): Link | string {
  const text = withoutWrapping(visibleLink(pasted));
  if (text === '') return 'url must not be empty';
  const url = parseUrl(text);
  if (url === null) return 'url must be a link, for example https://www.youtube.com/@name';
  if (url.username !== '' || url.password !== '' || url.port !== '') {
    return 'url must not have a user name, a password or a port';
  }
  const path = pathOf(url);
  if (path === null) return 'url must be percent-encoded UTF-8';
  return { host: url.hostname.replace(/\.$/, ''), path, query: queryOf(url), fragment: url.hash };
}

function withoutWrapping(text: string): string {
  const [, ...inside] = wrapped.exec(trimEnd(text, '.,;')) ?? [];
  return trimEnd(inside.find((part) => part !== undefined)?.trim() ?? text, '.,;');
}

function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** `null` unless it is a link of http or https; the scheme may be left out. */
function parseUrl(text: string): URL | null {
  const plain = encoded.test(text) ? (decode(text) ?? text) : text;
  const whole = scheme.test(plain) ? plain : `https://${plain.replace(/^\/\//, '')}`;
  const [, host = ''] = authority.exec(whole) ?? [];
  if (host.length > hostLengthMax || !URL.canParse(whole)) return null;
  const url = new URL(whole);
  const hasHost = url.hostname.includes('.');
  return hasHost && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

function queryOf({ searchParams }: URL): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of searchParams) query.append(name.toLowerCase(), value);
  return query;
}

/** An encoded slash separates too: no name has one. */
function pathOf({ pathname }: URL): string[] | null {
  const path = decode(pathname);
  if (path === null) return null;
  return path
    .split('/')
    .map(visibleText)
    .filter((segment) => segment !== '');
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Invisible characters: zero-width, bidirectional and control characters, soft hyphens, variation selectors. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

/** Most names: all of it is visible and has one form. */
const isPlain = /^[!-~]*$/;

const fullWidth = /[\uff01-\uff5e]/g;
/** From a full-width character to its ASCII one. */
const fullWidthShift = 0xfee0;

/** Longer than any name: giving accents one form takes time that grows with the square of their number. */
const lengthMax = 500;

/**
 * A name as it is seen, without invisible characters and surrounding space, cut off after the longest possible name.
 * What Unicode treats as the same has one form: the full-width `＠` is an `@`, a letter with a combining accent the
 * accented letter.
 */
export function visibleText(text: string): string {
  if (isPlain.test(text)) return text;
  return text.slice(0, lengthMax).replace(invisible, '').normalize('NFKC').trim();
}

/** Returns the visible text of a link, whose percent-encoded characters must not be joined with what follows them. */
export function visibleLink(text: string): string {
  return text
    .replace(invisible, '')
    .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - fullWidthShift))
    .trim();
}
