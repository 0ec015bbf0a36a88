import { getSignInRules } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { type Browser } from '../browser.fixture.js';
import { address, hour, refusal, start, usePeople } from '../people.fixture.js';

const people = usePeople();
const domain = 'corp.example';

/** An account whose owner is signed in in each way. */
async function company() {
  const { id, email, owner: mail } = await people.team('Corp Inc.', address(domain));
  const provider = await people.byProvider(email);
  return { id, email, mail, provider, operator: await people.byOperator(id, email) };
}

const shown = async (browser: Browser) => {
  const { account, role, withheld } = await browser.show();
  return { account: account?.id ?? null, role, asks: withheld?.asks ?? null };
};
const hidden = (asks: string) => ({ account: null, role: null, asks });

describe('an account that requires the provider', () => {
  it('is hidden at once from sessions by mail, and shown to those of the provider and of operators', async () => {
    const { id, mail, provider, operator } = await company();
    const all = { account: id, role: 'owner', asks: null };
    for (const browser of [mail, provider, operator]) expect(await shown(browser)).toEqual(all);
    await provider.changeRules(id, { provider_only: true });
    expect(await shown(mail)).toEqual(hidden('provider'));
    for (const browser of [provider, operator]) expect(await shown(browser)).toEqual(all);
    const withheld = { id, name: 'Corp Inc.', asks: 'provider' };
    expect(await mail.show()).toMatchObject({ accounts: [withheld], withheld });
    expect((await provider.show()).accounts).toEqual([{ id, name: 'Corp Inc.' }]);
    await provider.changeRules(id, { provider_only: false });
    expect(await shown(mail)).toEqual(all);
  });

  it('is hidden from sessions of an older version, which does not say how they were opened', async () => {
    const { id, provider } = await company();
    await people.setRules(id, { provider_only: true });
    await people.query('UPDATE sessions SET method = NULL WHERE token_hash = $1', [provider.sessionHash]);
    expect(await shown(provider)).toEqual(hidden('provider'));
  });

  it('is hidden from later sign-ins by mail, which do not count as a visit', async () => {
    const { id, email } = await company();
    await people.setRules(id, { provider_only: true });
    await people.setClock(hour);
    const late = await people.signedIn(email);
    expect(await shown(late)).toEqual(hidden('provider'));
    const seenAt = async () => (await people.list(id)).members[0]?.last_seen_at;
    expect(await seenAt()).toBe(new Date(start).toISOString());
    await people.setClock(2 * hour);
    await late.show();
    expect(await seenAt()).toBe(new Date(start).toISOString());
  });

  it('can be neither switched to nor left by mail, and another account is shown instead', async () => {
    const { id, email, provider } = await company();
    const own = await people.account(email, 'Own');
    await people.member(id, address(domain), 'owner');
    await provider.switchTo(id);
    await people.setRules(id, { provider_only: true });
    await people.setClock(hour);
    const mail = await people.signedIn(email);
    expect(await shown(mail)).toMatchObject({ account: own });
    expect(await refusal(mail.switchTo(id))).toBe('forbidden');
    expect(await refusal(mail.leave(id))).toBe('forbidden');
    expect(await shown(mail)).toMatchObject({ account: own });
    for (const account of [own, id]) {
      expect(await provider.switchTo(account)).toMatchObject({ account: { id: account } });
    }
  });

  it('is not found by people who are no members', async () => {
    const [{ id }, { mail: stranger }] = [await company(), await company()];
    await people.setRules(id, { provider_only: true });
    expect(await refusal(stranger.leave(id))).toBe('not_found');
    expect(await refusal(stranger.switchTo(id))).toBe('not_found');
  });
});

