import { ServiceError } from '#contracts';
import { type LedgerBatch } from '../rules/ledger-batch.js';
import { type LedgerCommand, type LedgerResult } from '../rules/ledger-state.js';
import { type Outcome } from './micro-batches.js';

/** Applies a command to the batch; an error of the caller's is an outcome, too. */
export function outcomeOf(batch: LedgerBatch, command: LedgerCommand): Outcome<LedgerResult> {
  try {
    if (command.kind === 'charge') {
      return { result: { kind: 'charge', reply: batch.charge(command.request) } };
    }
    const { settlement } = command;
    const result = { charge_id: settlement.charge_id, result: batch.settle(settlement) };
    return { result: { kind: 'settle', result } };
  } catch (error) {
    if (error instanceof ServiceError) return { error };
    throw error;
  }
}
