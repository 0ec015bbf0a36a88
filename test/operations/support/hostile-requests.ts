import fc from 'fast-check';

/** A request that is malformed or meant to harm. `raw` goes over the wire unchanged. */
export type HostileRequest =
  | {
      readonly kind: string;
      readonly api: 'public' | 'admin';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | { readonly kind: string; readonly api: 'public' | 'admin'; readonly raw: string };

interface Callers {
  readonly keys: readonly string[];
  readonly adminToken: string;
  readonly accountId: string;
  readonly slug: string;
}

const among = <Item>(...items: readonly Item[]) => fc.constantFrom(...items);

/** Values that have broken services before. */
// prettier-ignore
const strings = [
  "' OR 1=1 --", "'; DROP TABLE creators; --", '$1', '%_\\', '\u0000', '\u202Eabc', '\uFEFF', 'e\u0301'.repeat(60),
  '\u0301'.repeat(99), '𝓜'.repeat(100), '𝓜'.repeat(101), 'ﷺ'.repeat(40), 'İıßſ', '@'.repeat(100), '\r\nSET x 1\r\n', '{{7*7}}',
  '${jndi:ldap://x}', '<script>alert(1)</script>', '../../etc/passwd', 'NaN', '-1', '1e9', '0x10', '9007199254740992',
  '99999999999999999999', '1.5', ' 5', 'true', 'null', '[object Object]', '', ' ', 'a'.repeat(101), 'youtube', 'France', 'a',
];
// prettier-ignore
const strangeNames = ['__proto__', 'constructor', 'limit[]', 'limit[x]', 'q.x', 'Q', ' limit', 'offset', '', '%00', 'a'.repeat(300)];
// prettier-ignore
const parameters = ['q', 'country', 'category', 'language', 'platform', 'min_followers', 'max_followers', 'limit'];
// prettier-ignore
const fields = [
  'name', 'email', 'pack', 'reference', 'credits', 'price_cents', 'purchased_at', 'reason', 'active', 'published', 'slug',
  'platforms', '__proto__', 'constructor', 'unknown',
];
// prettier-ignore
const json: readonly unknown[] = [
  null, true, 0, -1, 1.5, 2 ** 53, 1e308, '', ' ', 'x'.repeat(5_000), '\u0000', "'; DROP TABLE accounts; --", [], {}, [[[[]]]],
  { toString: 1 }, ['a', 1, null], '2099-01-01T00:00:00Z', 'not a date',
];
const brokenEncodings = among('%', '%zz', '%c0%af', '%ed%a0%80', '%ff%fe', '%u0041', '%f0%9f');

const text = fc.oneof(
  { arbitrary: among(...strings), weight: 2 },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
);
const encoded = text.map(encodeURIComponent);
const inPath = fc.oneof({ arbitrary: encoded, weight: 7 }, brokenEncodings);
/** Characters that a header may have. */
const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((drawn) => drawn.trim());
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Hostile requests of these callers, to either API. */
export function hostileRequests(callers: Callers): fc.Arbitrary<HostileRequest> {
  const key = among(...callers.keys);
  return fc.oneof(
    { arbitrary: searches(key), weight: 3 },
    profiles(key, callers.slug),
    strangeHeaders(key),
    rawRequests(key),
    adminBodies(callers),
    importLines(callers.adminToken),
  );
}

type Requests = fc.Arbitrary<HostileRequest>;

function get(
  kind: string,
  path: fc.Arbitrary<string>,
  headers: fc.Arbitrary<Record<string, string>>,
): Requests {
  return fc
    .tuple(path, headers)
    .map(([drawn, given]) => ({ kind, api: 'public', method: 'GET', path: drawn, headers: given }));
}

function searches(key: fc.Arbitrary<string>): Requests {
  const name = fc.oneof({ arbitrary: among(...parameters), weight: 5 }, among(...strangeNames));
  const value = fc.option(inPath, { freq: 20 });
  const pair = fc
    .tuple(name, value)
    .map(([left, right]) => encodeURIComponent(left) + (right === null ? '' : `=${right}`));
  const query = fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => pairs.join('&'));
  return get(
    'search',
    query.map((drawn) => `/api/public/v1/search?${drawn}`),
    key.map(bearer),
  );
}

function profiles(key: fc.Arbitrary<string>, known: string): Requests {
  const strange = ['a'.repeat(101), 'a'.repeat(9_000), '..', '%2e%2e', 'A-b', '-a'];
  const slug = fc.oneof(inPath, among(`${known}?x=1`, `${known}/`, ...strange));
  return get(
    'profile',
    slug.map((drawn) => `/api/public/v1/creators/${drawn}`),
    key.map(bearer),
  );
}

