import fc from 'fast-check';

/** A request that is meant to harm. Malformed HTTP: test/e2e/errors.e2e-spec.ts. */
export interface HostileRequest {
  readonly kind: string;
  readonly api: 'public' | 'admin';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

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
const parameters = [
  'q', 'country', 'category', 'language', 'platform', 'min_followers', 'max_followers', 'limit', '__proto__', 'constructor', 'limit[]',
  'q.x', ' limit', '', '%00', 'a'.repeat(300),
];
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

const text = fc.oneof(
  { arbitrary: among(...strings), weight: 2 },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
);
const encoded = text.map(encodeURIComponent);
const inPath = fc.oneof(
  { arbitrary: encoded, weight: 7 },
  among('%', '%zz', '%c0%af', '%ed%a0%80', '%ff%fe', '%u0041', '%f0%9f'),
);

/** Characters that a header may have. */
const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((drawn) => drawn.trim());

const query = fc
  .array(fc.tuple(among(...parameters), fc.option(inPath, { freq: 20 })), { minLength: 1, maxLength: 4 })
  .map((pairs) =>
    pairs.map(([name, value]) => encodeURIComponent(name) + (value === null ? '' : `=${value}`)).join('&'),
  );

const strangeHeaders = fc.oneof(
  fc
    .tuple(among('x-request-id', 'traceparent', 'x-forwarded-for', 'accept', 'accept-encoding'), printable)
    .map(([name, value]): Record<string, string> => ({ [name]: value })),
  among<Record<string, string>>(
    Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x-${index}`, 'a'])),
    { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
    { 'content-length': '5' },
    { cookie: 'a'.repeat(12_000) },
    { 'x-large': 'a'.repeat(17_000) },
  ),
);

// Never a valid body by chance: `unknown` is refused everywhere.
const body = fc.oneof(
  fc
    .array(fc.tuple(among(...fields), among(...json)), { maxLength: 5 })
    .map((entries) => JSON.stringify(Object.fromEntries([['unknown', 1], ...entries]))),
  among(
    ...json.map((value) => JSON.stringify(value)),
    ...['{"a":', '['.repeat(10_000), '{"name":"a","name":"b","unknown":1}', '\u0000', 'x'.repeat(2_000_000)],
  ),
);

/** Hostile requests of these callers, to either API. */
export function hostileRequests(callers: Callers): fc.Arbitrary<HostileRequest> {
  const { keys, adminToken, accountId, slug } = callers;
  const key = among(...keys).map((token) => ({ authorization: `Bearer ${token}` }));
  const operator = { authorization: `Bearer ${adminToken}` };
  const get = (kind: string, path: fc.Arbitrary<string>, strange = fc.constant({})) =>
    fc.tuple(path, key, strange).map(([drawn, bearer, given]): HostileRequest => ({
      ...{ kind, api: 'public', method: 'GET' },
      path: `/api/public/v1/${drawn}`,
      headers: { ...bearer, ...given },
    }));
  const account = `/accounts/${accountId}`;
  const posted = ['keys', 'purchases', 'adjustments', 'agreement'].map((what) => `POST ${account}/${what}`);
  const writes = among('POST /accounts', ...posted, `PATCH /creators/${slug}`, `PUT /creators/${slug}`);
  const reads = fc
    .tuple(
      among('/accounts/', '/accounts?limit=', `${account}/ledger?cursor=`, `${account}/usage?from=`),
      encoded,
    )
    .map(([path, drawn]) => `GET ${path}${drawn}`);
  const type = among('application/json', 'application/json', 'text/plain', 'application/xml', '');
  const toAdmin = fc.tuple(fc.oneof(writes, reads), body, type).map(([call, given, contentType]) => {
    const [method = '', path = ''] = call.split(' ');
    const headers = { ...operator, 'content-type': contentType };
    const base: HostileRequest = { kind: 'admin', api: 'admin', method, path: `/admin/v1${path}`, headers };
    return method === 'GET' ? base : { ...base, body: given };
  });
  const slugs = fc.oneof(
    inPath,
    among(`${slug}?x=1`, `${slug}/`, 'a'.repeat(9_000), '..', '%2e%2e', 'A-b', '-a'),
  );
  return fc.oneof(
    {
      arbitrary: get(
        'search',
        query.map((drawn) => `search?${drawn}`),
      ),
      weight: 3,
    },
    get(
      'profile',
      slugs.map((drawn) => `creators/${drawn}`),
    ),
    // An announced body that does not come would swallow the next request of this connection.
    get(
      'header',
      fc.constant('creators/nobody'),
      strangeHeaders.map((given) => ({ ...given, connection: 'close' })),
    ),
    toAdmin,
  );
}
