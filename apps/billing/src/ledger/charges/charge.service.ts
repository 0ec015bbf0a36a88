import {
  type ChargeReply,
  type ChargeRequest,
  isPayload,
  isRecord,
  type SettleReply,
  type SettleRequest,
  Settlement,
  type SettlementResult,
} from '#contracts';
import { counter } from '#platform';
import { Injectable } from '@nestjs/common';
import { LedgerQueue } from './ledger-queue.js';

const charges = counter('ledger_charges_total', 'Charges requested, by outcome.', ['outcome']);
const settlements = counter('settlements_total', 'Settlements, by outcome.', ['outcome']);

/** Charges and settlements. Commands that arrive together share a transaction. */
@Injectable()
export class ChargeService {
  constructor(private readonly queue: LedgerQueue) {}

  /** Takes the credits, pending until settled; repeating the message returns the stored outcome. */
  async charge(request: ChargeRequest): Promise<ChargeReply> {
    const result = await this.queue.submit({ kind: 'charge', request });
    if (result.kind !== 'charge') throw new Error('a charge got the outcome of a settlement');
    charges.inc({ outcome: result.reply.outcome });
    return result.reply;
  }

  /** Posts and voids charges. Each result is an acknowledgement; a repeated message gets the same one. */
  async settle({ settlements }: SettleRequest): Promise<SettleReply> {
    return { results: await Promise.all(settlements.map((settlement) => this.settleOne(settlement))) };
  }

  /** An invalid settlement belongs to no charge; it is acknowledged, or it would be resent for ever. */
  private async settleOne(settlement: unknown): Promise<SettlementResult> {
    if (!isPayload(Settlement, settlement)) {
      return { charge_id: chargeIdOf(settlement), result: 'unknown_charge' };
    }
    const result = await this.queue.submit({ kind: 'settle', settlement });
    if (result.kind !== 'settle') throw new Error('a settlement got the outcome of a charge');
    settlements.inc({ outcome: result.result.result });
    return result.result;
  }
}

function chargeIdOf(settlement: unknown): string {
  return isRecord(settlement) && typeof settlement.charge_id === 'string' ? settlement.charge_id : '';
}
