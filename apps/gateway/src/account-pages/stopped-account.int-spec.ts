import { getSession, type SessionView } from '@app/contracts';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const session: SessionView = {
  session_id: '0198c0de-0000-7000-8000-000000000002',
  person_id: '0198c0de-0000-7000-8000-000000000003',
  email: 'ada@site.example',
  role: 'owner',
  account: { id: account, name: 'Acme', is_stopped: true },
  accounts: [{ id: account, name: 'Acme' }],
  expires_at: '2027-01-01T00:00:00.000Z',
};

let pages: ScriptedAccount;
beforeAll(async () => (pages = await ScriptedAccount.start()));
afterAll(() => pages.stop());
beforeEach(() => pages.script());

it.each(['/account', '/account/keys', '/account/buy'])(
  '%s says that the keys are refused, and works',
  async (path) => {
    const usual = await pages.member('owner').get(path);
    expect(usual).toMatchObject({ status: 200 });
    expect(usual.text).not.toContain('Your API keys are disabled');
    pages.api.services.on(getSession, () => session);
    const stopped = await pages.member('owner').get(path);
    expect(stopped.status).toBe(200);
    expect(stopped.text).toContain('Your API keys are disabled: the payment for credits');
    expect(stopped.html).toContain('href="/account/buy"');
  },
);
