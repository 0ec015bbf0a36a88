/** Variables of earlier versions, and what to do instead: one that is still set would be ignored silently. */
export const removedSettings: Readonly<Record<string, string>> = {
  SELLER: 'Stripe names the seller on its receipts and invoices.',
  STOP_ACCOUNTS_AFTER_LOST_DISPUTES: 'suspend the accounts that you do not want to serve.',
};
