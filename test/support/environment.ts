function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: run \`npm run test:e2e\`, or point it at a running stack`);
  }
  return value.replace(/\/+$/, '');
}

/** The stack under test: the one that the set-up of the suite started, or one that was given from outside. */
export const environment = {
  /** Origin of the public API, without a path. */
  get publicUrl() {
    return required('BASE_URL');
  },
  /** Origin of the website, without a path: beside a stack that was given from outside, that of the API unless SITE_BASE_URL says. */
  get siteUrl() {
    return required(process.env.SITE_BASE_URL ? 'SITE_BASE_URL' : 'BASE_URL');
  },
  /** Origin of the admin API, without a path. */
  get adminUrl() {
    return required('ADMIN_URL');
  },
  get adminToken() {
    return required('ADMIN_TOKEN');
  },
  /** Origin of the stand-in for Stripe; none beside a stack that was given from outside. */
  get paymentsUrl() {
    return process.env.STRIPE_STAND_IN_URL;
  },
  /** Where the mails that the stack has sent are listed; the same. */
  get mailsUrl() {
    return process.env.MAIL_LISTING_URL;
  },
  /** The database of accounts and the ledger; the same. */
  get billingDatabaseUrl() {
    return process.env.STACK_BILLING_DATABASE_URL;
  },
} as const;
