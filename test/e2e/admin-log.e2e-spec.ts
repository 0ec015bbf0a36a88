import { randomUUID } from 'node:crypto';
import { eventually } from '#testing';
import { createAccount, createFundedAccount, createKey, purchase } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import { newOwner } from '../support/members.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { describeSelling, payments } from '../support/selling.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

jest.setTimeout(60_000);

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly request_id: string;
  readonly account_id: string | null;
  readonly subject: string;
}

interface Log {
  readonly entries: Entry[];
  readonly next_cursor: string | null;
}

interface Self {
  readonly routes: string[];
}

interface Token {
  readonly id: string;
  readonly token: string;
  readonly last_used_at: string | null;
}

const catalog = SuiteCatalog.forSuite();

const log = async (query: string): Promise<Entry[]> =>
  succeeded(await admin.call<Log>('GET', `/log?${query}`)).entries;

async function createToken(role: string): Promise<Token> {
  return succeeded(await admin.call<Token>('POST', '/tokens', { name: `of ${randomWord()}`, role }));
}

const withToken = (method: string, path: string, { token }: Token, body?: object) =>
  admin.send<Self>(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

const anAccount = async (): Promise<string> => (await createAccount()).id;
const aCreator = async (): Promise<string> => {
  const record = catalog.record(randomWord());
  await catalog.import([record]);
  return record.slug;
};
const aRemoval = () => ({ reference: 'r', accounts: [{ platform: 'x', handle: randomWord() }] });

/** An order that was paid and refunded, of whose credits one was spent. */
async function paidOrder(isRefunded: boolean): Promise<string> {
  const { account, owner } = await newOwner();
  const form = (await owner.get('/account/buy')).form('/account/buy', { pack: 'trial' });
  const payment = await payments.pay((await owner.submit(form)).location);
  await eventually(async () => expect(await admin.balance(account.id)).toBe(50), 20_000);
  const { key } = await createKey(account.id);
  expect((await api.profile(await aCreator(), key)).status).toBe(200);
  const { order_id: id = '' } = form.fields;
  if (!isRefunded) return id;
  await payments.refund(payment, 1_900);
  await eventually(async () => {
    const order = await admin.call<{ concerns: string[] }>('GET', `/orders/${id}`);
    expect(order.body.concerns).toContain('not_recovered');
  }, 20_000);
  return id;
}

/** Makes what the parameters of a route name. */
async function pathOf(route: string): Promise<string> {
  const account = await anAccount();
  const made: Record<string, () => Promise<string>> = {
    ':account_id': () => Promise.resolve(account),
    ':key_id': async () => (await createKey(account)).id,
    ':lot_id': async () => (await purchase(account, { pack: 'trial' })).id,
    ':order_id': () => paidOrder(route.endsWith('/accept')),
    ':slug': aCreator,
    ':removal_id': async () =>
      succeeded(await admin.call<{ id: string }>('POST', '/removals', aRemoval())).id,
    ':token_id': async () => (await createToken('read')).id,
  };
  const segments = (route.split(' ')[1] ?? '').split('/');
  return (await Promise.all(segments.map(async (segment) => (await made[segment]?.()) ?? segment))).join('/');
}

const enterprise = { credits: 10_000, price_cents: 180_000 };
const goodwill = () => ({ credits: 5, reason: 'late', reference: randomWord() });
const anAddress = async () => ({ email: (await newOwner()).account.email });

/** The bodies of all routes that change something, but those of which `elsewhere` says where their entry is tested. */
const bodies: Record<string, (path: string) => unknown> = {
  'POST /accounts': () => ({ name: 'Acme', email: 'ops@customer.example' }),
  'PATCH /accounts/:account_id': () => ({ name: 'Acme II' }),
  'POST /accounts/:account_id/suspend': () => ({ reason: 'a test' }),
  'POST /accounts/:account_id/resume': async (path) => {
    succeeded(await admin.call('POST', path.replace('/resume', '/suspend'), { reason: 'a test' }));
  },
  'POST /accounts/:account_id/keys': () => ({ name: 'tool' }),
  'POST /accounts/:account_id/keys/:key_id/rotate': () => ({}),
  'PATCH /accounts/:account_id/keys/:key_id': () => ({ active: false }),
  'DELETE /accounts/:account_id/keys/:key_id': () => undefined,
  'POST /accounts/:account_id/lots/:lot_id/refund': () => ({ reason: 'a test', reference: 'b' }),
  'POST /accounts/:account_id/purchases': () => ({ pack: 'trial', reference: 'a' }),
  'POST /accounts/:account_id/agreement': () => enterprise,
  'DELETE /accounts/:account_id/agreement': async (path) => {
    succeeded(await admin.call('POST', path, enterprise));
  },
  'POST /accounts/:account_id/adjustments': goodwill,
  'POST /accounts/:account_id/sign-in-link': () => ({}),
  'POST /people/unlink': anAddress,
  'POST /people/erase': async () => ({ ...(await anAddress()), close_accounts: true }),
  'POST /orders/:order_id/refund': () => ({}),
  'POST /orders/:order_id/accept': () => undefined,
  'PUT /creators/:slug': (path) => catalog.record('put', { slug: path.split('/')[2] }),
  'PATCH /creators/:slug': () => ({ published: false }),
  'DELETE /creators/:slug': () => undefined,
  'POST /creators/:slug/remove': () => ({ reference: 'r' }),
  'POST /removals': aRemoval,
  'DELETE /removals/:removal_id': () => undefined,
  'POST /tokens': () => ({ name: randomWord(), role: 'read' }),
  'DELETE /tokens/:token_id': () => undefined,
};

const elsewhere: Record<string, string> = {
  'POST /creators/import': 'below: its body is no JSON',
  'POST /creators/:slug/join': 'apps/catalog/src/duplicates/duplicates.int-spec.ts',
  'POST /creators/unpublish': 'apps/catalog/src/profiles/creator-lists.int-spec.ts',
  'POST /imports/:import_id/undo': 'apps/catalog/src/import/import-undo.int-spec.ts',
  'POST /people/report': 'reads, but an address must not be in a URL',
  'POST /orders/:order_id/resolve': 'apps/billing/src/orders/operators/operators.int-spec.ts',
};

describeSelling('a change by an operator', () => {
  it('is in the log for every route that changes something', async () => {
    const { routes } = succeeded(await admin.call<Self>('GET', '/me'));
    const changing = routes
      .filter((route) => !route.startsWith('GET '))
      .map((route) => route.replace('/admin/v1', ''));
    expect(changing).toEqual([...Object.keys(bodies), ...Object.keys(elsewhere)].sort());
  });

  it.each(Object.entries(bodies))('%s', async (route, bodyOf) => {
    const path = await pathOf(route);
    const reply = await admin.call(route.split(' ')[0] ?? '', path, await bodyOf(path));
    expect([reply.status, reply.text]).toEqual([expect.any(Number), expect.not.stringContaining('error"')]);
    const requestId = String(reply.headers['x-request-id']);
    const entries = (await log('limit=200')).filter(({ request_id }) => request_id === requestId);
    expect(entries).toEqual([
      expect.objectContaining({
        token: 'ADMIN_TOKEN',
        action: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/) as string,
      }),
    ]);
  });
});

