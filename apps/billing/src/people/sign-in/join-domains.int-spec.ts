import { v7 as uuidv7 } from 'uuid';
import { address, day, refusal, usePeople } from '../people.fixture.js';

const people = usePeople({ SIGN_UP: 'invite' });

/** An account, and a new domain whose people may join it. */
async function joinable() {
  const domain = `d${uuidv7()}.example`;
  const id = await people.account(address('owners.example'), 'Corp Inc.');
  await people.setRules(id, { join_domains: [domain] });
  return { id, domain, offer: { account_id: id, account_name: 'Corp Inc.', domain } };
}

describe('people of a domain that an operator has set', () => {
  it.each(['mail', 'provider'] as const)(
    'sign in by %s although sign-up is closed, and join as members',
    async (method) => {
      const { id, domain, offer } = await joinable();
      const email = address(domain);
      const browser = await (method === 'mail' ? people.signedIn(email) : people.byProvider(email));
      expect(await browser.show()).toMatchObject({ account: null, role: null, accounts: [] });
      expect(await browser.offers()).toMatchObject({ joinable: [offer], can_open_account: false });
      expect(await people.members(id)).not.toContain(email);
      expect(await browser.join(id)).toMatchObject({ account: { id }, role: 'member' });
      expect(await browser.offers()).toMatchObject({ joinable: [] });
      expect(await browser.join(id)).toMatchObject({ role: 'member' });
      expect(await people.members(id)).toContain(email);
    },
  );

  it('are those of exactly this domain, in upper or lower case', async () => {
    const { id, domain } = await joinable();
    for (const other of [`sub.${domain}`, `x${domain}`, `${domain}.org`]) {
      expect(await refusal(people.byProvider(address(other)))).toBe('forbidden');
      const { owner } = await people.team('Acme', address(other));
      expect(await owner.offers()).toMatchObject({ joinable: [] });
      expect(await refusal(owner.join(id))).toBe('not_found');
    }
    const browser = await people.byProvider(address(domain.toUpperCase()));
    expect(await browser.join(id)).toMatchObject({ account: { id } });
  });

  it('may no longer join once the operator has removed the domain', async () => {
    const { id, domain } = await joinable();
    const browser = await people.signedIn(address(domain));
    await people.setRules(id, { join_domains: [] });
    expect(await refusal(browser.join(id))).toBe('not_found');
    expect(await refusal(people.byProvider(address(domain)))).toBe('forbidden');
  });

  it('have proven their address: not by the link of an operator or a provider that gives another one', async () => {
    const { id, domain, offer } = await joinable();
    const email = address(domain);
    const linked = await people.byOperator(await people.account(email), email);
    await people.byProvider(email);
    const moved = people.browser();
    await moved.withIdentity(`of ${email}`, address('elsewhere.example'));
    for (const browser of [linked, moved]) {
      expect(await browser.offers()).toMatchObject({ joinable: [] });
      expect(await refusal(browser.join(id))).toBe('not_found');
    }
    expect(await (await people.byProvider(email)).offers()).toMatchObject({ joinable: [offer] });
  });

  it('have proven it within a day', async () => {
    const { id, domain } = await joinable();
    const browser = await people.signedIn(address(domain));
    await people.setClock(day);
    expect(await refusal(browser.join(id))).toBe('forbidden');
    await people.setClock(day - 1);
    expect(await refusal(browser.join(id))).toBeNull();
  });

  it('are 50 at most, also when they join at once', async () => {
    const { id, domain } = await joinable();
    for (let n = 0; n < 47; n += 1) await people.member(id, address('owners.example'));
    const browsers = await Promise.all(Array.from({ length: 5 }, () => people.byProvider(address(domain))));
    const codes = await Promise.all(browsers.map((browser) => refusal(browser.join(id))));
    expect(codes.toSorted()).toEqual(['conflict', 'conflict', 'conflict', null, null]);
    expect(await people.members(id)).toHaveLength(50);
  });

  it('keep the role that they were invited with', async () => {
    const { id, domain } = await joinable();
    const email = address(domain);
    const personId = (await people.list(id)).members[0]?.person_id ?? '';
    const invitation = await people.invite({ id, personId }, email, { role: 'owner' });
    const browser = await people.signedIn(email);
    expect(await browser.answer(invitation.id)).toMatchObject({ role: 'owner' });
    expect(await browser.join(id)).toMatchObject({ role: 'owner' });
  });
});
