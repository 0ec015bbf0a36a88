import { accountUrls, type Platform, platforms } from '#contracts/threads';

/** The content of an entry of a search result; handles have no leading `@`. */
export interface SearchEntry {
  readonly slug: string;
  readonly name: string;
  readonly country: string;
  readonly reach: number;
  readonly accounts: readonly {
    readonly platform: Platform;
    readonly handle: string;
    readonly url: string;
    readonly followers: number;
  }[];
}

const fieldsBefore = 4;
const fieldsPerAccount = 4;

/**
 * An entry of a search result in about a third of its length: lines of strings already escaped for JSON.
 * Slug, name, country, reach, then for each account the number of its platform, handle, URL if unusual, and followers.
 */
export function writeRecord({ slug, name, country, reach, accounts }: SearchEntry): string {
  const lines = [slug, escaped(name), escaped(country), String(reach)];
  for (const { platform, handle, url, followers } of accounts) {
    const [before, after] = accountUrls[platform];
    lines.push(
      String(platforms.indexOf(platform)),
      escaped(handle),
      url === before + handle + after ? '' : escaped(url),
      String(followers),
    );
  }
  return lines.join('\n');
}

/** An account as a record has it. */
export type RecordAccount = Omit<SearchEntry['accounts'][number], 'followers'>;

/** The accounts in a record. */
export function accountsOf(record: string): RecordAccount[] {
  const lines = record.split('\n');
  const accounts: RecordAccount[] = [];
  for (let at = fieldsBefore; at < lines.length; at += fieldsPerAccount) {
    const platform = platforms[Number(lines[at])] ?? 'x';
    const handle = unescaped(lines[at + 1] ?? '');
    const [before, after] = accountUrls[platform];
    const url = unescaped(lines[at + 2] ?? '') || before + handle + after;
    accounts.push({ platform, handle, url });
  }
  return accounts;
}

/** Expands records to entries of a search result. */
export class EntryWriter {
  private readonly beforeSlug: string;

  constructor(siteUrl: string) {
    this.beforeSlug = escaped(`${siteUrl.replace(/\/+$/, '')}/creators/`);
  }

  entry(record: string): string {
    const lines = record.split('\n');
    const slug = lines[0] ?? '';
    let accounts = '';
    for (let at = fieldsBefore; at < lines.length; at += fieldsPerAccount) {
      const platform = platforms[Number(lines[at])] ?? 'x';
      const handle = lines[at + 1] ?? '';
      const unusual = lines[at + 2] ?? '';
      const [before, after] = accountUrls[platform];
      const url = unusual === '' ? before + handle + after : unusual;
      accounts += `${accounts === '' ? '' : ','}{"platform":"${platform}","handle":"@${handle}","url":"${url}","followers":${lines[at + 3]}}`;
    }
    return `{"slug":"${slug}","name":"${lines[1]}","url":"${this.beforeSlug}${slug}","country":"${lines[2]}","total_reach":${lines[3]},"platforms":[${accounts}]}`;
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unescaped(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
