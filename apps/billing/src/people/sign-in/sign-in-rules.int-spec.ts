import { getSignInRules, leaveAccount, listMembers, listSessions } from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { context } from '../../running-billing.fixture.js';
import { type Browser, refusal, SigningIn } from './signing-in.fixture.js';
import {
  addressIn,
  byOperator,
  byProvider,
  changeRules,
  setRules,
  show,
  switchTo,
} from './sign-in-rules.fixture.js';

const start = Date.UTC(2026, 2, 1, 12);
const hour = 3_600_000;
const domain = 'corp.example';

let signingIn: SigningIn;
beforeAll(async () => (signingIn = await SigningIn.start({ SWEEP_PERIOD_MS: '600000' })));
beforeEach(() => setClock(0));
afterAll(() => signingIn?.close());

const setClock = (ms: number): Promise<void> => signingIn.factory.setClock(new Date(start + ms));

/** An account whose owner is signed in in each way. */
async function company() {
  const email = addressIn(domain);
  const id = await signingIn.account(email, 'Corp Inc.');
  const mail = await signingIn.signedIn(email);
  const provider = await byProvider(signingIn, email);
  return { id, email, mail, provider, operator: await byOperator(signingIn, id, email) };
}

const shown = async (browser: Browser) => {
  const { account, role, withheld } = await show(signingIn, browser);
  return { account: account?.id ?? null, role, asks: withheld?.asks ?? null };
};

describe('an account that asks for sign-in through the company', () => {
  it('is hidden at once from sessions by mail, and shown to those of the provider and of operators', async () => {
    const { id, mail, provider, operator } = await company();
    const all = { account: id, role: 'owner', asks: null };
    const none = { account: null, role: null, asks: 'provider' };
    for (const browser of [mail, provider, operator]) expect(await shown(browser)).toEqual(all);
    await changeRules(signingIn, provider, id, { provider_only: true });
    expect(await shown(mail)).toEqual(none);
    for (const browser of [provider, operator]) expect(await shown(browser)).toEqual(all);
    expect(await show(signingIn, mail)).toMatchObject({
      accounts: [{ id, name: 'Corp Inc.', asks: 'provider' }],
      withheld: { id, name: 'Corp Inc.', asks: 'provider' },
    });
    expect((await show(signingIn, provider)).accounts).toEqual([{ id, name: 'Corp Inc.' }]);
    await changeRules(signingIn, provider, id, { provider_only: false });
    expect(await shown(mail)).toEqual(all);
  });

  it('is hidden from sessions of an older version, which does not say how they were opened', async () => {
    const { id, provider } = await company();
    await setRules(signingIn, id, { provider_only: true });
    const { admin } = signingIn.billing;
    await admin.query('UPDATE sessions SET method = NULL WHERE token_hash = $1', [provider.sessionHash]);
    expect(await shown(provider)).toEqual({ account: null, role: null, asks: 'provider' });
  });

  it('stays open to nobody who signs in by mail later, and counts as not seen', async () => {
    const { id, email } = await company();
    await setRules(signingIn, id, { provider_only: true });
    await setClock(hour);
    const late = await signingIn.signedIn(email);
    expect(await shown(late)).toEqual({ account: null, role: null, asks: 'provider' });
    const seenAt = async () =>
      (await signingIn.client.request(listMembers, { account_id: id }, context)).members[0]?.last_seen_at;
    expect(await seenAt()).toBe(new Date(start).toISOString());
    await setClock(2 * hour);
    await show(signingIn, late);
    expect(await seenAt()).toBe(new Date(start).toISOString());
  });

  it('can neither be switched to nor left by mail, and another account is shown instead', async () => {
    const { id, email, provider } = await company();
    const own = await signingIn.account(email, 'Own');
    await signingIn.member(id, addressIn(domain), 'owner');
    await switchTo(signingIn, provider, id);
    await setRules(signingIn, id, { provider_only: true });
    await setClock(hour);
    const mail = await signingIn.signedIn(email);
    expect(await shown(mail)).toMatchObject({ account: own });
    expect(await refusal(switchTo(signingIn, mail, id))).toBe('forbidden');
    const leave = { session_hash: mail.sessionHash, account_id: id };
    expect(await refusal(signingIn.client.request(leaveAccount, leave, context))).toBe('forbidden');
    expect(await shown(mail)).toMatchObject({ account: own });
    expect(await switchTo(signingIn, provider, own)).toMatchObject({ account: { id: own } });
    expect(await switchTo(signingIn, provider, id)).toMatchObject({ account: { id } });
  });

  it('names itself to its members only', async () => {
    const [{ id }, stranger] = [await company(), await company()];
    await setRules(signingIn, id, { provider_only: true });
    const leave = { session_hash: stranger.mail.sessionHash, account_id: id };
    expect(await refusal(signingIn.client.request(leaveAccount, leave, context))).toBe('not_found');
    expect(await refusal(switchTo(signingIn, stranger.mail, id))).toBe('not_found');
  });
});

