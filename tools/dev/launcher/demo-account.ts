import { type AccountView } from '#contracts';
import { type AdminClient, path } from '../../cli/admin-client.js';
import { ApiError } from '../../cli/errors.js';
import { type DemoAccount } from './data-directory.js';

/** The demo account with an active key and credits; created, or given another Trial pack, when needed. */
export async function prepareDemoAccount(client: AdminClient, known: DemoAccount | undefined) {
  const account = (known && (await findAgain(client, known))) ?? (await create(client));
  const at = path`/accounts/${account.account_id}`;
  const { credits_remaining: credits } = await client.get<AccountView>(at);
  if (credits > 0) return { account, credits };
  await buyTrial(client, account.account_id);
  const after = await client.get<AccountView>(at);
  return { account, credits: after.credits_remaining };
}

/** A link that signs the owner of the demo account in, for an hour. */
export async function createSignInLink(
  client: AdminClient,
  { account_id }: Pick<DemoAccount, 'account_id'>,
): Promise<string> {
  const { url } = await client.post<{ url: string }>(path`/accounts/${account_id}/sign-in-link`, {});
  return url;
}

/** The account of an earlier start, unless its database or its key no longer exists. */
async function findAgain(client: AdminClient, known: DemoAccount): Promise<DemoAccount | undefined> {
  try {
    const at = path`/accounts/${known.account_id}/keys`;
    const { keys } = await client.get<{ keys: { id: string; active: boolean }[] }>(at);
    return keys.some(({ id, active }) => id === known.key_id && active) ? known : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function create(client: AdminClient): Promise<DemoAccount> {
  const body = { name: 'Demo', email: 'demo@example.com' };
  const { id } = await client.post<{ id: string }>('/accounts', body);
  const at = path`/accounts/${id}/keys`;
  const key = await client.post<{ id: string; key: string }>(at, { name: 'npm start' });
  return { account_id: id, key_id: key.id, key: key.key };
}

async function buyTrial(client: AdminClient, accountId: string): Promise<void> {
  const reference = `npm-start-${new Date().toISOString()}`;
  await client.post(path`/accounts/${accountId}/purchases`, { pack: 'trial', reference });
}
