import { type TestQuery } from '../ledger.fixture.js';

/** The credits of an account, summed over its entries, its charges and its lots. */
export interface LedgerSums {
  readonly purchased: number;
  readonly taken: number;
  readonly reversed: number;
  readonly expired: number;
  readonly pending: number;
  readonly posted: number;
  readonly voided: number;
  readonly remaining: number;
  /** The remaining credits of the lot with the fewest. */
  readonly lowest: number;
}

const sumsSql = `
  WITH account AS (SELECT $1::uuid AS id), entries AS (
    SELECT
      COALESCE(sum(credits) FILTER (WHERE type = 'purchase'), 0)::integer AS purchased,
      COALESCE(-sum(credits) FILTER (WHERE type = 'charge'), 0)::integer AS taken,
      COALESCE(sum(credits) FILTER (WHERE type = 'reversal'), 0)::integer AS reversed,
      COALESCE(-sum(credits) FILTER (WHERE type = 'expiry'), 0)::integer AS expired
    FROM ledger_entries WHERE account_id = (SELECT id FROM account)
  ), charged AS (
    SELECT
      COALESCE(sum(credits) FILTER (WHERE state = 'pending'), 0)::integer AS pending,
      COALESCE(sum(credits) FILTER (WHERE state = 'posted'), 0)::integer AS posted,
      COALESCE(sum(credits) FILTER (WHERE state = 'voided'), 0)::integer AS voided
    FROM charges WHERE account_id = (SELECT id FROM account)
  ), held AS (
    SELECT COALESCE(sum(remaining), 0)::integer AS remaining, COALESCE(min(remaining), 0)::integer AS lowest
    FROM lots WHERE account_id = (SELECT id FROM account)
  )
  SELECT * FROM entries, charged, held`;

/** Adds up an account's credits and fails unless every credit of the `purchased` ones is in exactly one place. */
export async function expectNothingLost(
  query: TestQuery,
  accountId: string,
  purchased: number,
): Promise<LedgerSums> {
  const [sums] = await query<LedgerSums>(sumsSql, [accountId]);
  if (!sums) throw new Error('the sums gave no row');
  const { pending, posted, voided, expired, remaining } = sums;
  expect({ ...sums, somewhere: pending + posted + expired + remaining }).toMatchObject({
    purchased,
    somewhere: purchased,
    taken: pending + posted + voided,
    reversed: voided,
  });
  expect(sums.lowest).toBeGreaterThanOrEqual(0);
  return sums;
}
