/** Falsifications of what keys have spent of their monthly limits. */
export const ofKeys = [
  {
    name: 'a key that has spent one credit more or less of its limit',
    rows: `SELECT id, account_id, by FROM api_keys, (VALUES (1), (-1)) AS change (by)
      WHERE monthly_limit IS NOT NULL AND spent > 0`,
    sql: 'UPDATE api_keys SET spent = spent + :by WHERE id = :id',
    finding: 'key_spending_differs',
  },
] as const;
