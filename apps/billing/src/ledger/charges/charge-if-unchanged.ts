import { type ChargeRequest, type Settlement } from '#contracts';
import { type Query } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { byPurchase, type Lot } from '../rules/allocate.js';
import { type LedgerWrites } from '../rules/ledger-batch.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../rules/ledger-options.js';

/** What is to be written, and what it was decided on. */
export interface Decision extends Pick<LedgerWrites, 'newCharges' | 'entries'> {
  /** To be locked: each account that is charged, or of which a charge is posted. */
  readonly accountIds: readonly string[];
  /** Unexpired ones of every account that is charged. */
  readonly lots: ReadonlyMap<string, readonly Lot[]>;
  readonly calls: readonly ChargeRequest[];
  /** Charges taken to be pending. */
  readonly posted: readonly Settlement[];
}

/** `changed`: something else is not as it was taken to be. Nothing is written unless everything is. */
type Answer =
  | { readonly outcome: 'written' }
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'lots_changed'; readonly lots: ReadonlyMap<string, readonly Lot[]> };

interface AnswerRow {
  readonly outcome: Answer['outcome'];
  readonly lot_accounts: string[];
  readonly lot_ids: string[];
  readonly purchases: Date[];
  readonly expiries: Date[];
  readonly credits_left: number[];
}

const types = `uuid[] uuid[] integer[] integer
  uuid[] uuid[] uuid[] text[] text[] text[] integer[] text[] text[] bigint[] text[] integer[] text[] text[] text[]
  uuid[] uuid[] uuid[] integer[]
  uuid[] uuid[]`;
const placeholders = types.split(/\s+/).map((type, index) => `$${index + 1}::${type}`);
const sql = `SELECT * FROM charge_if_unchanged(${placeholders.join(', ')})`;

/**
 * Locks the accounts and writes what was decided before, if it was decided on what is there. Hand-written, one statement:
 * `charge_if_unchanged` in the migrations says what it compares. The locks last as long as its transaction.
 */
@Injectable()
export class ChargeIfUnchanged {
  constructor(
    @Inject(LEDGER_OPTIONS)
    private readonly options: Pick<LedgerOptions, 'pendingTimeoutMs'>,
  ) {}

  async write(query: Query, decision: Decision): Promise<Answer> {
    const [row] = await query<AnswerRow>('charge if unchanged', sql, this.parametersOf(decision));
    if (!row) throw new Error('charge_if_unchanged gave no row');
    if (row.outcome !== 'lots_changed') return { outcome: row.outcome };
    return { outcome: row.outcome, lots: lotsByAccount(decision.lots.keys(), row) };
  }

  private parametersOf({ accountIds, lots, calls, newCharges, entries, posted }: Decision): unknown[] {
    const known = [...lots.values()].flat().sort(byPurchase);
    const secrets = new Map(calls.map((call) => [call.charge_id, call.key_hash]));
    return [
      accountIds,
      known.map((lot) => lot.id),
      known.map((lot) => lot.remaining),
      this.options.pendingTimeoutMs,
      newCharges.map((charge) => charge.id),
      newCharges.map((charge) => charge.accountId),
      newCharges.map((charge) => charge.keyId),
      newCharges.map((charge) => secrets.get(charge.id) ?? null),
      newCharges.map((charge) => charge.requestId),
      newCharges.map((charge) => charge.operation),
      newCharges.map((charge) => charge.credits),
      newCharges.map((charge) => charge.state),
      newCharges.map((charge) => charge.refusal),
      newCharges.map((charge) => charge.creditsRemaining),
      newCharges.map((charge) => charge.filters),
      newCharges.map((charge) => charge.total),
      newCharges.map((charge) => charge.idempotency?.keyHash ?? null),
      newCharges.map((charge) => charge.idempotency?.fingerprint ?? null),
      calls.flatMap((call) => call.idempotency_key_hash ?? []),
      entries.map((entry) => entry.chargeId),
      entries.map((entry) => entry.accountId),
      entries.map((entry) => entry.lotId),
      entries.map((entry) => entry.credits),
      posted.map((settlement) => settlement.charge_id),
      posted.map((settlement) => settlement.account_id),
    ];
  }
}

function lotsByAccount(accountIds: Iterable<string>, row: AnswerRow): Map<string, Lot[]> {
  const lots = new Map<string, Lot[]>([...accountIds].map((accountId) => [accountId, []]));
  row.lot_ids.forEach((id, index) => {
    const [purchasedAt, expiresAt] = [row.purchases[index], row.expiries[index]];
    const [accountId = '', remaining = 0] = [row.lot_accounts[index], row.credits_left[index]];
    if (purchasedAt && expiresAt) lots.get(accountId)?.push({ id, purchasedAt, expiresAt, remaining });
  });
  return lots;
}
