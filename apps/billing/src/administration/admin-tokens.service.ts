import {
  type AdminTokenPath,
  type AdminTokenView,
  type AuthenticateAdminRequest,
  type AuthenticatedAdmin,
  type CreateAdminTokenRequest,
} from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { readClock } from '../database/account-transactions.js';
import { conflict, notFound } from '../errors.js';
import { AdminToken } from './admin-token.entity.js';

/**
 * Served by `admin_tokens_hash_unique`. The row is written only when its last use is a minute old, so that most requests of an
 * operator only read.
 */
const authenticateSql = `
  WITH found AS (SELECT id, name, role, last_used_at FROM admin_tokens WHERE hash = $1 AND withdrawn_at IS NULL),
  marked AS (
    UPDATE admin_tokens SET last_used_at = (SELECT ledger_now()) FROM found
    WHERE admin_tokens.id = found.id
      AND (found.last_used_at IS NULL OR found.last_used_at <= (SELECT ledger_now()) - interval '1 minute')
  )
  SELECT id, name, role FROM found`;

/** Inserts a token unless its name is taken: of several requests with one name, one gets the row. Served by `admin_tokens_name_unique`. */
const insertSql = `
  INSERT INTO admin_tokens (id, name, role, hash, prefix, created_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (name) WHERE withdrawn_at IS NULL DO NOTHING RETURNING id`;

/** Tokens of the admin API, of which only the hashes are known here. */
@Injectable()
export class AdminTokensService {
  constructor(private readonly database: TransactionRunner) {}

  /** `null` for a token that is unknown or withdrawn. */
  async authenticate({
    token_hash,
  }: AuthenticateAdminRequest): Promise<{ admin: AuthenticatedAdmin | null }> {
    const { query } = this.database;
    const [admin] = await query<AuthenticatedAdmin>('authenticate admin', authenticateSql, [token_hash]);
    return { admin: admin ?? null };
  }

  /** Throws `conflict` when a token in use has this name. */
  create(request: CreateAdminTokenRequest, by: ChangeContext): Promise<AdminTokenView> {
    const { token_id: id, token_hash: hash, name, role, prefix } = request;
    return this.database.run(async (transaction) => {
      const createdAt = await readClock(transaction);
      const columns = [id, name, role, hash, prefix, createdAt];
      const inserted = await transaction.query('insert admin token', insertSql, columns);
      if (inserted.length === 0) {
        throw conflict('A token in use has this name: withdraw it, or choose another name.');
      }
      const after = toView({ id, name, role, hash, prefix, createdAt, lastUsedAt: null, withdrawnAt: null });
      await transaction.record({ action: 'admin_token.created', subject: id, after });
      return after;
    }, by);
  }

  /** Newest first. */
  async list(): Promise<{ tokens: AdminTokenView[] }> {
    const { manager } = this.database;
    const tokens = await manager.find(AdminToken, { order: { createdAt: 'DESC', id: 'DESC' } });
    return { tokens: tokens.map(toView) };
  }

  /** From the commit on it is refused. A token that was withdrawn before stays as it is. Throws `not_found`. */
  withdraw({ token_id: id }: AdminTokenPath, by: ChangeContext): Promise<AdminTokenView> {
    return this.database.run(async (transaction) => {
      const { manager } = transaction;
      const lock = { mode: 'pessimistic_write' } as const;
      const token = await manager.findOne(AdminToken, { where: { id }, lock });
      if (!token) throw notFound('There is no token with this id.');
      const before = toView(token);
      if (token.withdrawnAt) return before;
      const withdrawnAt = await readClock(transaction);
      await manager.update(AdminToken, { id }, { withdrawnAt });
      const after = toView({ ...token, withdrawnAt });
      await transaction.record({ action: 'admin_token.withdrawn', subject: id, before, after });
      return after;
    }, by);
  }
}

function toView(token: AdminToken): AdminTokenView {
  return {
    id: token.id,
    name: token.name,
    role: token.role,
    prefix: token.prefix,
    created_at: token.createdAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    withdrawn_at: token.withdrawnAt?.toISOString() ?? null,
  };
}
