import {
  parameters,
  strangeNames,
  strings,
  brokenEncodings,
  methods,
  json,
  fields,
} from './hostile-texts.js';

/** A request that is malformed or ill-meant. `raw` goes over the wire unchanged. */
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

/** Hostile requests without end, always the same ones for a source of numbers. */
export class HostileRequests {
  constructor(
    private readonly next: (below: number) => number,
    private readonly callers: Callers,
  ) {}

  draw(number: number): HostileRequest {
    const key = this.callers.keys[number % this.callers.keys.length] ?? '';
    return this.among([
      () => this.search(key),
      () => this.search(key),
      () => this.search(key),
      () => this.profile(key),
      () => this.stranger(),
      () => this.method(key),
      () => this.header(key),
      () => this.raw(key),
      () => this.adminBody(),
      () => this.adminStranger(key),
      () => this.importLines(),
    ])();
  }

  private search(key: string): HostileRequest {
    const pairs = Array.from({ length: 1 + this.next(4) }, () => {
      const name = this.next(6) === 0 ? this.among(strangeNames) : this.among(parameters);
      const value = this.next(8) === 0 ? this.among(brokenEncodings) : this.encoded(this.text());
      return this.next(20) === 0 ? encodeURIComponent(name) : `${encodeURIComponent(name)}=${value}`;
    });
    return this.get('search', `/api/public/v1/search?${pairs.join('&')}`, key);
  }

  private profile(key: string): HostileRequest {
    const slug = this.among([
      this.encoded(this.text()),
      this.among(brokenEncodings),
      `${this.callers.slug}?x=1`,
      `${this.callers.slug}/`,
      'a'.repeat(101),
      'a'.repeat(9_000),
      '..',
      '%2e%2e',
      'A-b',
      '-a',
    ]);
    return this.get('profile', `/api/public/v1/creators/${slug}`, key);
  }

  private stranger(): HostileRequest {
    const authorization = this.among([
      '',
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      `Bearer ${'x'.repeat(44)}`,
      `Bearer csk_${'0'.repeat(38)}`,
      `bearer ${this.printable()}`,
      'Bearer a b',
      `Bearer ${'a'.repeat(4_000)}`,
    ]);
    return {
      kind: 'stranger',
      api: 'public',
      method: 'GET',
      path: '/api/public/v1/search?limit=1',
      headers: { authorization },
    };
  }

  private method(key: string): HostileRequest {
    const path = this.among([
      '/api/public/v1/search',
      `/api/public/v1/creators/${this.callers.slug}`,
      '/',
      '/api',
      '//',
      '/api/public/v2/search',
      '/admin/v1/packs',
      '/metrics',
      '/health/ready',
    ]);
    return {
      kind: 'method',
      api: 'public',
      method: this.among(methods),
      path,
      headers: { authorization: `Bearer ${key}` },
    };
  }

