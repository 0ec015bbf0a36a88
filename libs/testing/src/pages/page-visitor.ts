import { type PageForm, ShownPage } from './shown-page.js';

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** A browser without scripts: keeps cookies, sends forms, and follows redirects only in `follow`. */
export class PageVisitor {
  readonly cookies = new Map<string, string>();

  constructor(readonly origin: string) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<ShownPage> {
    return this.send(path, { headers: { ...this.cookieHeader(), ...headers } });
  }

  /** `headers`: instead of the `Origin` of a page of the same site. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { origin: this.origin },
  ): Promise<ShownPage> {
    return this.send(path, {
      method: 'POST',
      headers: { ...this.cookieHeader(), ...headers },
      body: new URLSearchParams(fields),
    });
  }

  /** Sends a form of a page, with some of its fields filled in. */
  submit({ action, fields }: PageForm, filled: Readonly<Record<string, string>> = {}): Promise<ShownPage> {
    return this.post(action, { ...fields, ...filled });
  }

  /** The page that a redirect leads to. */
  follow(page: ShownPage): Promise<ShownPage> {
    return this.get(page.location);
  }

  private cookieHeader(): Record<string, string> {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
  }

  private async send(
    path: string,
    init: RequestInit & { headers: Record<string, string> },
  ): Promise<ShownPage> {
    const headers = { 'user-agent': userAgent, ...init.headers };
    const response = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return new ShownPage(response.status, response.headers, await response.text());
  }
}
