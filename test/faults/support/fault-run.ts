import { setTimeout as wait } from 'node:timers/promises';
import { createFundedAccount } from '../../support/accounts.js';
import { admin, type Audit } from '../../support/admin-api.js';
import { settledLedgers } from '../../support/settled-ledgers.js';
import { SuiteCatalog } from '../../support/suite-catalog.js';
import { Buyer } from './buyer.js';
import { checkCalls, type CheckedCall } from './checked-calls.js';
import { Consumer, type Receipt, hasFailed } from '../../support/consumers.js';
import { FaultStack, limits } from './fault-stack.js';
import { type Fault } from './faults.js';
import { explains, type PlayedFault, reckon, type Reckoning } from '../../support/reckoning.js';
import { type AnsweredCall, type CallReckoning, reckonCalls } from '../../support/repeated-calls.js';
import { RetryingClients } from './retrying-clients.js';

/** A fault with what the clients saw of it. */
export interface SeenFault extends PlayedFault {
  /** Calls from its beginning until all was well again. */
  readonly calls: number;
  /** Those that had another outcome than without the fault. */
  readonly failed: Receipt[];
  /** From the end of the fault to the last failed and the first successful call that began after it, in ms. */
  readonly recoveryMs: number;
}

export interface FaultRun {
  readonly replicas: number;
  readonly faults: SeenFault[];
  readonly receipts: Receipt[];
  readonly reckoning: Reckoning;
  /** Each receipt, compared with what `GET /calls/{request_id}` says. */
  readonly checkedCalls: CheckedCall[];
  readonly checkingMs: number;
  /** Of clients that repeat every call until it is answered. */
  readonly repeated: CallReckoning;
  /** Of those that keep profiles fresh. */
  readonly fresh: CallReckoning;
  /** Calls of either that were not paid, which no fault explains. */
  readonly unexplained: AnsweredCall[];
  readonly purchases: number;
  readonly lotsDoubled: string[];
  readonly lotsLost: number;
  readonly lowestBalance: number;
  readonly audit: Audit;
}

const richConsumers = 7;
/** Creators whose profiles are kept fresh. */
const changingCreators = 4;
const calmMs = 600;
const healsWithinMs = 30_000;
const pollMs = 20;
const settledWithinMs = 10 * (limits.pendingTimeoutMs + limits.sweepPeriodMs);

/** Plays the faults one by one under load, then compares what the clients saw with the ledger. */
export async function playFaults(faults: readonly Fault[], replicas: number): Promise<FaultRun> {
  const stack = await FaultStack.start(replicas);
  process.env.BASE_URL = stack.publicUrl;
  process.env.ADMIN_URL = stack.adminUrl;
  process.env.ADMIN_TOKEN = stack.adminToken;
  try {
    return await playOn(stack, faults, replicas);
  } finally {
    await stack.stop();
  }
}

async function playOn(stack: FaultStack, faults: readonly Fault[], replicas: number): Promise<FaultRun> {
  const catalog = new SuiteCatalog();
  const creator = catalog.record('someone');
  const changing = Array.from({ length: changingCreators }, (_, number) =>
    catalog.record(`changing-${number}`),
  );
  await catalog.importVisible([creator, ...changing]);
  const poor = await createFundedAccount({ credits: 0, keys: 5 });
  const rich = await Promise.all(
    Array.from({ length: richConsumers }, () => createFundedAccount({ credits: 1_000_000, keys: 5 })),
  );
  const accountIds = rich.map(({ id }) => id);
  const consumers = [
    new Consumer(poor, creator.slug, true),
    ...rich.map((account) => new Consumer(account, creator.slug, false)),
  ];
  const buyer = new Buyer(accountIds);
  const retrying = await createFundedAccount({ credits: 1_000_000, keys: 5 });
  const clients = await RetryingClients.start(stack.publicUrl, retrying, changing);
  const played: SeenFault[] = [];
  await isWell(consumers, performance.now());
  for (const fault of faults) played.push(await playOne(stack, fault, consumers));
  await Promise.all([...consumers.map((consumer) => consumer.stop()), buyer.stop(), clients.stop()]);

  const ledgers = await settledLedgers([poor.id, ...accountIds], settledWithinMs);
  const { repeated, fresh, unexplained } = await reckonClients(clients, retrying.id, played);
  const receipts = consumers.flatMap((consumer) => consumer.receipts);
  const checkedSince = performance.now();
  const checkedCalls = await checkCalls([poor, ...rich], receipts);
  const checkingMs = performance.now() - checkedSince;
  const bought = new Set([...buyer.bought.values()].flatMap((lots) => [...lots]));
  const lots = ledgers.filter(({ type }) => type === 'purchase').map(({ lot_id }) => lot_id);
  return {
    replicas,
    faults: played,
    receipts,
    reckoning: reckon(receipts, ledgers, played, limits.pendingTimeoutMs),
    checkedCalls,
    checkingMs,
    repeated,
    fresh,
    unexplained,
    purchases: buyer.purchases,
    lotsDoubled: [...buyer.doubled, ...lots.filter((id) => !bought.has(id))],
    lotsLost: [...bought].filter((id) => !lots.includes(id)).length,
    lowestBalance: Math.min(...(await Promise.all(accountIds.map((id) => admin.balance(id))))),
    audit: await admin.audit(),
  };
}

/** Their account has no other calls than theirs. */
async function reckonClients(
  { calls, polls }: RetryingClients,
  accountId: string,
  faults: readonly PlayedFault[],
): Promise<Pick<FaultRun, 'repeated' | 'fresh' | 'unexplained'>> {
  const entries = await settledLedgers([accountId], settledWithinMs);
  const isExplained = (call: AnsweredCall): boolean => explains(faults, call, limits.pendingTimeoutMs);
  const all = reckonCalls([...calls, ...polls], entries);
  return {
    repeated: { ...reckonCalls(calls, entries), foreign: all.foreign },
    fresh: { ...reckonCalls(polls, entries), foreign: all.foreign },
    unexplained: all.underpaid.filter((call) => !isExplained(call)),
  };
}

async function playOne(stack: FaultStack, fault: Fault, consumers: Consumer[]): Promise<SeenFault> {
  const startedAt = performance.now();
  await fault.inject(stack);
  const endedAt = performance.now();
  const recoveryMs = await isWell(consumers, endedAt);
  const seen = receiptsSince(consumers, startedAt);
  return {
    kind: fault.kind,
    target: fault.target,
    startedAt,
    endedAt,
    calls: seen.length,
    failed: seen.filter(hasFailed),
    recoveryMs,
  };
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
