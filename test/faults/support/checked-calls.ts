import { type TestAccount, createKey } from '../../support/accounts.js';
import { admin } from '../../support/admin-api.js';
import { type Receipt } from '../../support/consumers.js';
import { api, type CallBody } from '../../support/public-api.js';

/** What `GET /calls/{request_id}` says of a call that its client noted. */
export type Verdict =
  /** The client got the answer, and the call costs what it said. */
  | 'posted'
  /** The client got the answer, and the credits went back all the same. */
  | 'given back'
  /** The client got no answer that it has to pay, and nothing reached the ledger. */
  | 'absent'
  /** ... and the credits went back, for this reason. */
  | 'given_up'
  | 'timed_out'
  /** ... and the call was free from the beginning. */
  | 'free'
  | 'wrong';

export interface CheckedCall {
  readonly receipt: Receipt;
  readonly calls: readonly CallBody[];
  readonly verdict: Verdict;
}

/** Below the 60 a minute of a key. */
const lookUpsPerKey = 55;
const lookUpsAtOnce = 8;

/** Looks up every call that the clients of the accounts noted, as these customers would. All of them have ended. */
export async function checkCalls(
  accounts: readonly TestAccount[],
  receipts: readonly Receipt[],
): Promise<CheckedCall[]> {
  const checked: CheckedCall[] = [];
  for (const account of accounts) {
    const keys = new LookUpKeys(account);
    const rest = receipts.filter(({ accountId }) => accountId === account.id);
    const work = async (): Promise<void> => {
      for (let receipt = rest.pop(); receipt !== undefined; receipt = rest.pop()) {
        const { status, body, text } = await api.callsOf(receipt.requestId, await keys.next());
        if (status !== 200) throw new Error(`GET /calls: status ${status}: ${text}`);
        checked.push({ receipt, calls: body.calls, verdict: verdictOn(receipt, body.calls) });
      }
    };
    await Promise.all(Array.from({ length: lookUpsAtOnce }, work));
  }
  return checked;
}

function verdictOn({ status, creditsUsed }: Receipt, [call, ...others]: readonly CallBody[]): Verdict {
  const isReceived = status === 200;
  if (others.length > 0) return 'wrong';
  if (!call) return isReceived ? 'wrong' : 'absent';
  const { state, reason, credits, credits_returned } = call;
  if (isReceived && state === 'posted') return credits === creditsUsed ? 'posted' : 'wrong';
  if (isReceived) return state === 'voided' && credits_returned === creditsUsed ? 'given back' : 'wrong';
  if (credits > 0) return 'wrong';
  if (state === 'voided') return reason === 'given_up' || reason === 'timed_out' ? reason : 'wrong';
  return state === 'posted' && reason !== null ? 'free' : 'wrong';
}

/** Keys of an account for as many look-ups as it takes: each is replaced before it meets its rate limit. */
class LookUpKeys {
  private current = '';
  private usesLeft = 0;
  private replacement: Promise<void> = Promise.resolve();
  private readonly unused: string[];

  constructor(private readonly account: TestAccount) {
    this.unused = account.keys.map(({ id }) => id);
  }

  async next(): Promise<string> {
    if (this.usesLeft === 0) {
      this.replacement = this.replacement.then(() => this.replace());
      await this.replacement;
    }
    this.usesLeft -= 1;
    return this.current;
  }

  private async replace(): Promise<void> {
    if (this.usesLeft > 0) return;
    const old = this.unused.shift() ?? '';
    await admin.call('DELETE', `/accounts/${this.account.id}/keys/${old}`);
    const { id, key } = await createKey(this.account.id);
    this.unused.push(id);
    this.current = key;
    this.usesLeft = lookUpsPerKey;
  }
}
