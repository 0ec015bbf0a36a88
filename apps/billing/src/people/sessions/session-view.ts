import { type SessionView } from '#contracts';
import { type SessionRow } from './sessions.repository.js';

const byName = new Intl.Collator('en');

/** What people see of their session. */
export function toView(row: SessionRow): SessionView {
  const { role, account_id: id, account_name: name, is_suspended } = row;
  return {
    session_id: row.id,
    person_id: row.person_id,
    email: row.email,
    role,
    account: id === null ? null : { id, name: name ?? '', ...(is_suspended && { is_suspended }) },
    accounts: row.accounts.toSorted((one, other) => byName.compare(one.name, other.name)),
    invitations: row.invitations,
    expires_at: row.expires_at.toISOString(),
  };
}
