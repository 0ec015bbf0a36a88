/** Settings that are gone, each with what to do instead: one that is still set is an error. */
export const removedSettings: Readonly<Record<string, string>> = {
  BILLING_REPLICA_URL: 'audits read the database itself; remove it',
};