describe('the log', () => {
  it('has the counts of an import, not its creators', async () => {
    const records = [catalog.record('one'), catalog.record('two')];
    catalog.adopt(...records.map(({ slug }) => slug));
    const reply = await admin.importCreators(records);
    const requestId = String(reply.headers['x-request-id']);
    const mine = async () =>
      (await log('action=creators.imported&limit=200')).filter(({ request_id }) => request_id === requestId);
    expect(await mine()).toEqual([expect.objectContaining({ after: { created: 2, updated: 0 } })]);
    succeeded(await admin.importCreators(records));
    expect(await mine()).toHaveLength(1);
  });

  it('says what was before and after, and who asked, without secrets; nothing about what failed', async () => {
    const { id, keyId } = await createFundedAccount();
    const { name } = succeeded(await admin.call<{ name: string }>('GET', `/accounts/${id}/keys/${keyId}`));
    const token = await createToken('support');
    expect(
      (await withToken('PATCH', `/accounts/${id}/keys/${keyId}`, token, { name: 'renamed' })).status,
    ).toBe(200);
    expect(
      (await withToken('PATCH', `/accounts/${id}/keys/${randomUUID()}`, token, { name: 'b' })).status,
    ).toBe(404);
    const [entry, ...older] = await log(`account_id=${id}`);
    expect(entry).toMatchObject({
      token: expect.stringMatching(/^of /) as string,
      action: 'key.updated',
      subject: keyId,
      before: { name },
      after: { name: 'renamed' },
    });
    expect(older.map(({ action }) => action)).toEqual(['key.created', 'credits.adjusted', 'account.created']);
    expect(JSON.stringify([entry, ...older])).not.toMatch(/csk_\w{38}|csa_|hash/);
  });

  it('has pages that leave out nothing, over both services', async () => {
    const account = await anAccount();
    const slug = await aCreator();
    for (const [path, body] of [
      [`/accounts/${account}/adjustments`, goodwill()],
      [`/creators/${slug}`, { published: false }],
      [`/accounts/${account}/adjustments`, goodwill()],
      [`/creators/${slug}`, { published: true }],
    ] as const) {
      succeeded(await admin.call(path.startsWith('/creators') ? 'PATCH' : 'POST', path, body));
    }
    const seen: Entry[] = [];
    for (let cursor = ''; seen.filter(({ subject }) => subject === slug).length < 2;) {
      const page = succeeded(await admin.call<Log>('GET', `/log?limit=1${cursor}`));
      seen.push(...page.entries);
      cursor = `&cursor=${page.next_cursor}`;
    }
    const mine = seen.filter(({ subject, account_id }) => subject === slug || account_id === account);
    expect(mine.map(({ action }) => action)).toEqual([
      'creator.published',
      'credits.adjusted',
      'creator.unpublished',
    ]);
    const ids = seen.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
  });
});

