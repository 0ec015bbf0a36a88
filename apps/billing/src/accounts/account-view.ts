import { type AccountView } from '#contracts';
import { type Account } from './account.entity.js';

/** An account as operators see it. */
export function toAccountView(account: Account, creditsRemaining: number): AccountView {
  const { suspendedAt, suspensionReason } = account;
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    created_at: account.createdAt.toISOString(),
    credits_remaining: creditsRemaining,
    ...(suspendedAt && { suspended_at: suspendedAt.toISOString() }),
    ...(suspensionReason !== null && { suspension_reason: suspensionReason }),
  };
}
