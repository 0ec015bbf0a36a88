import { type Account, admin, type Key, type Lot, succeeded } from './admin-api.js';
import { randomWord } from './random.js';

/** An account of one test, with `keys.length` usable keys; `key` is the first. */
export interface TestAccount {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
  readonly keys: readonly (Key & { readonly key: string })[];
}

export async function createAccount(): Promise<Account> {
  const body = { name: `Customer ${randomWord()}`, email: `${randomWord()}@customer.example` };
  return succeeded(await admin.call<Account>('POST', '/accounts', body));
}

export async function createKey(
  accountId: string,
  name = randomWord(),
  mode: 'live' | 'test' = 'live',
): Promise<Key & { readonly key: string }> {
  const path = `/accounts/${accountId}/keys`;
  return succeeded(await admin.call<Key & { readonly key: string }>('POST', path, { name, mode }));
}

/** Buys a pack; a reference of its own unless one is given. */
export async function purchase(
  accountId: string,
  order: { readonly pack: string; readonly purchased_at?: string },
): Promise<Lot> {
  const body = { reference: randomWord(), ...order };
  return succeeded(await admin.call<Lot>('POST', `/accounts/${accountId}/purchases`, body));
}

/** Adds exactly this many credits as goodwill, or takes them away. */
export async function adjust(accountId: string, credits: number): Promise<void> {
  const body = { credits, reason: 'set up for a test', reference: randomWord() };
  succeeded(await admin.call('POST', `/accounts/${accountId}/adjustments`, body));
}

/** An account with exactly `credits` to spend. */
export async function createFundedAccount(
  options: { readonly credits?: number; readonly keys?: number; readonly mode?: 'live' | 'test' } = {},
): Promise<TestAccount> {
  const { credits = 1_000, keys: keyCount = 1, mode } = options;
  const { id } = await createAccount();
  if (credits > 0) await adjust(id, credits);
  // At once they would wait for each other: the last one for longer than a busy machine has.
  const keys: TestAccount['keys'][number][] = [];
  while (keys.length < keyCount) keys.push(await createKey(id, undefined, mode));
  const [first] = keys;
  if (!first) throw new Error('an account for a test needs a key');
  return { id, key: first.key, keyId: first.id, keys };
}

/** Runs the calls; returns how many credits they cost the account. */
export async function spentBy(accountId: string, calls: () => Promise<unknown>): Promise<number> {
  const before = await admin.balance(accountId);
  await calls();
  return before - (await admin.balance(accountId));
}
