import {
  type ChargeReply,
  type ChargeRequest,
  type SettleReply,
  type SettleRequest,
  type Settlement,
  type SettlementResult,
} from '@app/contracts';
import { counter } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { checkChargeRequest, checkSettlements, isSettlement } from './charge-request.js';
import { LedgerQueue } from './ledger-queue.js';

const charges = counter('ledger_charges_total', 'Charges that were asked for, by what became of them.', [
  'outcome',
]);
const settlements = counter('settlements_total', 'Settlements, by what became of them.', ['outcome']);

/** Charges and settlements; those that arrive together share a transaction. */
@Injectable()
export class ChargeService {
  constructor(private readonly queue: LedgerQueue) {}

  /** Takes the credits, pending until settled; repeating the message returns the stored outcome. */
  async charge(request: ChargeRequest): Promise<ChargeReply> {
    checkChargeRequest(request);
    const result = await this.queue.submit({ kind: 'charge', request });
    if (result.kind !== 'charge') throw new Error('a charge was answered as a settlement');
    charges.inc({ outcome: result.reply.outcome });
    return result.reply;
  }

  /** Posts and voids charges; each result is an acknowledgement, and the same for a repeated message. */
  async settle({ settlements }: SettleRequest): Promise<SettleReply> {
    checkSettlements(settlements);
    return { results: await Promise.all(settlements.map((settlement) => this.settleOne(settlement))) };
  }

  private async settleOne(settlement: Settlement): Promise<SettlementResult> {
    if (!isSettlement(settlement)) return { charge_id: settlement.charge_id, result: 'unknown_charge' };
    const result = await this.queue.submit({ kind: 'settle', settlement });
    if (result.kind !== 'settle') throw new Error('a settlement was answered as a charge');
    settlements.inc({ outcome: result.result.result });
    return result.result;
  }
}