describe('an account that limits its sessions', () => {
  it('is shown for that long after any sign-in, to the millisecond', async () => {
    const { id, email, mail, provider, operator } = await company();
    await mail.changeRules(id, { session_hours: 8 });
    await people.setClock(8 * hour - 1);
    for (const browser of [mail, provider, operator]) {
      expect(await shown(browser)).toMatchObject({ account: id });
    }
    await people.setClock(8 * hour);
    for (const browser of [mail, provider, operator]) {
      expect(await shown(browser)).toEqual(hidden('again'));
      expect(await refusal(browser.switchTo(id))).toBe('forbidden');
    }
    expect(await shown(await people.byProvider(email))).toMatchObject({ account: id });
    await people.setRules(id, { session_hours: 0 });
    expect(await shown(mail)).toMatchObject({ account: id });
  });

  it("and requires the provider leads from an operator's old link to the provider", async () => {
    const { id, provider, operator } = await company();
    await people.setRules(id, { provider_only: true, session_hours: 1 });
    await people.setClock(hour);
    expect(await shown(provider)).toMatchObject({ asks: 'again' });
    expect(await shown(operator)).toMatchObject({ asks: 'provider' });
  });
});

describe('the rules of an account', () => {
  it('are changed by its owners, in a session that shows it', async () => {
    const [{ id, mail, provider, email }, other] = [await company(), await company()];
    const member = address(domain);
    await people.member(id, member);
    const strangers = [other.mail, await people.signedIn(member), people.browser()];
    const codes = strangers.map((browser) => refusal(browser.changeRules(id, { session_hours: 8 })));
    expect(await Promise.all(codes)).toEqual(['forbidden', 'forbidden', 'unauthorized']);
    await mail.switchTo(await people.account(email, 'Own'));
    expect(await refusal(mail.changeRules(id, { session_hours: 8 }))).toBe('forbidden');
    const rules = { join_domains: [], provider_only: false, session_hours: 8 };
    expect(await provider.changeRules(id, { session_hours: 8 })).toEqual(rules);
  });

  it('lock out no owner who changes them: "provider only" is turned on in a session of the provider', async () => {
    const { id, mail, provider, operator } = await company();
    for (const browser of [mail, operator]) {
      expect(await refusal(browser.changeRules(id, { provider_only: true }))).toBe('forbidden');
    }
    await provider.changeRules(id, { provider_only: true });
    expect(await refusal(mail.changeRules(id))).toBe('forbidden');
    expect(await operator.changeRules(id)).toMatchObject({ provider_only: true });
    await operator.changeRules(id, { provider_only: true, session_hours: 5 });
    const off = { provider_only: false };
    expect(await operator.changeRules(id, off)).toMatchObject(off);
  });

  it('are set by operators one by one; missing ones are not changed', async () => {
    const { id } = await company();
    await people.setRules(id, { join_domains: ['B.example', 'bücher.example'], provider_only: true });
    await people.setRules(id, { session_hours: 12 });
    const rules = { join_domains: ['b.example', 'bücher.example'], provider_only: true, session_hours: 12 };
    expect(await people.send(getSignInRules, { account_id: id })).toEqual(rules);
    expect(await people.setRules(id)).toEqual(rules);
    expect(await people.setRules(id, { join_domains: [], session_hours: 0 })).toEqual({
      join_domains: [],
      provider_only: true,
      session_hours: null,
    });
    expect(await refusal(people.setRules(uuidv7()))).toBe('not_found');
  });

  it.each([
    ...['corp', 'a@corp.example', 'corp。example.com', '', '*.example'].map((bad) => ({
      join_domains: [bad],
    })),
    { join_domains: ['b.example', 'B.example'] },
    { session_hours: 721 },
  ])('are never %j', async (rules) => {
    expect(await refusal(people.setRules(await people.account(), rules))).toBe('invalid_request');
  });
});

it('the list of sessions says how each was opened', async () => {
  const { provider } = await company();
  const methods = (await provider.sessions()).map(({ method }) => method);
  expect(methods.toSorted()).toEqual(['mail', 'operator', 'provider']);
});
