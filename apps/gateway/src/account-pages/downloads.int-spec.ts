import { listCalls, listStatement } from '@app/contracts';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

describe('a download', () => {
  let account: ScriptedAccount;
  beforeAll(async () => {
    account = await ScriptedAccount.start();
    const { services } = account.api;
    services.on(listCalls, () => ({ items: [], next_cursor: null }));
    services.on(listStatement, () => ({ items: [], next_cursor: null }));
  });
  afterAll(() => account.stop());

  it.each([
    ['usage', 'day,key_id,key,operation,calls,credits'],
    ['calls', 'at,request_id,key_id,key,operation,filters,total,credits'],
    ['statement', 'id,at,type,credits,balance_after'],
  ])('of %s is a file that is saved under its name', async (name, head) => {
    const file = await account.member().get(`/account/${name}.csv?days=7`, { accept: 'text/html' });
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z]+-[0-9-]+\.csv"$/);
    expect(file.html.startsWith(head)).toBe(true);
  });

  it('needs a session, as every page does', async () => {
    const answer = await account.visitor().get('/account/statement.csv');
    expect([answer.status, answer.location]).toEqual([303, expect.stringContaining('/account/sign-in')]);
  });
});
