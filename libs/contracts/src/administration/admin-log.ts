import { toBilling, toCatalog } from '../message.js';
import { Choice, Id, Integer, Text } from '../shape/fields.js';

/** What operators change, each in the past tense after its subject. */
export const adminActions = [
  'account.created',
  'account.resumed',
  'account.suspended',
  'account.updated',
  'admin_token.created',
  'admin_token.withdrawn',
  'agreement.ended',
  'agreement.started',
  'creator.created',
  'creator.deleted',
  'creator.joined',
  'creator.published',
  'creator.readmitted',
  'creator.removed',
  'creator.unpublished',
  'creator.updated',
  'creators.imported',
  'creators.unpublished',
  'import.undone',
  'credits.adjusted',
  'credits.purchased',
  'key.created',
  'key.deleted',
  'key.rotated',
  'key.updated',
  'lot.refunded',
  'order.accepted',
  'order.refunded',
  'order.resolved',
  'person.erased',
  'person.signed_out',
  'sign_in_link.created',
] as const;
export type AdminAction = (typeof adminActions)[number];

/** A change that an operator made: an entry of the log, which is only ever added to. Times are ISO 8601 UTC. */
export interface AdminLogEntry {
  /** UUIDv7: ascending with time. */
  readonly id: string;
  readonly at: string;
  /** The name of the token, `ADMIN_TOKEN` for the one of the configuration. */
  readonly token: string;
  readonly token_id: string | null;
  /** One of `adminActions`, or of a newer version. */
  readonly action: string;
  readonly request_id: string;
  readonly account_id: string | null;
  /** The changed thing: an id, a slug, an address. */
  readonly subject: string;
  /** The changed thing as the admin API shows it, without secrets; `null`: there was none. */
  readonly before: unknown;
  readonly after: unknown;
  /** When personal data in it was replaced by "erased"; `null`: never. */
  readonly erased_at: string | null;
}

/** Which entries are read, newest first. */
export class AdminLogQuery {
  @Integer({ min: 1, max: 200, default: 50 })
  readonly limit: number;

  /** Entries older than this one. */
  @Id({ optional: true })
  readonly cursor?: string;

  @Id({ optional: true })
  readonly account_id?: string;

  @Text({ max: 300, optional: true })
  readonly subject?: string;

  @Choice(adminActions, { optional: true })
  readonly action?: AdminAction;

  /** The name of a token. */
  @Text({ max: 100, optional: true })
  readonly token?: string;
}

/** The query of a page, with room for one entry more: it says whether there is another page. */
export class ListAdminLogRequest extends AdminLogQuery {
  @Integer({ min: 1, max: 201 })
  override readonly limit: number;
}

export interface AdminLogPage {
  readonly entries: AdminLogEntry[];
  readonly next_cursor: string | null;
}

/** Each service keeps the log of its own changes, because it is written in their transactions. */
export const listBillingLog = toBilling<{ readonly entries: AdminLogEntry[] }>()(
  'list_admin_log',
  ListAdminLogRequest,
);
export const listCatalogLog = toCatalog<{ readonly entries: AdminLogEntry[] }>()(
  'list_admin_log',
  ListAdminLogRequest,
);