  private header(key: string): HostileRequest {
    const value = this.printable();
    const strange: Record<string, string> = this.among([
      { 'x-request-id': value },
      { traceparent: value },
      { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
      { 'x-forwarded-for': `${value}, 127.0.0.1` },
      { 'content-length': '5' },
      { cookie: 'a'.repeat(12_000) },
      { 'x-large': 'a'.repeat(17_000) },
      { accept: 'text/html', 'accept-encoding': value },
      Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x-${index}`, value.slice(0, 20)])),
    ]);
    // A body that was announced and does not come would swallow the next request of this connection.
    const headers = { authorization: `Bearer ${key}`, ...strange, connection: 'close' };
    return { kind: 'header', api: 'public', method: 'GET', path: '/api/public/v1/creators/nobody', headers };
  }

  private raw(key: string): HostileRequest {
    const head = `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
    const raw = this.among([
      `GET /api/public/v1/search HTTP/1.1\r\n${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `GET /api/public/v1/search HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      `GET /api/public/v1/search HTTP/1.1\r\n${head}Transfer-Encoding: xchunked\r\n\r\n`,
      `POST /api/public/v1/search HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
      `GET http://elsewhere/api/public/v1/creators/nobody HTTP/1.1\r\n${head}\r\n`,
      `OPTIONS * HTTP/1.1\r\n${head}\r\n`,
      `GET /api/public/v1/creators/nobody HTTP/1.1\r\nHost: a\r\nHost: b\r\n${head}\r\n`,
      `GET /api/public/v1/creators/nobody HTTP/1.1\r\n${head}X: a\r\n folded\r\n\r\n`,
      `GET /api/public/v1/creators/nobody HTTP/1.1\r\n${head}X: a\u0000b\r\n\r\n`,
      `GET /api/public/v1/creators/nobody HTTP/9.9\r\n${head}\r\n`,
      `GET /api/public/v1/creators/nobody\r\n\r\n`,
      `GET /api/public/v1/creators/n\tb HTTP/1.1\r\n${head}\r\n`,
      `CONNECT localhost:22 HTTP/1.1\r\n${head}\r\n`,
      `${Array.from({ length: 40 }, () => String.fromCharCode(this.next(256))).join('')}\r\n\r\n`,
    ]);
    return { kind: 'raw', api: this.next(5) === 0 ? 'admin' : 'public', raw };
  }

  private adminBody(): HostileRequest {
    const { accountId, slug } = this.callers;
    const [method, path] = this.among([
      ['POST', '/accounts'],
      ['POST', `/accounts/${accountId}/keys`],
      ['POST', `/accounts/${accountId}/purchases`],
      ['POST', `/accounts/${accountId}/adjustments`],
      ['POST', `/accounts/${accountId}/agreement`],
      ['PATCH', `/creators/${slug}`],
      ['PUT', `/creators/${slug}`],
      ['GET', `/accounts/${this.encoded(this.text())}`],
      ['GET', `/accounts?limit=${this.encoded(this.text())}`],
      ['GET', `/accounts/${accountId}/ledger?cursor=${this.encoded(this.text())}`],
      ['GET', `/accounts/${accountId}/usage?from=${this.encoded(this.text())}`],
      ['DELETE', `/accounts/${accountId}/keys/${this.encoded(this.text())}`],
    ] as const);
    // Never the one valid body by chance: `unknown` is refused everywhere.
    const object = Object.fromEntries([
      ['unknown', 1],
      ...Array.from({ length: this.next(5) }, () => [this.among(fields), this.among(json)]),
    ]) as object;
    const body = this.among([
      JSON.stringify(object),
      JSON.stringify(this.among(json)),
      '{"a":',
      '['.repeat(10_000),
      '{"name":"a","name":"b","unknown":1}',
      '\u0000',
      'x'.repeat(2_000_000),
    ]);
    const headers = {
      authorization: `Bearer ${this.callers.adminToken}`,
      'content-type': this.among([
        'application/json',
        'application/json',
        'text/plain',
        'application/xml',
        '',
      ]),
    };
    return {
      kind: 'admin body',
      api: 'admin',
      method,
      path: `/admin/v1${path}`,
      headers,
      ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
    };
  }

  private adminStranger(key: string): HostileRequest {
    const authorization = this.among([
      '',
      `Bearer ${key}`,
      `Bearer ${this.callers.adminToken}x`,
      `Bearer ${this.callers.adminToken.slice(1)}`,
      'Bearer undefined',
    ]);
    const path = this.among([
      '/admin/v1/accounts',
      '/admin/v1/ledger/audit',
      '/admin/v1/creators/import',
      '/admin',
      '/admin/v1/nothing',
    ]);
    return {
      kind: 'admin stranger',
      api: 'admin',
      method: this.among(['GET', 'POST']),
      path,
      headers: { authorization },
    };
  }

  private importLines(): HostileRequest {
    const lines = Array.from({ length: 1 + this.next(5) }, () =>
      this.among([
        '{',
        'null',
        '[]',
        '{"slug":"a"}',
        JSON.stringify({ slug: this.text(), name: this.among(json), platforms: this.among(json) }),
        '\u0000',
        '{"slug":'.repeat(500),
        ' '.repeat(100),
      ]),
    );
    const headers = {
      authorization: `Bearer ${this.callers.adminToken}`,
      'content-type': 'application/x-ndjson',
    };
    return {
      kind: 'import',
      api: 'admin',
      method: 'POST',
      path: '/admin/v1/creators/import',
      headers,
      body: lines.join('\n'),
    };
  }

  private get(kind: string, path: string, key: string): HostileRequest {
    return { kind, api: 'public', method: 'GET', path, headers: { authorization: `Bearer ${key}` } };
  }

  private text(): string {
    if (this.next(3) > 0) return this.among(strings);
    return String.fromCodePoint(...Array.from({ length: 1 + this.next(12) }, () => this.next(0xd7ff)));
  }

  /** What may stand in a header. */
  private printable(): string {
    return Array.from({ length: 1 + this.next(60) }, () => String.fromCharCode(0x20 + this.next(0x5f)))
      .join('')
      .trim();
  }

  private encoded(text: string): string {
    return encodeURIComponent(text);
  }

  private among<Item>(items: readonly Item[]): Item {
    const item = items[this.next(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }
}
