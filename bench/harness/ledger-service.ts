import 'reflect-metadata';
import { TransactionRunner } from '#platform/database';
import { DataSource } from 'typeorm';
import { AccountTransactions } from '../../apps/billing/src/database/account-transactions.js';
import { billingDataSourceOptions } from '../../apps/billing/src/database/data-source.js';
import { ChargeRepository } from '../../apps/billing/src/ledger/charges/charge.repository.js';
import { ChargeController } from '../../apps/billing/src/ledger/charges/charge.controller.js';
import { LedgerTransactions } from '../../apps/billing/src/ledger/charges/ledger-transactions.js';
import { LotsRepository } from '../../apps/billing/src/ledger/lots/lots.repository.js';
import {
  defaultLedgerOptions,
  type LedgerOptions,
} from '../../apps/billing/src/ledger/rules/ledger-options.js';

interface OpenLedger {
  readonly service: ChargeController;
  readonly dataSource: DataSource;
}

/** Charges and settlements as a replica of billing makes them, without messages and sweeps. */
export async function openLedger(
  url: string,
  poolSize: number,
  changed: Partial<LedgerOptions> = {},
): Promise<OpenLedger> {
  const dataSource = await new DataSource(billingDataSourceOptions({ url, poolSize })).initialize();
  const options = { ...defaultLedgerOptions, ...changed };
  const repository = new ChargeRepository(new LotsRepository());
  const runner = new TransactionRunner(dataSource);
  const accounts = new AccountTransactions(runner);
  const transactions = new LedgerTransactions(accounts, repository, options);
  return { service: new ChargeController(transactions, options), dataSource };
}
