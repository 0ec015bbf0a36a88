/**
 * Every mail that is sent, and the queue that it waits in. What bounds each of them is in docs/security.md, which a test
 * compares with this list: a mail without a limit is a way to flood a mailbox.
 */
export const mailKinds = {
  sign_in: { queue: 'sign_in' },
  invitation: { queue: 'invitation' },
  balance_low: { queue: 'notice' },
  lot_expiring: { queue: 'notice' },
  payment_received: { queue: 'notice' },
} as const;

export type MailKind = keyof typeof mailKinds;

/** Each has connections of its own to the mail server, so none waits for another. */
export type MailQueue = (typeof mailKinds)[MailKind]['queue'];

/** Sent right after the reply to which it belongs; notices leave through the outbox. */
export type PromptMailKind = 'sign_in' | 'invitation';

/** Connections to the mail server, of each replica. */
export const connectionsOf = { sign_in: 3, invitation: 1, notice: 2 } as const satisfies Record<
  MailQueue,
  number
>;
