/** Variables of earlier versions, and what to do instead: one that is still set would be ignored silently. */
export const removedSettings: Readonly<Record<string, string>> = {
  ACCOUNT_PAGES: 'the website is a service of its own; without it there are no account pages.',
  BILLING_REPLICA_URL: 'audits read the database itself.',
  CATALOG_REPLICA_URLS:
    'the catalog reads from its database only; distribute a large one (SEARCH_ENGINE=sql).',
  SELLER: 'Stripe names the seller on its receipts and invoices.',
  STOP_ACCOUNTS_AFTER_LOST_DISPUTES: 'suspend the accounts that you do not want to serve.',
};
