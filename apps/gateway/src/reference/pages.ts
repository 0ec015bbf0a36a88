import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { footerSettings } from '#http';
import { projectRoot } from '#platform';
import { type GatewayConfig } from '../config/gateway-config.js';
import { contentTypes, type FoundFile, HashedFiles, PreparedFile } from '../answers/prepared-file.js';

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

/** Pages name their files by their content: they are asked for again each time. */
const pageCacheControl = 'no-cache';

const texts: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': contentTypes.text,
};
const assets: Readonly<Record<string, string>> = {
  '.css': contentTypes.style,
  '.js': contentTypes.script,
  '.svg': 'image/svg+xml',
};

/** Shown at addresses without a page. */
const notFoundName = 'not-found';

/** The settings that pages show, and no others: `%%` in a page must never show a secret. */
const shownSettings = ['PUBLIC_URL', 'SITE_URL', ...Object.keys(footerSettings)] as (keyof PageSettings)[];

export type PageSettings = Partial<
  Pick<GatewayConfig, 'PUBLIC_URL' | 'SITE_URL' | keyof typeof footerSettings>
>;

/** The files of the documentation, with the addresses and the name of this service in them. */
export class DocumentationPages {
  private readonly assets = new HashedFiles(filesOf(assets, (text) => text));
  private readonly texts: ReadonlyMap<string, PreparedFile>;

  constructor(settings: PageSettings) {
    const files = filesOf(texts, (text, ending) => this.fill(text, ending, settings));
    this.texts = new Map(Object.entries(files).map(([name, file]) => [name.replace('.html', ''), file]));
  }

  /** A page by its name, its Markdown (`limits.md`), or a file that pages load. */
  find(name: string): FoundFile | undefined {
    if (name === notFoundName) return undefined;
    const file = this.texts.get(name);
    return file ? { file, cacheControl: pageCacheControl } : this.assets.find(name);
  }

  /** In place of a page that does not exist. */
  get notFound(): PreparedFile | undefined {
    return this.texts.get(notFoundName);
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
      .replace(/%%([\w.]+)%%/g, (_, name: string) => escape(values[name] ?? this.assets.addressOf(name)));
  }
}

function filesOf(
  types: Readonly<Record<string, string>>,
  change: (text: string, ending: string) => string,
): Record<string, PreparedFile> {
  const names = readdirSync(directory).filter((name) => extname(name) in types);
  const prepare = (name: string): PreparedFile => {
    const ending = extname(name);
    const text = readFileSync(new URL(name, directory), 'utf8');
    return new PreparedFile(types[ending] ?? contentTypes.text, Buffer.from(change(text, ending)));
  };
  return Object.fromEntries(names.map((name) => [name, prepare(name)]));
}
