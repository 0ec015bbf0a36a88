export const dayMs = 24 * 3_600_000;

/** An invitation can be accepted for this long. */
export const invitationForMs = 14 * dayMs;

/** Invitations within 24 hours; each is one mail. */
export const invitationsMax = {
  ofAccount: 20,
  /** From one account to one mailbox. */
  toMailbox: 1,
  /** From all accounts to one mailbox. */
  toMailboxFromAll: 5,
} as const;

/** Members and open invitations of an account. */
export const membersMax = 50;
