import {
  type ChargeRequest,
  type Credits,
  type SearchFilter,
  searchFilters,
  type SearchRequest,
} from '#contracts';
import { sha256 } from '#platform';

/**
 * What is charged for: the operation, its price, and what explains the price. `credits_if_matched` of a search that was not counted
 * as one that can't be paid.
 */
export type Metered = Pick<
  ChargeRequest,
  'operation' | 'credits' | 'credits_if_matched' | 'filters' | 'total'
>;

/** What the handler of a paid operation has found: nothing is charged for it yet. */
export interface Found {
  readonly metered: Metered;
  /** Parameters as they were read, so that a call written in another way is the same call. */
  readonly parameters: object;
  /** Headers of the paid answer only. */
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the JSON of the answer; `null` for a client that has it already: a 304. */
  readonly body: (credits: Credits) => Buffer | null;
}

/** Price of one profile in credits. */
export const profilePrice = 1;

/** Price of a search in credits: nothing when nothing matched, else 1 and 1 more for each filter used. */
export function priceSearch(search: SearchRequest, total: number): number {
  if (total === 0) return 0;
  return 1 + filtersUsed(search).length;
}

/** The filters of a search, which its price counts. */
export function filtersUsed(search: SearchRequest): SearchFilter[] {
  return searchFilters.filter((filter) => search[filter] !== undefined);
}

/** What lets billing recognise that a call repeats a paid one. */
export type Repetition = Pick<ChargeRequest, 'idempotency_key_hash' | 'fingerprint'>;

/** The marks of a call of an API key: none without an `Idempotency-Key`. */
export function repetitionOf(
  keyId: string,
  { metered, parameters }: Pick<Found, 'metered' | 'parameters'>,
  idempotencyKey: string | undefined,
): Repetition {
  if (idempotencyKey === undefined) return {};
  return {
    idempotency_key_hash: sha256(`${keyId} ${idempotencyKey}`),
    fingerprint: sha256(JSON.stringify([metered.operation, parameters])),
  };
}
