import { randomUUID } from 'node:crypto';
import { type ChargeReply, type ChargeRequest } from '@app/contracts';

/** Who is charged. */
export interface BenchCustomer {
  readonly accountId: string;
  readonly keyId: string;
}

/** What one process does. */
export interface LoadTask {
  readonly variant: 'plain' | 'batched';
  readonly url: string;
  readonly poolSize: number;
  readonly customers: readonly BenchCustomer[];
  readonly inFlight: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  /** All that were answered as charged, those outside the measured time too. */
  readonly answered: number;
  readonly charges: number;
  readonly seconds: number;
  readonly latenciesMs: number[];
}

export type Charge = (request: ChargeRequest) => Promise<ChargeReply>;

/** Keeps `inFlight` charges of one credit under way and measures those that begin after the warm-up. */
export async function putUnderLoad(charge: Charge, task: LoadTask): Promise<LoadResult> {
  const startAt = performance.now() + task.warmUpMs;
  const endAt = startAt + task.measureMs;
  const latenciesMs: number[] = [];
  let next = 0;
  let answered = 0;
  const client = async (): Promise<void> => {
    for (let began = performance.now(); began < endAt; began = performance.now()) {
      const customer = task.customers[next++ % task.customers.length];
      if (!customer) throw new Error('no customers');
      const reply = await charge(requestOf(customer));
      if (reply.outcome !== 'charged') throw new Error(`a charge ended as ${reply.outcome}`);
      answered++;
      const ended = performance.now();
      if (ended >= startAt && ended < endAt) latenciesMs.push(ended - began);
    }
  };
  await Promise.all(Array.from({ length: task.inFlight }, client));
  return { answered, charges: latenciesMs.length, seconds: task.measureMs / 1_000, latenciesMs };
}

function requestOf({ accountId, keyId }: BenchCustomer): ChargeRequest {
  const id = randomUUID();
  return {
    charge_id: id,
    account_id: accountId,
    key_id: keyId,
    request_id: id,
    operation: 'search',
    credits: 1,
  };
}
