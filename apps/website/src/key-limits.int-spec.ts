import { createKey, getKey, type KeyView, listKeys, updateKey } from '#contracts';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const account = ScriptedAccount.forSuite();
const dayMs = 86_400_000;
const day = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const endOf = (text: string): string => new Date(Date.parse(text) + dayMs).toISOString();

const limitsPath = (): string => `/account/keys/${account.keyId}/limits`;

function scriptKey(change: Partial<KeyView>): void {
  const key: KeyView = {
    id: account.keyId,
    name: 'Crawler',
    prefix: 'csk_a1B2c3',
    active: true,
    expires_at: null,
    monthly_limit: null,
    rotated_at: null,
    created_at: '2026-01-01T00:00:00.000Z',
    last_used_at: null,
    created_by: null,
    ...change,
  };
  account.site.services.on(getKey, () => key);
  account.site.services.on(listKeys, () => ({ keys: [key] }));
  account.site.services.on(updateKey, () => key);
}

const changes = () => account.site.services.payloadsOf(updateKey);
const path = () => ({ account_id: account.accountId, key_id: account.keyId });

describe('the expiry of a key', () => {
  it('is chosen with a new key: the end of a day', async () => {
    const member = account.member();
    const form = (await member.get('/account/keys')).form('/account/keys');
    await member.submit(form, { name: 'Crawler', expires_at: day(30) });
    await member.submit(form, { name: 'Crawler' });
    const asked = account.site.services.payloadsOf(createKey);
    expect(asked.map(({ expires_at }) => expires_at)).toEqual([endOf(day(30)), undefined]);
    expect(new Set(asked.map(({ idempotency_key }) => idempotency_key)).size).toBe(2);
  });

  it('is changed by the member, and removed with an empty field', async () => {
    scriptKey({ expires_at: endOf(day(3)) });
    const member = account.member();
    const form = (await member.get(limitsPath())).form(limitsPath());
    expect(form.fields).toMatchObject({ expires_at: day(3) });
    expect((await member.submit(form, { expires_at: day(0) })).status).toBe(303);
    await member.submit(form, { expires_at: '' });
    const expected = [endOf(day(0)), null].map((expires_at) => ({
      ...path(),
      expires_at,
      monthly_limit: null,
    }));
    expect(changes()).toEqual(expected);
  });

  it('that an operator has set to the minute stays when the form is sent as it is', async () => {
    scriptKey({ expires_at: `${day(3)}T12:34:00.000Z` });
    const member = account.member();
    await member.submit((await member.get(limitsPath())).form(limitsPath()), {});
    expect(changes()).toEqual([{ ...path(), monthly_limit: null }]);
  });
});

describe('the monthly limit of a key', () => {
  const submit = async (monthly_limit: string) => {
    const member = account.member();
    return member.submit((await member.get(limitsPath())).form(limitsPath()), { monthly_limit });
  };

  it('is set and removed by a member', async () => {
    scriptKey({ monthly_limit: 500 });
    const form = (await account.member().get(limitsPath())).form(limitsPath());
    expect(form.fields).toMatchObject({ monthly_limit: '500' });
    expect((await submit('5000')).status).toBe(303);
    await submit('');
    expect(changes()).toEqual([5_000, null].map((monthly_limit) => ({ ...path(), monthly_limit })));
  });

  it('is shown with what the key has spent of it', async () => {
    scriptKey({ monthly_limit: 5_000, spent_this_month: 1_234 });
    expect((await account.member().get('/account/keys')).text).toContain('1,234 of 5,000 credits this month');
  });
});

it.each([
  ['expires_at', day(-1), 'Choose today or a later day.'],
  ['expires_at', 'tomorrow', 'Enter a day, or leave this empty.'],
  ['monthly_limit', '0', 'Enter a number from 1 to'],
  ['monthly_limit', '1000000001', 'Enter a number from 1 to'],
])('%s is not %s', async (name, typed, problem) => {
  const member = account.member();
  const page = await member.submit((await member.get(limitsPath())).form(limitsPath()), { [name]: typed });
  expect([page.status, page.text]).toEqual([400, expect.stringContaining(problem)]);
  expect(changes()).toEqual([]);
});
