import { type Stack } from '@app/local-stack';
import { PageVisitor, writePastYear } from '@app/testing';

const keyNames = ['Campaign planner', 'CRM sync', 'Nightly export', 'Slack bot', 'Notebook'];

interface Made {
  readonly id: string;
}

/** Makes an account with a year of calls by five keys; returns the cookie of its owner. */
export async function signInToPastAccount(stack: Stack): Promise<string> {
  const ask = async <Answer>(path: string, body: object): Promise<Answer> => {
    const response = await fetch(`${stack.adminUrl}/admin/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const account = await ask<Made>('/accounts', { name: 'Weitblick', email: 'jana@weitblick.example' });
  const keyIds: string[] = [];
  for (const name of keyNames) keyIds.push((await ask<Made>(`/accounts/${account.id}/keys`, { name })).id);
  await writePastYear(stack.databaseUrls.billing, { accountId: account.id, keyIds });

  const { url } = await ask<{ readonly url: string }>(`/accounts/${account.id}/sign-in-link`, {});
  const visitor = new PageVisitor(stack.publicUrl);
  await visitor.submit((await visitor.get(url)).form('/link'));
  const session = visitor.cookies.get('session');
  if (session === undefined) throw new Error('the link did not sign in');
  return `session=${session}`;
}
