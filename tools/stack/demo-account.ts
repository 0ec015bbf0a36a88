import { type AccountView } from '@app/contracts';
import { type AdminClient, path } from '../cli/admin-client.js';
import { ApiError } from '../cli/errors.js';
import { type DemoAccount } from './launcher-state.js';

interface Demo {
  readonly account: DemoAccount;
  readonly credits: number;
}

/** The demo account with an active key and credits; created, or given another Trial pack, when needed. */
export async function prepareDemoAccount(client: AdminClient, known: DemoAccount | undefined): Promise<Demo> {
  const account = (known && (await findAgain(client, known))) ?? (await create(client));
  const at = path('accounts', account.account_id);
  const { credits_remaining: credits } = await client.call<AccountView>({ method: 'GET', path: at });
  if (credits > 0) return { account, credits };
  await buyTrial(client, account.account_id);
  const after = await client.call<AccountView>({ method: 'GET', path: at });
  return { account, credits: after.credits_remaining };
}

/** A link that signs the owner of the demo account in, for an hour. */
export async function createSignInLink(
  client: AdminClient,
  { account_id }: Pick<DemoAccount, 'account_id'>,
): Promise<string> {
  const { url } = await client.call<{ url: string }>({
    method: 'POST',
    path: path('accounts', account_id, 'sign-in-link'),
    body: {},
  });
  return url;
}

/** The account of an earlier start, unless its database or its key no longer exists. */
async function findAgain(client: AdminClient, known: DemoAccount): Promise<DemoAccount | undefined> {
  try {
    const { keys } = await client.call<{ keys: { id: string; active: boolean }[] }>({
      method: 'GET',
      path: path('accounts', known.account_id, 'keys'),
    });
    return keys.some(({ id, active }) => id === known.key_id && active) ? known : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function create(client: AdminClient): Promise<DemoAccount> {
  const account = await client.call<{ id: string }>({
    method: 'POST',
    path: path('accounts'),
    body: { name: 'Demo', email: 'demo@example.com' },
  });
  const key = await client.call<{ id: string; key: string }>({
    method: 'POST',
    path: path('accounts', account.id, 'keys'),
    body: { name: 'npm start' },
  });
  return { account_id: account.id, key_id: key.id, key: key.key };
}

async function buyTrial(client: AdminClient, accountId: string): Promise<void> {
  await client.call({
    method: 'POST',
    path: path('accounts', accountId, 'purchases'),
    body: { pack: 'trial', reference: `npm-start-${new Date().toISOString()}` },
  });
}
