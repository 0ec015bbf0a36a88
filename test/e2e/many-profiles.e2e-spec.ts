import { randomUUID } from 'node:crypto';
import { type ProfileEntry, type ProfilesBody } from '#client';
import { eventually } from '#testing';
import { createFundedAccount, spentBy } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import { clientOf } from '../support/client-of.js';
import { api, paths, type PublicReply } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const changing = catalog.record('changing');
const leaving = catalog.record('leaving');
const records = [
  changing,
  leaving,
  ...Array.from({ length: 118 }, (_, index) => catalog.record(`stored-${index}`)),
];
const slugs = records.map(({ slug }) => slug);

beforeAll(() => catalog.importVisible(records));

/** A call for these creators, in its own words: each answer is compared with the documents. */
function readMany(
  asked: readonly string[],
  key: string,
  id: string = randomUUID(),
): Promise<PublicReply<ProfilesBody>> {
  return api.get<ProfilesBody>(paths.profiles, key, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id, 'x-request-id': id },
    body: JSON.stringify({ creators: asked.map((slug) => ({ slug })) }),
  });
}

it('stored profiles cost a credit each at first, nothing while they are unchanged, then only those that have changed', async () => {
  const account = await createFundedAccount({ credits: 500 });
  const client = clientOf(account.key);
  const stored = new Map<string, ProfileEntry>();
  const statuses = new Set<string>();
  const round = (): Promise<number> =>
    spentBy(account.id, async () => {
      statuses.clear();
      for await (const result of client.creatorsAll(slugs.map((slug) => stored.get(slug) ?? slug))) {
        statuses.add(result.status);
        if (result.status === 'found') stored.set(result.slug, result);
      }
    });
  expect([await round(), ...statuses]).toEqual([120, 'found']);
  const { body } = await api.profile(changing.slug, account.key);
  expect(body).toEqual(expect.objectContaining(stored.get(changing.slug)?.profile));
  expect([await round(), ...statuses]).toEqual([0, 'unchanged']);

  succeeded(await admin.call('PUT', `/creators/${changing.slug}`, { ...changing, tagline: 'new' }));
  succeeded(await admin.call('PATCH', `/creators/${leaving.slug}`, { published: false }));
  expect([await round(), ...statuses]).toEqual([1, 'found', 'not_found', 'unchanged']);
  expect(stored.get(changing.slug)?.profile).toMatchObject({ tagline: 'new' });
});

it('a call is paid once under its Idempotency-Key, and listed as one call with the credits of all', async () => {
  const { id, key } = await createFundedAccount({ credits: 50 });
  const label = randomUUID();
  const asked = [...slugs.slice(2, 12), `${catalog.marker}-nobody`];
  const first = await readMany(asked, key, label);
  expect(first).toMatchObject({ status: 200, body: { credits_used: 10, credits_remaining: 40 } });
  const again = await eventually(async () => {
    const reply = await readMany(asked, key, label);
    expect(reply.status).toBe(200);
    return reply;
  }, 5_000);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.body).toEqual({ ...first.body, credits_used: 0 });
  expect(await admin.balance(id)).toBe(40);
  expect((await api.callsOf(label, key)).body.calls).toMatchObject([
    { operation: 'profiles', credits: 0, reason: 'repeated' },
    { operation: 'profiles', credits: 10, total: 10, filters: null, state: 'posted', reason: null },
  ]);
  expect((await api.usage(key)).body.usage).toMatchObject([{ operation: 'profiles', calls: 2, credits: 10 }]);
});
