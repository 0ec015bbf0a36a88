import { getUsage, listCalls, listStatement } from '#contracts';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const dayMs = 86_400_000;
const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);

const account = ScriptedAccount.forSuite();

describe('the days of the usage page', () => {
  it.each([
    ['from=2026-05-10&to=2026-05-01', 'From must not be later than to.', 'from'],
    ['from=2001-01-01', 'must not span more than 366 days', 'from'],
    ['to=2000-01-05', 'must not be before 2000-01-01', 'from'],
    ['from=2026-05-01&to=2026-02-30', 'Enter a date as year-month-day', 'to'],
    ['to=%22%3E%3Cimg%3E', 'Enter a date as year-month-day', 'to'],
  ])('that are invalid are kept, with the reason beside them: %s', async (query, reason, name) => {
    const member = account.member();
    const page = await member.get(`/account/usage?${query}&by=key&key=${account.keyId}`);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(reason)]);
    const input = new RegExp(`<input (?:[^>"]|"[^"]*")*><p class="problem" id="${name}-problem"`, 's').exec(
      page.html,
    )?.[0];
    expect(input).toContain('aria-invalid="true"');
    const asked = new URLSearchParams(query);
    const form = page.form('/account/usage');
    for (const field of ['from', 'to']) expect(form.fields[field]).toBe(asked.get(field) ?? '');
    for (const value of ['key', account.keyId]) expect(page.html).toContain(`value="${value}" selected`);
    expect(page.text).not.toMatch(/last 30 days|Download CSV|calls? per/i);
    expect(account.site.services.payloadsOf(getUsage)).toEqual([]);
    for (const file of ['usage.csv', 'calls.csv']) {
      expect((await member.get(`/account/${file}?${query}`)).status).toBe(400);
    }
  });

  it.each([
    ['from=&to=', day(29), day(0)],
    ['days=7', day(6), day(0)],
    ['from=2024-01-01&to=2024-12-31', '2024-01-01', '2024-12-31'],
  ])('are those in the address: %s', async (query, from, to) => {
    const page = await account.member().get(`/account/usage?${query}`);
    expect(page.form('/account/usage').fields).toMatchObject({ from, to });
    expect(account.site.services.payloadsOf(getUsage)).toMatchObject([{ from, to }]);
  });
});

describe('a download', () => {
  it.each([
    ['usage', 'day,key_id,key,operation,calls,credits'],
    ['calls', 'at,request_id,key_id,key,operation,filters,total,credits'],
    ['statement', 'at,type,credits,balance_after'],
  ])('of %s is a file that is saved under its name, and needs a session', async (name, head) => {
    const { services } = account.site;
    services.on(listCalls, () => ({ items: [], next_cursor: null }));
    services.on(listStatement, () => ({ items: [], next_cursor: null, online_since: null }));
    const file = await account.member().get(`/account/${name}.csv?days=7`, { accept: 'text/html' });
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z]+-[0-9-]+\.csv"$/);
    expect(file.html.startsWith(head)).toBe(true);
    const answer = await account.visitor().get(`/account/${name}.csv`);
    expect([answer.status, answer.location]).toEqual([303, expect.stringContaining('/account/sign-in')]);
  });
});

it('calls for many profiles say how many were found, or why they were free', async () => {
  const { services } = account.site;
  const items = [
    account.call({ operation: 'profiles', filters: null, credits: 73 }),
    account.call({ operation: 'profiles', filters: null, credits: 0, reason: 'unchanged' }),
    account.call({ operation: 'profiles', filters: null, credits: 73, reason: 'abandoned' }),
  ];
  services.on(listCalls, () => ({ items, next_cursor: null }));
  const { text } = await account.member().get('/account/usage');
  const reasons = ['73 found', 'unchanged', '73 found, disconnected'];
  for (const why of reasons) expect(text).toContain(`Profiles: ${why}`);
});

it('the pages of a statement say nothing of the ids of its entries, nor do the links between them', async () => {
  const member = account.member();
  const [next_cursor, online_since] = ['WyI0NzExIl0', null];
  account.site.services.on(listStatement, () => ({ items: [], next_cursor, online_since }));
  const older = async () =>
    /statement\?cursor=([\w-]+)/.exec((await member.get('/account/statement')).html)?.[1] ?? '';
  const cursors = [await older(), await older()];
  expect(cursors[0]).not.toBe(cursors[1]);
  expect(Buffer.from(cursors[0] ?? '', 'base64url').toString('latin1')).not.toContain('4711');
  await member.get(`/account/statement?cursor=${cursors[0]}`);
  expect(account.site.services.payloadsOf(listStatement).at(-1)).toMatchObject({ cursor: 'WyI0NzExIl0' });
  expect((await member.get('/account/statement?cursor=WyI0NzExIl0')).status).toBe(400);
});

it('a statement of an unknown type of entries is refused rather than shown whole', async () => {
  for (const path of ['/account/statement', '/account/statement.csv']) {
    const page = await account.member().get(`${path}?type=refund`);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('Unknown type of entry: refund')]);
  }
});
