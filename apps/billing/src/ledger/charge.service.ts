import {
  type ChargeReply,
  type ChargeRequest,
  isPayload,
  isRecord,
  type SettleReply,
  type SettleRequest,
  Settlement,
  type SettlementResult,
} from '@app/contracts';
import { counter } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { applyCommands } from './apply-commands.js';
import { accountOf, type LedgerCommand, type LedgerResult } from './ledger-command.js';
import { LEDGER_OPTIONS, type LedgerOptions } from './ledger-options.js';
import { MicroBatches } from './micro-batches.js';

/**
 * More than one, so that an account that somebody else holds, for up to `lock_timeout`, does not hold up all the others. Not
 * for throughput: on two cores bench/ledger could not tell one lane from two, and four were not faster.
 */
const lanes = 2;
/** For accounts that are behind with their overdue charges, or that somebody else holds. */
const lanesAsideMax = 2;
const batchSizeMax = 256;
const charges = counter('ledger_charges_total', 'Charges that were asked for, by what became of them.', [
  'outcome',
]);
const settlements = counter('settlements_total', 'Settlements, by what became of them.', ['outcome']);

/** Below the 5 s after which the gateway gives a charge up. */
const waitMaxMs = 4_000;

/**
 * Charges and settlements. What arrives together is applied in one transaction, across accounts and within one account;
 * an account's commands are always in the same lane, so that the lanes of a replica never wait for each other.
 */
@Injectable()
export class ChargeService {
  private readonly batches: MicroBatches<LedgerCommand, LedgerResult>;

  constructor(@InjectDataSource() dataSource: DataSource, @Inject(LEDGER_OPTIONS) options: LedgerOptions) {
    this.batches = new MicroBatches({
      lanes,
      lanesAsideMax,
      sizeMax: batchSizeMax,
      waitMaxMs,
      laneOf: (command) => Number.parseInt(accountOf(command).slice(-6), 16),
      ownerOf: accountOf,
      isPatient: ({ kind }) => kind === 'settle',
      patienceMs: options.settlementPatienceMs,
      apply: (commands) => applyCommands(dataSource, commands, options),
    });
  }

  /** Takes the credits, pending until settled; repeating the message returns the stored outcome. */
  async charge(request: ChargeRequest): Promise<ChargeReply> {
    const result = await this.batches.submit({ kind: 'charge', request });
    if (result.kind !== 'charge') throw new Error('a charge was answered as a settlement');
    charges.inc({ outcome: result.reply.outcome });
    return result.reply;
  }

  /** Posts and voids charges; each result is an acknowledgement, and the same for a repeated message. */
  async settle({ settlements }: SettleRequest): Promise<SettleReply> {
    return { results: await Promise.all(settlements.map((settlement) => this.settleOne(settlement))) };
  }

  /** What is no settlement can't be meant for any charge; it is acknowledged, or it would be sent for ever. */
  private async settleOne(settlement: unknown): Promise<SettlementResult> {
    if (!isPayload(Settlement, settlement)) {
      return { charge_id: chargeIdOf(settlement), result: 'unknown_charge' };
    }
    const result = await this.batches.submit({ kind: 'settle', settlement });
    if (result.kind !== 'settle') throw new Error('a settlement was answered as a charge');
    settlements.inc({ outcome: result.result.result });
    return result.result;
  }
}

function chargeIdOf(settlement: unknown): string {
  return isRecord(settlement) && typeof settlement.charge_id === 'string' ? settlement.charge_id : '';
}
