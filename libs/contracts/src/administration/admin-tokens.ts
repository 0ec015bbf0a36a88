import { neverResent, NoPayload, toBilling } from '../message.js';
import { Choice, Id, Sha256, Text } from '../shape/fields.js';
import { Both } from '../shape/shape.js';

/**
 * The permissions of a token: `all`; `support`: everything about accounts and orders, but no sign-in to accounts of others and no credits beyond
 * `supportCreditsMax`, and read about creators; `import`: everything about
 * creators, nothing else; `read`: read what `support` reads. Only `all` sees and changes tokens.
 */
export const adminRoles = ['all', 'support', 'import', 'read'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** A user of the admin API. `id` is `null` for `ADMIN_TOKEN`, which is no row of a database. */
export interface Operator {
  readonly id: string | null;
  /** The name of their token. */
  readonly name: string;
}

/** A token as the admin API shows it; the token itself is shown once, in `CreatedAdminToken`. Times are ISO 8601 UTC. */
export interface AdminTokenView {
  readonly id: string;
  readonly name: string;
  readonly role: AdminRole;
  readonly prefix: string;
  readonly created_at: string;
  /** To the minute; `null`: never used. */
  readonly last_used_at: string | null;
  /** Since when it is refused; `null`: it is accepted. */
  readonly withdrawn_at: string | null;
}

export interface CreatedAdminToken extends AdminTokenView {
  readonly token: string;
}

export class AdminTokenPath {
  @Id()
  readonly token_id: string;
}

export class CreateAdminTokenBody {
  @Text({ max: 100 })
  readonly name: string;

  @Choice(adminRoles)
  readonly role: AdminRole;
}

export class CreateAdminTokenRequest extends Both(AdminTokenPath, CreateAdminTokenBody) {
  /** SHA-256 of the token, hex: the gateway generates the token, which is never sent. */
  @Sha256()
  readonly token_hash: string;

  /** The first characters of the token, for lists. */
  @Text({ max: 100 })
  readonly prefix: string;
}

export class AuthenticateAdminRequest {
  @Sha256()
  readonly token_hash: string;
}

/** An accepted token. */
export type AuthenticatedAdmin = Pick<AdminTokenView, 'id' | 'name' | 'role'>;

/** `null` when the token is unknown or withdrawn. Notes when it was used. */
export const authenticateAdmin = toBilling<{ readonly admin: AuthenticatedAdmin | null }>()(
  'authenticate_admin',
  AuthenticateAdminRequest,
);

/** `conflict` when a token in use has this name. Never resent: the caller asks again, and reads what became of it. */
export const createAdminToken = toBilling<AdminTokenView>()(
  'create_admin_token',
  CreateAdminTokenRequest,
  neverResent,
);

/** Newest first, withdrawn ones too. */
export const listAdminTokens = toBilling<{ readonly tokens: AdminTokenView[] }>()(
  'list_admin_tokens',
  NoPayload,
);

/** `not_found` without such a token. May be sent twice: a withdrawn token stays so. */
export const withdrawAdminToken = toBilling<AdminTokenView>()('withdraw_admin_token', AdminTokenPath);