describe('a token of an operator', () => {
  it.each([
    ['all', [200, 201, 201, 201, 201, 200, 201, 200, 200]],
    // Neither credits without a bound nor a way in.
    ['support', [200, 201, 403, 403, 403, 200, 403, 200, 403]],
    ['import', [403, 403, 403, 403, 403, 200, 201, 403, 403]],
    ['read', [200, 403, 403, 403, 403, 200, 403, 200, 403]],
  ])('with the role %s may do that and no more', async (role, expected) => {
    const token = await createToken(role);
    const creator = await aCreator();
    const record = catalog.record(randomWord());
    const account = await anAccount();
    const replies = [
      await withToken('GET', '/packs', token),
      await withToken('POST', `/accounts/${account}/adjustments`, token, goodwill()),
      await withToken('POST', `/accounts/${account}/purchases`, token, { pack: 'trial', reference: 'a' }),
      await withToken('POST', `/accounts/${account}/agreement`, token, enterprise),
      await withToken('POST', `/accounts/${account}/sign-in-link`, token, {}),
      await withToken('GET', `/creators/${creator}`, token),
      await withToken('PUT', `/creators/${record.slug}`, token, record),
      await withToken('GET', '/log?limit=1', token),
      await withToken('GET', '/tokens', token),
    ];
    catalog.adopt(record.slug);
    expect(replies.map(({ status }) => status)).toEqual(expected);
    expect((await withToken('GET', '/me', token)).body).toMatchObject({ role });
  });

  it('is refused once it is withdrawn, and shows when it was last used', async () => {
    const token = await createToken('read');
    expect(token.token).toMatch(/^csa_\w{38}$/);
    expect(token.last_used_at).toBeNull();
    expect((await withToken('GET', '/packs', token)).status).toBe(200);
    const { tokens } = succeeded(await admin.call<{ tokens: Token[] }>('GET', '/tokens'));
    const listed = tokens.find(({ id }) => id === token.id);
    expect(listed?.last_used_at).toEqual(expect.any(String));
    expect(JSON.stringify(tokens)).not.toContain(token.token);
    succeeded(await admin.call('DELETE', `/tokens/${token.id}`));
    expect((await withToken('GET', '/packs', token)).status).toBe(401);
    expect((await admin.call('DELETE', `/tokens/${randomUUID()}`)).status).toBe(404);
  });

  it('has a name of its own: 409 for one in use, which is free again once that is withdrawn', async () => {
    const body = { name: randomWord(), role: 'read' };
    const replies = await Promise.all([1, 2, 3].map(() => admin.call<Token>('POST', '/tokens', body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { id } = replies.find(({ status }) => status === 201)?.body ?? { id: '' };
    succeeded(await admin.call('DELETE', `/tokens/${id}`));
    expect((await admin.call('POST', '/tokens', body)).status).toBe(201);
    expect((await admin.call('POST', '/tokens', { ...body, role: 'owner' })).status).toBe(400);
  });
});
