import { setTimeout as wait } from 'node:timers/promises';
import { type TestAccount } from './accounts.js';
import { nextPath } from './calls.js';
import { type Receipt } from './consumers.js';
import { api, type CallBody, type CallsBody, paths, type PublicReply } from './public-api.js';

/** What `GET /calls` says of a call that its client noted. */
export type TestReport =
  /** The client got the answer, and the call costs what it said. */
  | 'posted'
  /** The client got the answer, and the credits went back all the same. */
  | 'given back'
  /** The client got no answer that it has to pay, and nothing reached the ledger. */
  | 'absent'
  /** ... and the credits went back, for this reason. */
  | 'given_up'
  | 'abandoned'
  | 'timed_out'
  /** ... and the call was free from the beginning. */
  | 'free'
  | 'wrong';

export interface CheckedCall {
  readonly receipt: Receipt;
  readonly calls: readonly CallBody[];
  readonly report: TestReport;
}

/** Finds every call that the clients of the accounts noted, as these customers would. All of them have ended. */
export async function checkCalls(
  accounts: readonly TestAccount[],
  receipts: readonly Receipt[],
): Promise<CheckedCall[]> {
  const byRequest = new Map<string, CallBody[]>();
  for (const call of (await Promise.all(accounts.map(listCalls))).flat()) {
    byRequest.set(call.request_id, [...(byRequest.get(call.request_id) ?? []), call]);
  }
  return receipts.map((receipt) => {
    const calls = byRequest.get(receipt.requestId) ?? [];
    return { receipt, calls, report: verdictOn(receipt, calls) };
  });
}

/** Every call of an account. Its keys take turns, because each has a rate limit. */
async function listCalls({ keys }: TestAccount): Promise<CallBody[]> {
  const calls: CallBody[] = [];
  let path: string | undefined = `${paths.calls}?limit=100`;
  for (let turn = 0; path !== undefined; turn += 1) {
    const { key = '' } = keys[turn % keys.length] ?? {};
    const reply: PublicReply<CallsBody> = await api.get<CallsBody>(path, key);
    if (reply.status === 429) {
      await wait(Number(reply.headers['retry-after']) * 1_000);
    } else if (reply.status === 200) {
      calls.push(...reply.body.calls);
      path = nextPath(reply);
    } else throw new Error(`GET /calls: status ${reply.status}: ${reply.text}`);
  }
  return calls;
}

function verdictOn({ status, creditsUsed }: Receipt, [call, ...others]: readonly CallBody[]): TestReport {
  const isReceived = status === 200;
  if (others.length > 0) return 'wrong';
  if (!call) return isReceived ? 'wrong' : 'absent';
  const { state, reason, credits, credits_returned } = call;
  if (isReceived && state === 'posted') return credits === creditsUsed ? 'posted' : 'wrong';
  if (isReceived) return state === 'voided' && credits_returned === creditsUsed ? 'given back' : 'wrong';
  if (credits > 0) return 'wrong';
  if (state === 'voided' && reason === 'abandoned') return reason;
  if (state === 'voided') return reason === 'given_up' || reason === 'timed_out' ? reason : 'wrong';
  return state === 'posted' && reason !== null ? 'free' : 'wrong';
}
