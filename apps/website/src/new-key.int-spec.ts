import { createKey, getKey, type KeyView, listKeys, rotateKey, updateKey } from '#contracts';
import { hashApiKey } from '#platform';
import { type PageForm, type PageVisitor, type ShownPage } from '#testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const account = ScriptedAccount.forSuite();
const dayMs = 86_400_000;
const day = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const endOf = (text: string): string => new Date(Date.parse(text) + dayMs).toISOString();
const formOf = async (visitor: PageVisitor, end = '/account/keys'): Promise<PageForm> =>
  (await visitor.get('/account/keys')).form(end);
const secretOn = ({ text }: ShownPage): string | undefined => /csk_(?:test_)?[0-9A-Za-z]{38}/.exec(text)?.[0];

let member: PageVisitor;
beforeEach(() => (member = account.member()));

it('the limits of a key are changed and removed by a member; an expiry to the minute stays as it is', async () => {
  const { services } = account.site;
  const key = account.key({
    expires_at: `${day(3)}T12:34:00.000Z`,
    monthly_limit: 5_000,
    spent_this_month: 1_234,
  });
  services.on(getKey, () => key);
  services.on(listKeys, () => ({ keys: [key] }));
  const form = await formOf(member, '/change');
  expect(form.fields).toMatchObject({ expires_at: day(3), monthly_limit: '5000' });
  expect((await member.get('/account/keys')).text).toContain('Credits this month 1,234 of 5,000');
  await member.submit(form);
  await member.submit(form, { expires_at: day(0), monthly_limit: '500' });
  await member.submit(form, { expires_at: '', monthly_limit: '' });
  const of = { account_id: account.accountId, key_id: account.keyId, name: 'Crawler' };
  expect(services.payloadsOf(updateKey)).toEqual([
    { ...of, monthly_limit: 5_000 },
    { ...of, expires_at: endOf(day(0)), monthly_limit: 500 },
    { ...of, expires_at: null, monthly_limit: null },
  ]);
});

describe('a rotated key', () => {
  it.each([
    ['24', 'The old key csk_a1B2c3... works until'],
    ['0', 'The old key no longer works.'],
  ])(
    'shows its new secret once, and until when the old one works (%s h)',
    async (overlap_hours, sentence) => {
      const { services } = account.site;
      const rotated_at = new Date().toISOString();
      const old = { previous_prefix: 'csk_a1B2c3', previous_valid_until: '2030-01-31T12:00:00.000Z' };
      const key = account.key({ rotated_at, ...(overlap_hours === '24' && old) });
      services.on(rotateKey, () => key);
      const form = await formOf(member, '/rotate');
      services.on(getKey, () => key);
      const rotated = await member.submit(form, { overlap_hours });
      const shown = await member.follow(rotated);
      const key_hash = hashApiKey(secretOn(shown) ?? '');
      expect(services.payloadsOf(rotateKey)).toMatchObject([
        { key_hash, overlap_hours: Number(overlap_hours) },
      ]);
      expect(shown.text).toContain('Rotated Crawler.');
      expect(shown.text).toContain(sentence);
      expect(secretOn(await member.follow(rotated))).toBeUndefined();
    },
  );
});

describe('a new key', () => {
  const made = new Map<string, KeyView>();
  beforeEach(() => {
    made.clear();
    scriptBilling(new Date().toISOString());
  });

  /** Creates one key for each Idempotency-Key, as billing does. */
  function scriptBilling(created_at: string): void {
    account.site.services.on(createKey, ({ key_id: id, name, prefix, idempotency_key }) => {
      const known = made.get(idempotency_key);
      const key = known ?? account.key({ id, name, prefix, created_at });
      made.set(idempotency_key, key);
      return { created: !known, key };
    });
    account.site.services.on(getKey, ({ key_id }) => account.key({ id: key_id }));
  }

  const hashesSent = (): string[] =>
    account.site.services.payloadsOf(createKey).map(({ key_hash }) => key_hash);

  it('is on the page after the form, once: a second view says so', async () => {
    const created = await member.submit(await formOf(member), { name: 'Crawler' });
    expect([created.status, created.html]).toEqual([303, '']);
    const shown = await member.follow(created);
    expect(hashesSent()).toEqual([hashApiKey(secretOn(shown) ?? '')]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const again = await member.follow(created);
    expect([again.status, secretOn(again)]).toEqual([200, undefined]);
    expect(again.text).toContain('This key was shown once. If you lost it, delete it and create a new one.');
    expect(hashesSent()).toHaveLength(1);
  });

  it('is the same key with the same secret when its form is sent twice, before or after it was shown', async () => {
    const form = await formOf(member);
    const both = await Promise.all([1, 2].map(() => member.submit(form, { name: 'Crawler' })));
    const shown = await member.get(both[0]?.location ?? '');
    const third = await member.submit(form, { name: 'Crawler' });
    expect(new Set([...both, third].map(({ location }) => location)).size).toBe(1);
    expect(new Set(hashesSent())).toEqual(new Set([hashApiKey(secretOn(shown) ?? '')]));
  });

  it('is another key under another name, limit, last day or kind, of another form and in another session', async () => {
    const form = await formOf(member);
    await member.submit(form, { name: 'Crawler' });
    await member.submit(form, { name: 'Harvester' });
    await member.submit(form, { name: 'Crawler', expires_at: day(30) });
    await member.submit(form, { name: 'Crawler', monthly_limit: '500' });
    const test = await member.submit(form, { name: 'Crawler', mode: 'test' });
    expect(secretOn(await member.follow(test))).toMatch(/^csk_test_/);
    await member.submit(await formOf(member), { name: 'Crawler' });
    const colleague = account.member();
    const { form_token = '' } = (await formOf(colleague)).fields;
    await colleague.post(form.action, { ...form.fields, form_token, name: 'Crawler' });
    expect([new Set(hashesSent()).size, made.size]).toEqual([7, 7]);
    const sent = account.site.services.payloadsOf(createKey);
    expect(sent[2]).toMatchObject({ expires_at: endOf(day(30)) });
    expect(sent[3]).toMatchObject({ monthly_limit: 500 });
    expect(sent[4]).toMatchObject({ mode: 'test', prefix: expect.stringMatching(/^csk_test_/) as string });
  });

  it('is not shown by a form that is sent again long after', async () => {
    scriptBilling(new Date(Date.now() - 10 * 60_000).toISOString());
    const created = await member.submit(await formOf(member), { name: 'Crawler' });
    expect(secretOn(await member.follow(created))).toBeUndefined();
  });

  it('is in no address, and in the cookie only sealed, for this page of this session', async () => {
    const created = await member.submit(await formOf(member), { name: 'Crawler' });
    expect(created.headers.get('set-cookie')).toMatch(
      new RegExp(`^new-key=[\\w-]+; Max-Age=120; Path=${created.location}; HttpOnly; SameSite=Lax$`),
    );
    const sealed = member.cookies.get('new-key') ?? '';
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('csk_');
    const thief = account.member();
    thief.cookies.set('new-key', sealed);
    expect(secretOn(await thief.follow(created))).toBeUndefined();
    const other = await member.submit(await formOf(member), { name: 'Other' });
    member.cookies.set('new-key', sealed);
    expect(secretOn(await member.follow(other))).toBeUndefined();
    for (const changed of ['', 'x', sealed.slice(1), `${sealed.slice(0, -2)}AA`]) {
      member.cookies.set('new-key', changed);
      expect(secretOn(await member.follow(created))).toBeUndefined();
    }
  });
});
