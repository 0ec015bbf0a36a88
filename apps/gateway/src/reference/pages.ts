import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { footerSettings } from '#http';
import { projectRoot } from '#platform';
import { type GatewayConfig } from '../config/gateway-config.js';
import { PreparedFile } from '../answers/prepared.js';

/** Written by the build (tools/docs/site). */
const directory = new URL('dist/apps/gateway/docs/', projectRoot);

/** Scripts, styles and calls of this origin only, nothing inline. */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const pageTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};
/** Of files that pages load, at addresses that name their content. */
const assetTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** An asset by name in an address: the hash of the content comes before the ending. */
const hashedName = /^(.+)\.[0-9a-f]{16}(\.[a-z]+)$/;

/** Shown at addresses without a page. */
const notFoundName = 'not-found';

/** The settings that pages show, and no others: `%%` in a page must never show a secret. */
const shownSettings = ['PUBLIC_URL', 'SITE_URL', ...Object.keys(footerSettings)] as (keyof PageSettings)[];

export type PageSettings = Partial<
  Pick<GatewayConfig, 'PUBLIC_URL' | 'SITE_URL' | keyof typeof footerSettings>
>;

interface FoundFile {
  readonly file: PreparedFile;
  /** The value of `Cache-Control`. */
  readonly cacheControl: string;
}

/** The files of the documentation, with the addresses and the name of this service in them. */
export class DocumentationPages {
  private readonly assets = filesOf(assetTypes, (text) => text);
  private readonly pages: ReadonlyMap<string, PreparedFile>;

  constructor(settings: PageSettings) {
    const files = filesOf(pageTypes, (text, ending) => this.fill(text, ending, settings));
    this.pages = new Map([...files].map(([name, file]) => [name.replace('.html', ''), file]));
  }

  /** A page by its name, its Markdown (`limits.md`), or an asset. */
  find(name: string): FoundFile | undefined {
    if (name === notFoundName) return undefined;
    const page = this.pages.get(name);
    // Pages name their assets by their content: they are asked for again each time.
    return page ? { file: page, cacheControl: 'no-cache' } : this.findAsset(name);
  }

  /** In place of a page that does not exist. */
  get notFound(): PreparedFile | undefined {
    return this.pages.get(notFoundName);
  }

  /**
   * While gateways are replaced, a page of one may load assets from another: an address with another hash is the file as it is
   * here. Only an address that names this very content can be kept for ever.
   */
  private findAsset(address: string): FoundFile | undefined {
    const name = address.replace(hashedName, '$1$2');
    const file = this.assets.get(name);
    return file && { file, cacheControl: address === this.addressOf(name) ? keptForEver : 'no-store' };
  }

  /** The last part of the address of an asset: its name with the hash of its content. */
  private addressOf(name: string): string {
    const file = this.assets.get(name);
    if (!file) throw new Error(`a page of the documentation names ${name}, which does not exist`);
    return name.replace(/(\.[a-z]+)$/, `.${file.hash}$1`);
  }

  /** Links and texts with a setting that is not set are left out. */
  private fill(text: string, ending: string, settings: PageSettings): string {
    const { PUBLIC_URL = 'https://api.example.com', SITE_URL } = settings;
    const HOME = SITE_URL === undefined ? '/docs' : `${SITE_URL}/`;
    const shown = Object.fromEntries(shownSettings.map((name) => [name, settings[name]]));
    const values: Readonly<Record<string, string | undefined>> = { ...shown, PUBLIC_URL, HOME };
    const escape = (value: string): string =>
      ending === '.html' ? value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`) : value;
    return text
      .replace(/<(a|span)\b[^>]*?>?(?:mailto:)?%%([A-Z_]+)%%[^]*?<\/\1>/g, (element, _, name: string) =>
        values[name] === undefined ? '' : element,
      )
      .replace(/%%([\w.]+)%%/g, (_, name: string) => escape(values[name] ?? this.addressOf(name)));
  }
}

const keptForEver = 'public, max-age=31536000, immutable';

/** By name. */
function filesOf(
  types: Readonly<Record<string, string>>,
  change: (text: string, ending: string) => string,
): ReadonlyMap<string, PreparedFile> {
  const files = new Map<string, PreparedFile>();
  for (const name of readdirSync(directory)) {
    const ending = extname(name);
    const type = types[ending];
    if (type === undefined) continue;
    const text = readFileSync(new URL(name, directory), 'utf8');
    files.set(name, new PreparedFile(type, Buffer.from(change(text, ending))));
  }
  return files;
}
