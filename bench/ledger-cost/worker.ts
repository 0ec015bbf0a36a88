import { type ChargeRequest } from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { type ChargeService } from '../../apps/billing/src/ledger/charges/charge.service.js';
import { type BenchCustomer } from '../ledger-load.js';
import { openLedger } from '../ledger-service.js';
import { type History, makeHistory } from './history.js';

export interface Ground {
  readonly url: string;
  /** Charges in the ledger before the first call. */
  readonly history: number;
  readonly periods: History['periods'];
  readonly oldMonths?: History['oldMonths'];
}

export interface Load {
  readonly callers: number;
  readonly calls: number;
}

export interface Played {
  readonly seconds: number;
  /** Of the charges; nobody waits for a settlement. */
  readonly latenciesMs: readonly number[];
}

/** The service's default. */
const poolSize = 10;

/** A replica of this checkout: gets its database ready, says so, then plays each load that it is sent. */
process.once('message', (ground: Ground) => {
  void open(ground);
});

async function open({ url, history, ...ground }: Ground): Promise<void> {
  await makeHistory(url, { count: history, ...ground });
  const { service, dataSource } = await openLedger(url, poolSize);
  const customers = await dataSource.query<BenchCustomer[]>(
    'SELECT account_id AS "accountId", id AS "keyId" FROM api_keys',
  );
  process.on('message', (load: Load) => {
    void play(service, customers, load).then((played) => process.send?.(played));
  });
  process.send?.('ready');
}

/** Each caller charges a random account, posts the charge without waiting for that, and makes its next call. */
async function play(
  service: ChargeService,
  customers: readonly BenchCustomer[],
  { callers, calls }: Load,
): Promise<Played> {
  const latenciesMs: number[] = [];
  const settlements: Promise<void>[] = [];
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const request = requestOf(customers);
      const began = performance.now();
      const { outcome } = await service.charge(request);
      latenciesMs.push(performance.now() - began);
      if (outcome !== 'charged') throw new Error(`a charge ended as ${outcome}`);
      settlements.push(post(service, request));
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  await Promise.all(settlements);
  return { seconds: (performance.now() - began) / 1_000, latenciesMs };
}

function requestOf(customers: readonly BenchCustomer[]): ChargeRequest {
  const customer = customers[Math.floor(Math.random() * customers.length)];
  if (!customer) throw new Error('no customers');
  return {
    charge_id: uuidv7(),
    account_id: customer.accountId,
    key_id: customer.keyId,
    request_id: uuidv7(),
    operation: 'search',
    credits: 1,
    filters: ['q', 'country'],
    total: 1_234,
  };
}

async function post(service: ChargeService, { charge_id, account_id }: ChargeRequest): Promise<void> {
  const { results } = await service.settle({ settlements: [{ charge_id, account_id, outcome: 'posted' }] });
  const result = results[0]?.result;
  if (result !== 'posted') throw new Error(`a settlement ended as ${result}`);
}
