import { v7 as uuidv7 } from 'uuid';
import { address, day, refusal, usePeople } from '../people.fixture.js';

const invite = usePeople({ SIGN_UP: 'invite' });
const open = usePeople({ SIGN_UP: 'open' });

/** An account, and a new domain whose people may join it. */
async function joinable(people = invite) {
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
      const browser = await (method === 'mail' ? invite.signedIn(email) : invite.byProvider(email));
      expect(await browser.show()).toMatchObject({ account: null, role: null, accounts: [] });
      expect(await browser.offers()).toMatchObject({ joinable: [offer], can_open_account: false });
      expect(await invite.members(id)).not.toContain(email);
      expect(await browser.join(id)).toMatchObject({ account: { id }, role: 'member' });
      expect(await browser.offers()).toMatchObject({ joinable: [] });
      expect(await browser.join(id)).toMatchObject({ role: 'member' });
      expect(await invite.members(id)).toContain(email);
    },
  );

  it('get no account of their own unasked, where sign-up is open', async () => {
    const { domain, offer } = await joinable(open);
    const browser = await open.signedIn(address(domain));
    expect(await browser.show()).toMatchObject({ account: null, accounts: [] });
    expect(await browser.offers()).toMatchObject({ joinable: [offer], can_open_account: true });
  });

  it('are those of exactly this domain, in upper or lower case', async () => {
    const { id, domain } = await joinable();
    for (const other of [`sub.${domain}`, `x${domain}`, `${domain}.org`]) {
      expect(await refusal(invite.byProvider(address(other)))).toBe('forbidden');
      const { owner } = await invite.team('Acme', address(other));
      expect(await owner.offers()).toMatchObject({ joinable: [] });
      expect(await refusal(owner.join(id))).toBe('not_found');
    }
    const browser = await invite.byProvider(address(domain.toUpperCase()));
    expect(await browser.join(id)).toMatchObject({ account: { id } });
  });

  it('may no longer join once the operator has removed the domain', async () => {
    const { id, domain } = await joinable();
    const browser = await invite.signedIn(address(domain));
    await invite.setRules(id, { join_domains: [] });
    expect(await refusal(browser.join(id))).toBe('not_found');
    expect(await refusal(invite.byProvider(address(domain)))).toBe('forbidden');
  });

  it('have proven their address: not by the link of an operator or a provider that gives another one', async () => {
    const { id, domain, offer } = await joinable();
    const email = address(domain);
    const linked = await invite.byOperator(await invite.account(email), email);
    await invite.byProvider(email);
    const moved = invite.browser();
    await moved.withIdentity(`of ${email}`, address('elsewhere.example'));
    for (const browser of [linked, moved]) {
      expect(await browser.offers()).toMatchObject({ joinable: [] });
      expect(await refusal(browser.join(id))).toBe('not_found');
    }
    expect(await (await invite.byProvider(email)).offers()).toMatchObject({ joinable: [offer] });
  });

  it('have proven it within a day', async () => {
    const { id, domain } = await joinable();
    const browser = await invite.signedIn(address(domain));
    await invite.setClock(day);
    expect(await refusal(browser.join(id))).toBe('forbidden');
    await invite.setClock(day - 1);
    expect(await refusal(browser.join(id))).toBeNull();
  });

  it('are 50 at most, also when they join at once', async () => {
    const { id, domain } = await joinable();
    for (let n = 0; n < 47; n += 1) await invite.member(id, address('owners.example'));
    const browsers = await Promise.all(Array.from({ length: 5 }, () => invite.byProvider(address(domain))));
    const codes = await Promise.all(browsers.map((browser) => refusal(browser.join(id))));
    expect(codes.toSorted()).toEqual(['conflict', 'conflict', 'conflict', null, null]);
    expect(await invite.members(id)).toHaveLength(50);
  });

  it('keep the role that they were invited with', async () => {
    const { id, domain } = await joinable();
    const email = address(domain);
    const personId = (await invite.list(id)).members[0]?.person_id ?? '';
    const invitation = await invite.invite({ id, personId }, email, { role: 'owner' });
    const browser = await invite.signedIn(email);
    expect(await browser.answer(invitation.id)).toMatchObject({ role: 'owner' });
    expect(await browser.join(id)).toMatchObject({ role: 'owner' });
  });
});
