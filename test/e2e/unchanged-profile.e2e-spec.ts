import { randomUUID } from 'node:crypto';
import { eventually } from '@app/testing';
import { createFundedAccount, spentBy } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import { api, paths, type ProfileBody, type PublicReply } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone', { tagline: 'Travel and food. '.repeat(10) });
const path = paths.profile(creator.slug);

beforeAll(() => catalog.importVisible([creator]));
afterAll(() => catalog.remove());

function get(key: string, ifNoneMatch?: string, headers: Readonly<Record<string, string>> = {}) {
  const all = ifNoneMatch === undefined ? headers : { ...headers, 'if-none-match': ifNoneMatch };
  return api.get<ProfileBody>(path, key, { headers: all });
}

function tagOf(reply: PublicReply<unknown>): string {
  return reply.headers.etag ?? '';
}

describe('a profile that the client has already', () => {
  it('is a 304 without a body for nothing, on every gateway, and counts as a call', async () => {
    const { id, key, keyId } = await createFundedAccount({ credits: 10 });
    const first = await get(key);
    const etag = tagOf(first);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(first.headers).toMatchObject({ 'x-credits-used': '1', 'x-credits-remaining': '9' });
    const spent = await spentBy(id, async () => {
      for (let time = 0; time < 10; time++) {
        const again = await get(key, etag);
        expect([again.status, again.text, tagOf(again)]).toEqual([304, '', etag]);
        expect(again.headers).toMatchObject({
          'x-credits-used': '0',
          'x-credits-remaining': '9',
          'cache-control': 'private, no-cache',
        });
      }
    });
    expect(spent).toBe(0);
    await eventually(async () => {
      expect(await admin.usage(id)).toMatchObject([
        { key_id: keyId, operation: 'profile', calls: 11, credits: 1 },
      ]);
    });
  });

  it('is a 200 and paid once it has changed, and free again with the new tag', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    const etag = tagOf(await get(key));
    const tagline = `changed ${randomUUID()}`;
    succeeded(await admin.call('PUT', `/creators/${creator.slug}`, { ...creator, tagline }));
    const changed = await get(key, etag);
    expect(changed).toMatchObject({ status: 200, body: { tagline, credits_used: 1 } });
    expect(tagOf(changed)).not.toBe(etag);
    expect((await get(key, `${etag}, ${tagOf(changed)}`)).status).toBe(304);
    expect(await get(key, '*')).toMatchObject({ status: 200, body: { credits_used: 1 } });
  });

  it('is free with a balance of 0, and says so', async () => {
    const { key } = await createFundedAccount({ credits: 1 });
    const etag = tagOf(await get(key));
    const again = await get(key, etag);
    expect(again.status).toBe(304);
    expect(again.headers['x-credits-warning']).toContain('0 credits');
    expect((await get(key)).status).toBe(402);
  });

  it('is a 304 for who accepts compressed answers too', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    const long = { ...creator, tagline: 'Travel and food. '.repeat(11), name: 'n'.repeat(200) };
    succeeded(await admin.call('PUT', `/creators/${creator.slug}`, long));
    const etag = tagOf(await get(key));
    expect((await get(key, etag, { 'accept-encoding': 'gzip, br' })).status).toBe(304);
  });

  it('is a 404 when it is no longer published, and a 304 when it is again', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    const etag = tagOf(await get(key));
    await admin.call('PATCH', `/creators/${creator.slug}`, { published: false });
    expect((await get(key, etag)).status).toBe(404);
    expect((await get(key, '*')).status).toBe(404);
    await admin.call('PATCH', `/creators/${creator.slug}`, { published: true });
    expect((await get(key, etag)).status).toBe(304);
  });

  it('is a 401 with a key that is switched off', async () => {
    const { id, key, keyId } = await createFundedAccount({ credits: 10 });
    const etag = tagOf(await get(key));
    await admin.call('PATCH', `/accounts/${id}/keys/${keyId}`, { active: false });
    await eventually(async () => expect((await get(key, etag)).status).toBe(401), 5_000);
  });

  it('is not answered to HEAD', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    const reply = await api.get(path, key, { method: 'HEAD', headers: { 'if-none-match': '*' } });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET']);
  });
});

it('a search has no tag, and is paid whatever the client names', async () => {
  const { key } = await createFundedAccount({ credits: 10 });
  const headers = { 'if-none-match': '*' };
  const reply = await api.get(`${paths.search}?country=${encodeURIComponent(catalog.country)}`, key, {
    headers,
  });
  expect(reply).toMatchObject({ status: 200, body: { credits_used: 2 } });
  expect(reply.headers.etag).toBeUndefined();
});
