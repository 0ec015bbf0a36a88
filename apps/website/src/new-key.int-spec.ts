import { createKey, getKey, type KeyView, rotateKey } from '#contracts';
import { hashApiKey } from '#platform';
import { type PageForm, type PageVisitor, type ShownPage } from '#testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const keyPattern = /csk_[0-9A-Za-z]{38}/;

describe('a rotated key', () => {
  const account = ScriptedAccount.forSuite();
  const path = () => `/account/keys/${account.keyId}/rotate`;
  const sent = () => account.site.services.payloadsOf(rotateKey);

  beforeEach(() => {
    const rotated_at = new Date().toISOString();
    account.site.services.on(rotateKey, ({ key_id, prefix, overlap_hours }) => {
      const old = { previous_prefix: 'csk_a1B2c3', previous_valid_until: '2030-01-31T12:00:00.000Z' };
      const key: KeyView = {
        id: key_id,
        name: 'Crawler',
        prefix,
        active: true,
        expires_at: null,
        monthly_limit: null,
        ...(overlap_hours > 0 && old),
        rotated_at,
        created_at: '2026-01-01T00:00:00.000Z',
        last_used_at: null,
        created_by: null,
      };
      account.site.services.on(getKey, () => key);
      return key;
    });
  });

  it.each([
    ['24', 'The old key csk_a1B2c3... works until'],
    ['0', 'The old key no longer works.'],
  ])(
    'shows its new secret once, and until when the old one works (%s h)',
    async (overlap_hours, sentence) => {
      const member = account.member();
      const list = await member.get('/account/keys');
      const rotated = await member.submit(list.form(path()), { overlap_hours });
      const shown = await member.follow(rotated);
      const secret = keyPattern.exec(shown.text)?.[0] ?? '';
      expect(sent()).toMatchObject([{ key_hash: hashApiKey(secret), overlap_hours: Number(overlap_hours) }]);
      expect(shown.text).toContain('Rotated Crawler.');
      expect(shown.text).toContain(sentence);
      expect(keyPattern.test((await member.follow(rotated)).text)).toBe(false);
    },
  );
});

describe('a new key', () => {
  const account = ScriptedAccount.forSuite();
  let member: PageVisitor;
  const made = new Map<string, KeyView>();
  beforeEach(() => {
    made.clear();
    scriptBilling(new Date().toISOString());
    member = account.member();
  });

  /** Creates one key for each Idempotency-Key, as billing does. */
  function scriptBilling(created_at: string): void {
    account.site.services.on(createKey, ({ key_id: id, name, prefix, idempotency_key }) => {
      const known = made.get(idempotency_key);
      const key = known ?? {
        id,
        name,
        prefix,
        active: true,
        expires_at: null,
        monthly_limit: null,
        rotated_at: null,
        created_at,
        last_used_at: null,
        created_by: null,
      };
      made.set(idempotency_key, key);
      return { created: !known, key };
    });
    account.site.services.on(getKey, ({ key_id }) => {
      const found = [...made.values()].find(({ id }) => id === key_id);
      if (!found) throw new Error('no such key');
      return found;
    });
  }

  const formOf = async (visitor = member): Promise<PageForm> =>
    (await visitor.get('/account/keys')).form('/account/keys');

  const secretOn = (page: ShownPage): string | undefined => keyPattern.exec(page.text)?.[0];

  const hashesSent = (): string[] =>
    account.site.services.payloadsOf(createKey).map(({ key_hash }) => key_hash);

  it('is on the page after the form, once: a second view says so', async () => {
    const created = await member.submit(await formOf(), { name: 'Crawler' });
    expect([created.status, created.location]).toEqual([
      303,
      expect.stringMatching(/^\/account\/keys\/[\w-]{36}\/new$/),
    ]);
    expect(created.html).toBe('');
    const shown = await member.follow(created);
    const secret = secretOn(shown) ?? '';
    expect(hashesSent()).toEqual([hashApiKey(secret)]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    for (let view = 0; view < 2; view += 1) {
      const again = await member.follow(created);
      expect([again.status, secretOn(again)]).toEqual([200, undefined]);
      expect(again.text).toContain(
        'This key was shown once. If you lost it, delete it and create a new one.',
      );
    }
    expect(hashesSent()).toHaveLength(1);
  });

  it('is the same key with the same secret when its form is sent twice, before or after it was shown', async () => {
    const form = await formOf();
    const both = await Promise.all([1, 2].map(() => member.submit(form, { name: 'Crawler' })));
    const shown = await member.get(both[0]?.location ?? '');
    const third = await member.submit(form, { name: 'Crawler' });
    expect(new Set([...both, third].map(({ location }) => location)).size).toBe(1);
    expect(new Set(hashesSent())).toEqual(new Set([hashApiKey(secretOn(shown) ?? '')]));
    expect(made.size).toBe(1);
  });

  it('is another key under another name, of another form and in another session', async () => {
    const form = await formOf();
    await member.submit(form, { name: 'Crawler' });
    await member.submit(form, { name: 'Harvester' });
    await member.submit(await formOf(), { name: 'Crawler' });
    const colleague = account.member();
    const { form_token = '' } = (await formOf(colleague)).fields;
    await colleague.post(form.action, { ...form.fields, form_token, name: 'Crawler' });
    expect(new Set(hashesSent()).size).toBe(4);
    expect(made.size).toBe(4);
  });

  it('is not shown by a form that is sent again long after', async () => {
    scriptBilling(new Date(Date.now() - 10 * 60_000).toISOString());
    const created = await member.submit(await formOf(), { name: 'Crawler' });
    const page = await member.follow(created);
    expect([secretOn(page), page.text]).toEqual([undefined, expect.stringContaining('shown once')]);
  });

  it('is in no address, and in the cookie only sealed, for this page of this session', async () => {
    const created = await member.submit(await formOf(), { name: 'Crawler' });
    const cookie = created.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      new RegExp(`^new-key=[\\w-]+; Max-Age=120; Path=${created.location}; HttpOnly; SameSite=Lax$`),
    );
    const sealed = member.cookies.get('new-key') ?? '';
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('csk_');
    const thief = account.member();
    thief.cookies.set('new-key', sealed);
    expect(secretOn(await thief.follow(created))).toBeUndefined();
    const other = await member.submit(await formOf(), { name: 'Other' });
    member.cookies.set('new-key', sealed);
    expect(secretOn(await member.follow(other))).toBeUndefined();
    for (const changed of ['', 'x', sealed.slice(1), `${sealed.slice(0, -2)}AA`]) {
      member.cookies.set('new-key', changed);
      expect(secretOn(await member.follow(created))).toBeUndefined();
    }
  });
});
