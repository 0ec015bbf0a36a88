import { type Readable } from 'node:stream';
import { type UsageRow } from '#client';
import { environment } from './environment.js';
import { type Call, type Reply, send } from './http.js';
import { type ErrorBody } from './public-api.js';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly credits_remaining: number;
}

export interface Lot {
  readonly id: string;
  readonly remaining: number;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly active: boolean;
}

export interface LedgerEntry {
  readonly type: string;
  readonly credits: number;
  readonly lot_id: string;
  readonly charge_id: string | null;
  readonly request_id: string | null;
  readonly operation: string | null;
  readonly state: string | null;
}

export interface ImportReport {
  readonly rejected: number;
  readonly errors: { readonly line: number; readonly error: string }[];
}

export interface Audit {
  readonly ok: boolean;
  readonly discrepancies: { readonly account_id: string }[];
}

export type AdminReply<Success> = Reply<Success & ErrorBody>;

/** A line of an import. */
export interface CreatorRecord {
  readonly slug: string;
  readonly name: string;
  readonly tagline?: string;
  readonly country: string;
  readonly languages: readonly string[];
  readonly verified?: boolean;
  readonly website?: string;
  readonly categories: readonly string[];
  readonly published?: boolean;
  readonly platforms: readonly PlatformRecord[];
}

export interface PlatformRecord {
  readonly platform: string;
  readonly handle: string;
  readonly url?: string;
  readonly followers: number;
  readonly updated_at: string;
}

/** Calls the admin API with its token; replies of any status are returned. */
export const admin = {
  call<Success>(method: string, path: string, body?: unknown): Promise<AdminReply<Success>> {
    if (body === undefined) return admin.send<Success>(path, { method, headers: admin.authorization });
    const headers = { ...admin.authorization, 'content-type': 'application/json' };
    return admin.send<Success>(path, { method, headers, body: JSON.stringify(body) });
  },

  send<Success>(path: string, call: Call = {}): Promise<AdminReply<Success>> {
    return send(environment.adminUrl, `/admin/v1${path}`, call);
  },

  get authorization() {
    return { authorization: `Bearer ${environment.adminToken}` };
  },

  /** Imports lines as they are: text, bytes or a stream of them. */
  importLines(body: string | Buffer | Readable): Promise<AdminReply<ImportReport>> {
    const headers = { ...admin.authorization, 'content-type': 'application/x-ndjson' };
    return admin.send('/creators/import', { method: 'POST', headers, body });
  },

  importCreators(records: readonly CreatorRecord[]): Promise<AdminReply<ImportReport>> {
    return admin.importLines(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  },

  account: async (id: string) =>
    succeeded(await admin.call<Account & { readonly lots: Lot[] }>('GET', `/accounts/${id}`)),

  balance: async (id: string) => (await admin.account(id)).credits_remaining,

  audit: async () => succeeded(await admin.call<Audit>('GET', '/ledger/audit')),

  /** Every entry of the account, newest first. */
  async ledger(id: string): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { entries: LedgerEntry[]; next_cursor: string | null } = succeeded(
        await admin.call('GET', `/accounts/${id}/ledger?limit=100${query}`),
      );
      entries.push(...page.entries);
      cursor = page.next_cursor;
    }
    return entries;
  },

  async usage(id: string): Promise<readonly UsageRow[]> {
    // A test may start just before midnight: both days are asked for.
    const day = (offsetDays: number) => daysFromNow(offsetDays).slice(0, 10);
    const path = `/accounts/${id}/usage?from=${day(-1)}&to=${day(1)}`;
    return succeeded(await admin.call<{ readonly usage: readonly UsageRow[] }>('GET', path)).usage;
  },
};

/** The body of a reply that has to be a success. */
export function succeeded<Success>(reply: AdminReply<Success>): Success {
  if (reply.status >= 300) throw new Error(`status ${reply.status}: ${reply.text}`);
  return reply.body;
}

export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
