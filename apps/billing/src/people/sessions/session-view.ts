import { type OwnAccount, type SessionView } from '#contracts';
import { askedSignIn } from './asked-sign-in.js';
import { type OwnAccountRow, type RulesRow, type SessionRow } from './sessions.repository.js';

const byName = new Intl.Collator('en');

/** What people see of their session. An account that requires another sign-in is named, not shown. */
export function toView(row: SessionRow): SessionView {
  const toOwn = ({ id, name, ...rules }: OwnAccountRow): OwnAccount => {
    const asks = askedBy(rules, row);
    return asks === null ? { id, name } : { id, name, asks };
  };
  const shown =
    row.account_id === null
      ? null
      : toOwn({
          id: row.account_id,
          name: row.account_name ?? '',
          provider_only: row.provider_only ?? false,
          session_hours: row.session_hours,
        });
  return {
    session_id: row.id,
    person_id: row.person_id,
    email: row.email,
    ...showing(row, shown),
    accounts: row.accounts.map(toOwn).toSorted((one, other) => byName.compare(one.name, other.name)),
    ...(row.method === null ? {} : { method: row.method }),
    invitations: row.invitations,
    expires_at: row.expires_at.toISOString(),
  };
}

function showing(
  { role, is_suspended }: SessionRow,
  account: OwnAccount | null,
): Pick<SessionView, 'role' | 'account' | 'withheld'> {
  if (account?.asks === undefined) {
    return { role, account: account && { ...account, ...(is_suspended && { is_suspended }) } };
  }
  return { role: null, account: null, withheld: { ...account, asks: account.asks } };
}

function askedBy({ provider_only, session_hours }: RulesRow, row: SessionRow): OwnAccount['asks'] | null {
  const rules = { providerOnly: provider_only, sessionHours: session_hours };
  return askedSignIn(rules, { method: row.method, signedInAt: row.signed_in_at }, row.now);
}
