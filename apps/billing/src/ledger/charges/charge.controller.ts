import {
  charge,
  type ChargeReply,
  ChargeRequest,
  isPayload,
  isRecord,
  settle,
  type SettleReply,
  SettleRequest,
  Settlement,
  type SettlementResult,
} from '#contracts';
import { counter } from '#platform';
import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { LEDGER_OPTIONS, type LedgerOptions } from '../rules/ledger-options.js';
import { accountOf, type LedgerCommand, type LedgerResult } from '../rules/ledger-state.js';
import { LedgerTransactions } from './ledger-transactions.js';
import { MicroBatches } from './micro-batches.js';

const charges = counter('ledger_charges_total', 'Charges requested, by outcome.', ['outcome']);
const settlements = counter('settlements_total', 'Settlements, by outcome.', ['outcome']);

/**
 * More than one lane, so that an account locked by another transaction, for up to `lock_timeout`, does not block all
 * the others. Not for throughput: on two cores bench/ledger measured no difference between one lane and two, and four
 * were not faster.
 */
const lanes = 2;
/** For accounts with a backlog of overdue charges, or locked by another transaction. */
const slowLanesMax = 2;
const batchSizeMax = 256;
/** Less than the 5 s after which the gateway gives up on a charge. */
const waitMaxMs = 4_000;

/**
 * Charges and settlements, requested by the gateway. Commands that arrive together share a transaction, across accounts and within an account. An
 * account's commands always use the same lane, so that the lanes of a replica never wait for each other.
 */
@Controller()
export class ChargeController {
  private readonly queue: MicroBatches<LedgerCommand, LedgerResult>;

  constructor(
    transactions: LedgerTransactions,
    @Inject(LEDGER_OPTIONS) options: Pick<LedgerOptions, 'settlementBatchDelayMs'>,
  ) {
    this.queue = new MicroBatches({
      lanes,
      slowLanesMax,
      sizeMax: batchSizeMax,
      waitMaxMs,
      laneOf: (command) => Number.parseInt(accountOf(command).slice(-6), 16),
      ownerOf: accountOf,
      canWait: ({ kind }) => kind === 'settle',
      maxBatchDelayMs: options.settlementBatchDelayMs,
      apply: (commands) => transactions.apply(commands),
    });
  }

  /** Takes the credits, pending until settled; repeating the message returns the stored outcome. */
  @MessagePattern(charge.pattern)
  async charge(@Payload() request: ChargeRequest): Promise<ChargeReply> {
    const result = await this.queue.submit({ kind: 'charge', request });
    if (result.kind !== 'charge') throw new Error('a charge got the outcome of a settlement');
    charges.inc({ outcome: result.reply.outcome });
    return result.reply;
  }

  /** Posts and voids charges. Each result is an acknowledgement; a repeated message gets the same one. */
  @MessagePattern(settle.pattern)
  async settle(@Payload() { settlements }: SettleRequest): Promise<SettleReply> {
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
