import { setTimeout as wait } from 'node:timers/promises';
import { type Stack } from '#dev';
import { createFundedAccount, type TestAccount } from '../../support/accounts.js';
import { admin } from '../../support/admin-api.js';
import { Consumer, type Receipt, hasFailed } from '../../support/consumers.js';
import { explains, type PlayedFault, reckon } from '../../support/reckoning.js';
import { reckonCalls } from '../../support/repeated-calls.js';
import { settledLedgers } from '../../support/settled-ledgers.js';
import { SuiteCatalog } from '../../support/suite-catalog.js';
import { Buyer } from '../../support/buyer.js';
import { checkCalls } from '../../support/checked-calls.js';
import { type Fault } from './faults.js';
import { RetryingClients } from '../../support/retrying-clients.js';

/** A fault with what the clients saw of it. */
export interface SeenFault extends PlayedFault {
  /** Calls from its beginning until all was well again. */
  readonly calls: number;
  /** Calls that had another outcome than without the fault. */
  readonly failed: Receipt[];
  /** From the beginning of the fault to the last failed call, in ms. */
  readonly failsForMs: number;
  /** From the end of the fault to the last failed and the first successful call that began after it, in ms. */
  readonly recoveryMs: number;
}

export type FaultRun = Awaited<ReturnType<typeof playFaults>>;

const richConsumers = 5;
/** Creators whose profiles change meanwhile. */
const changingCreators = 3;
const calmMs = 600;
const healsWithinMs = 30_000;
const pollMs = 20;

/** A stack that is hit by faults on `Target`. */
export interface Played<Target> {
  readonly stack: Pick<Stack, 'publicUrl' | 'adminUrl' | 'adminToken'>;
  readonly target: Target;
  readonly replicas: number;
  /** Pending time-out of the stack's billing, ms. */
  readonly pendingTimeoutMs: number;
}

/** Plays the faults one by one under load, then compares what the clients saw with the ledger. */
export async function playFaults<Target>(
  { stack, target, replicas, pendingTimeoutMs }: Played<Target>,
  faults: readonly Fault<Target>[],
) {
  process.env.BASE_URL = stack.publicUrl;
  process.env.ADMIN_URL = stack.adminUrl;
  process.env.ADMIN_TOKEN = stack.adminToken;
  const settledWithinMs = 10_000 + 10 * pendingTimeoutMs;
  const catalog = new SuiteCatalog();
  const creator = catalog.record('someone');
  const changing = Array.from({ length: changingCreators }, (_, number) =>
    catalog.record(`changing-${number}`),
  );
  await catalog.importVisible([creator, ...changing]);
  const poor = await createFundedAccount({ credits: 0, keys: 5 });
  const retrying = await createFundedAccount({ credits: 1_000_000 });
  const rich: TestAccount[] = [];
  while (rich.length < richConsumers) {
    rich.push(await createFundedAccount({ credits: 1_000_000, keys: 5 }));
  }
  const accountIds = rich.map(({ id }) => id);
  const consumers = [
    new Consumer(poor, creator.slug, true),
    ...rich.map((account) => new Consumer(account, creator.slug, false)),
  ];
  const buyer = new Buyer(accountIds);
  const clients = await RetryingClients.start(stack.publicUrl, retrying, changing);
  const played: SeenFault[] = [];
  await isWell(consumers, performance.now());
  for (const fault of faults) played.push(await playOne(target, fault, consumers));
  await Promise.all([...consumers.map((consumer) => consumer.stop()), buyer.stop(), clients.stop()]);

  // The ledger of one account is read again and again until it is settled; those of the others are settled by then.
  const repeated = reckonCalls(clients.calls, await settledLedgers([retrying.id], settledWithinMs));
  const ledgers = await settledLedgers([poor.id, ...accountIds], settledWithinMs);
  const receipts = consumers.flatMap((consumer) => consumer.receipts);
  const lots = ledgers.filter(({ type }) => type === 'purchase').map(({ lot_id }) => lot_id);
  return {
    replicas,
    faults: played,
    receipts,
    reckoning: reckon(receipts, ledgers, played, pendingTimeoutMs),
    /** Each receipt, compared with what `GET /calls` says. */
    checkedCalls: await checkCalls([poor, ...rich], receipts),
    /** Calls of clients that repeat every call until it is answered; `unchanged`: answers that were free because of that. */
    repeated: { ...repeated, unchanged: clients.calls.filter(({ reply }) => reply.status === 304).length },
    /** Unpaid calls of theirs that no fault explains. */
    unexplained: repeated.underpaid.filter((call) => !explains(played, call, pendingTimeoutMs)),
    purchases: buyer.purchases,
    lotsDoubled: [...buyer.doubled, ...lots.filter((id) => !buyer.bought.has(id))],
    lotsLost: [...buyer.bought].filter((id) => !lots.includes(id)).length,
    lowestBalance: Math.min(...(await Promise.all(accountIds.map((id) => admin.balance(id))))),
    audit: await admin.audit(),
  };
}

async function playOne<Target>(
  stack: Target,
  fault: Fault<Target>,
  consumers: Consumer[],
): Promise<SeenFault> {
  const { kind, target } = fault;
  const startedAt = performance.now();
  await fault.inject(stack);
  const endedAt = performance.now();
  const recoveryMs = await isWell(consumers, endedAt);
  const seen = receiptsSince(consumers, startedAt);
  const failed = seen.filter(hasFailed);
  const failsForMs = Math.max(startedAt, ...failed.map((one) => one.endedAt)) - startedAt;
  await fault.overcome?.(stack);
  return { kind, target, startedAt, endedAt, calls: seen.length, failed, failsForMs, recoveryMs };
}

/** Resolves once no call that began after `since` has failed for a while; gives how long after `since` that was so. */
async function isWell(consumers: readonly Consumer[], since: number): Promise<number> {
  for (;;) {
    await wait(pollMs);
    const later = receiptsSince(consumers, since).filter(({ startedAt }) => startedAt >= since);
    const failedUntil = Math.max(since, ...later.filter(hasFailed).map(({ endedAt }) => endedAt));
    const wellSince = Math.min(
      ...later.filter((one) => !hasFailed(one) && one.endedAt > failedUntil).map(({ endedAt }) => endedAt),
    );
    const now = performance.now();
    if (now - wellSince > calmMs) return wellSince - since;
    if (now - since > healsWithinMs) return Infinity;
  }
}

/** Newest first, so that a long run does not make this slow. */
function receiptsSince(consumers: readonly Consumer[], since: number): Receipt[] {
  return consumers.flatMap(({ receipts }) => {
    const first = receipts.findLastIndex(({ endedAt }) => endedAt < since);
    return receipts.slice(first + 1);
  });
}
