import { type ChargeRequest } from '@app/contracts';
import { LedgerBatch } from './ledger-batch.js';
import { type LedgerState, type StoredCharge } from './ledger-state.js';

/** The instant of every batch. */
export const now = new Date('2026-01-31T12:00:00.000Z');
const pendingTimeoutMs = 30_000;
export const before = (ms: number): Date => new Date(now.getTime() - ms);
export const lot = {
  id: 'lot',
  purchasedAt: before(1_000),
  expiresAt: new Date(now.getTime() + 1),
  remaining: 10,
};

/** A batch that holds account `one`, with a lot of 10 credits and a key; `two` is somebody else's. */
export function batchOn(state: Partial<LedgerState> = {}): LedgerBatch {
  const known: LedgerState = {
    now,
    accountIds: new Set(['one']),
    lots: new Map([['one', [lot]]]),
    keys: new Map(['one', 'two'].map((accountId) => [`key of ${accountId}`, { accountId, active: true }])),
    charges: new Map(),
    tombstones: new Map(),
  };
  return new LedgerBatch({ ...known, ...state }, pendingTimeoutMs);
}

/** A search of 3 credits. */
export const request: ChargeRequest = {
  charge_id: 'charge',
  account_id: 'one',
  key_id: 'key of one',
  request_id: 'request',
  operation: 'search',
  credits: 3,
};

/** What it is stored as. */
export const stored: StoredCharge = {
  id: 'charge',
  accountId: 'one',
  keyId: 'key of one',
  requestId: 'request',
  operation: 'search',
  credits: 3,
  state: 'pending',
  refusal: null,
  voidReason: null,
  creditsRemaining: 7,
  createdAt: before(1_000),
  pendingUntil: new Date(now.getTime() + 1),
  settledAt: null,
  filters: null,
  total: null,
  idempotency: null,
  repeatOf: null,
  fromLots: [{ lotId: 'lot', credits: 3 }],
};
export const charges = (...all: StoredCharge[]) => new Map(all.map((charge) => [charge.id, charge]));