function strangeHeaders(key: fc.Arbitrary<string>): Requests {
  const many = (value: string) =>
    Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x-${index}`, value.slice(0, 20)]));
  const strange = fc.oneof(
    printable.map((value): Record<string, string> => ({ 'x-request-id': value })),
    printable.map((value): Record<string, string> => ({ traceparent: value })),
    printable.map((value): Record<string, string> => ({ 'x-forwarded-for': `${value}, 127.0.0.1` })),
    printable.map((value): Record<string, string> => ({ accept: 'text/html', 'accept-encoding': value })),
    printable.map(many),
    among<Record<string, string>>(
      { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
      { 'content-length': '5' },
      { cookie: 'a'.repeat(12_000) },
      { 'x-large': 'a'.repeat(17_000) },
    ),
  );
  // An announced body that does not come would swallow the next request of this connection.
  const headers = fc
    .tuple(key, strange)
    .map(([token, given]) => ({ ...bearer(token), ...given, connection: 'close' }));
  return get('header', fc.constant('/api/public/v1/creators/nobody'), headers);
}

function rawRequests(key: fc.Arbitrary<string>): Requests {
  const search = '/api/public/v1/search HTTP/1.1\r\n';
  const nobody = '/api/public/v1/creators/nobody';
  const texts: readonly ((head: string) => string)[] = [
    (head) => `GET ${search}${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    (head) => `GET ${search}${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    (head) => `GET ${search}${head}Transfer-Encoding: xchunked\r\n\r\n`,
    (head) => `POST ${search}${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    (head) => `GET http://elsewhere${nobody} HTTP/1.1\r\n${head}\r\n`,
    (head) => `OPTIONS * HTTP/1.1\r\n${head}\r\n`,
    (head) => `GET ${nobody} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${head}\r\n`,
    (head) => `GET ${nobody} HTTP/1.1\r\n${head}X: a\r\n folded\r\n\r\n`,
    (head) => `GET ${nobody} HTTP/1.1\r\n${head}X: a\u0000b\r\n\r\n`,
    (head) => `GET ${nobody} HTTP/9.9\r\n${head}\r\n`,
    () => `GET ${nobody}\r\n\r\n`,
    (head) => `GET /api/public/v1/creators/n\tb HTTP/1.1\r\n${head}\r\n`,
    (head) => `CONNECT localhost:22 HTTP/1.1\r\n${head}\r\n`,
  ];
  const bytes = fc.uint8Array({ minLength: 40, maxLength: 40 });
  const raw = fc.oneof(
    {
      arbitrary: fc
        .tuple(among(...texts), key)
        .map(([write, token]) => write(`Host: a\r\nAuthorization: Bearer ${token}\r\n`)),
      weight: 13,
    },
    bytes.map((drawn) => `${String.fromCharCode(...drawn)}\r\n\r\n`),
  );
  const api = among<'public' | 'admin'>('public', 'public', 'public', 'public', 'admin');
  return fc.record({ kind: fc.constant('raw'), api, raw });
}

function adminBodies({ accountId, adminToken, slug }: Callers): Requests {
  const account = `/accounts/${accountId}`;
  const endpoint = fc.oneof(
    among(
      ['POST', '/accounts'],
      ...['keys', 'purchases', 'adjustments', 'agreement'].map((what) => ['POST', `${account}/${what}`]),
      ['PATCH', `/creators/${slug}`],
      ['PUT', `/creators/${slug}`],
    ),
    encoded.map((drawn) => ['GET', `/accounts/${drawn}`]),
    encoded.map((drawn) => ['GET', `/accounts?limit=${drawn}`]),
    encoded.map((drawn) => ['GET', `${account}/ledger?cursor=${drawn}`]),
    encoded.map((drawn) => ['GET', `${account}/usage?from=${drawn}`]),
    encoded.map((drawn) => ['DELETE', `${account}/keys/${drawn}`]),
  );
  // Never a valid body by chance: `unknown` is refused everywhere.
  const object = fc
    .array(fc.tuple(among(...fields), among(...json)), { maxLength: 5 })
    .map((entries) => JSON.stringify(Object.fromEntries([['unknown', 1], ...entries])));
  const broken = [
    '{"a":',
    '['.repeat(10_000),
    '{"name":"a","name":"b","unknown":1}',
    '\u0000',
    'x'.repeat(2_000_000),
  ];
  const body = fc.oneof(object, among(...json.map((value) => JSON.stringify(value)), ...broken));
  const type = among('application/json', 'application/json', 'text/plain', 'application/xml', '');
  return fc.tuple(endpoint, body, type).map(([[method = '', path = ''], given, contentType]) => ({
    kind: 'admin body',
    api: 'admin',
    method,
    path: `/admin/v1${path}`,
    headers: { ...bearer(adminToken), 'content-type': contentType },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: given }),
  }));
}

function importLines(adminToken: string): Requests {
  const record = fc.record({ slug: text, name: among(...json), platforms: among(...json) });
  const line = fc.oneof(
    among('{', 'null', '[]', '{"slug":"a"}', '\u0000', '{"slug":'.repeat(500), ' '.repeat(100)),
    record.map((drawn) => JSON.stringify(drawn)),
  );
  return fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => ({
    kind: 'import',
    api: 'admin',
    method: 'POST',
    path: '/admin/v1/creators/import',
    headers: { ...bearer(adminToken), 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  }));
}
