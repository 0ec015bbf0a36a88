/** Numbers of the advisory locks for work that one replica or job does at a time. The migrations have 4_711_001, `add_ledger_month` 4_711_011. */
export const advisoryLocks = {
  sweep: 4_711_002,
  archiveJob: 4_711_003,
  hourlyAudit: 4_711_004,
  stripeEvents: 4_711_009,
} as const;