describe('an account that bounds its sessions', () => {
  it('is shown for so long after the sign-in, to the millisecond, however it was', async () => {
    const { id, email, mail, provider, operator } = await company();
    await changeRules(signingIn, mail, id, { session_hours: 8 });
    await setClock(8 * hour - 1);
    for (const browser of [mail, provider, operator]) {
      expect(await shown(browser)).toMatchObject({ account: id });
    }
    await setClock(8 * hour);
    for (const browser of [mail, provider, operator]) {
      expect(await shown(browser)).toEqual({ account: null, role: null, asks: 'again' });
      expect(await refusal(switchTo(signingIn, browser, id))).toBe('forbidden');
    }
    expect(await shown(await byProvider(signingIn, email))).toMatchObject({ account: id });
    await setRules(signingIn, id, { session_hours: 0 });
    expect(await shown(mail)).toMatchObject({ account: id });
  });

  it('and asks for the company: a link of an operator that is too old does not lead to another one', async () => {
    const { id, provider, operator } = await company();
    await setRules(signingIn, id, { provider_only: true, session_hours: 1 });
    await setClock(hour);
    expect(await shown(provider)).toMatchObject({ asks: 'again' });
    expect(await shown(operator)).toMatchObject({ asks: 'provider' });
  });
});

describe('the rules of an account', () => {
  it('are changed by its owners, in a session that shows it', async () => {
    const [{ id, mail, provider, email }, other] = [await company(), await company()];
    const member = addressIn(domain);
    await signingIn.member(id, member);
    const strangers = [other.mail, await signingIn.signedIn(member), signingIn.browser()];
    const codes = await Promise.all(
      strangers.map((browser) => refusal(changeRules(signingIn, browser, id, { session_hours: 8 }))),
    );
    expect(codes).toEqual(['forbidden', 'forbidden', 'unauthorized']);
    const own = await signingIn.account(email, 'Own');
    await switchTo(signingIn, mail, own);
    expect(await refusal(changeRules(signingIn, mail, id, { session_hours: 8 }))).toBe('forbidden');
    expect(await changeRules(signingIn, provider, id, { session_hours: 8 })).toEqual({
      join_domains: [],
      provider_only: false,
      session_hours: 8,
    });
  });

  it('lock out nobody who changes them: "provider only" is switched on in a session of the provider', async () => {
    const { id, mail, provider, operator } = await company();
    for (const browser of [mail, operator]) {
      expect(await refusal(changeRules(signingIn, browser, id, { provider_only: true }))).toBe('forbidden');
    }
    await changeRules(signingIn, provider, id, { provider_only: true });
    expect(await refusal(changeRules(signingIn, mail, id, {}))).toBe('forbidden');
    expect(await changeRules(signingIn, operator, id, {})).toMatchObject({ provider_only: true });
    await changeRules(signingIn, operator, id, { provider_only: true, session_hours: 5 });
    expect(await changeRules(signingIn, operator, id, { provider_only: false })).toMatchObject({
      provider_only: false,
    });
  });

  it('are set by operators, each by itself; what is not given stays', async () => {
    const { id } = await company();
    const read = () => signingIn.client.request(getSignInRules, { account_id: id }, context);
    await setRules(signingIn, id, { join_domains: ['B.example', 'bücher.example'], provider_only: true });
    await setRules(signingIn, id, { session_hours: 12 });
    const rules = { join_domains: ['b.example', 'bücher.example'], provider_only: true, session_hours: 12 };
    expect(await read()).toEqual(rules);
    expect(await setRules(signingIn, id, {})).toEqual(rules);
    expect(await setRules(signingIn, id, { join_domains: [], session_hours: 0 })).toEqual({
      join_domains: [],
      provider_only: true,
      session_hours: null,
    });
    expect(await refusal(setRules(signingIn, uuidv7(), {}))).toBe('not_found');
    for (const bad of ['corp', 'a@corp.example', 'corp。example.com', '', '*.example']) {
      const refused = refusal(setRules(signingIn, id, { join_domains: [bad] }));
      expect([bad, await refused]).toEqual([bad, 'invalid_request']);
    }
    expect(await refusal(setRules(signingIn, id, { join_domains: ['b.example', 'B.example'] }))).toBe(
      'invalid_request',
    );
    expect(await refusal(setRules(signingIn, id, { session_hours: 721 }))).toBe('invalid_request');
  });
});

it('the list of sessions says how each was opened', async () => {
  const { provider } = await company();
  const request = { session_hash: provider.sessionHash };
  const { sessions } = await signingIn.client.request(listSessions, request, context);
  expect(sessions.map(({ method }) => method).toSorted()).toEqual(['mail', 'operator', 'provider']);
});
