import { answerInvitation, inviteMember, listMembers } from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { context } from '../../running-billing.fixture.js';
import { refusal, SigningIn } from './signing-in.fixture.js';
import {
  addressIn,
  byOperator,
  byProvider,
  join,
  newDomain,
  offers,
  setRules,
  show,
} from './sign-in-rules.fixture.js';

const start = Date.UTC(2026, 2, 1, 12);
const day = 24 * 3_600_000;

let invite: SigningIn;
let open: SigningIn;
beforeAll(async () => {
  invite = await SigningIn.start({ SIGN_UP: 'invite' });
  open = await SigningIn.start({ SIGN_UP: 'open' });
});
beforeEach(() => setClock(0));
afterAll(() => Promise.all([invite?.close(), open?.close()]));

const setClock = (ms: number): Promise<unknown> =>
  Promise.all([invite, open].map(({ factory }) => factory.setClock(new Date(start + ms))));

/** An account that the people of a domain of its own may join. */
async function joinable(signingIn = invite) {
  const domain = newDomain();
  const id = await signingIn.account(addressIn('owners.example'), 'Corp Inc.');
  await setRules(signingIn, id, { join_domains: [domain] });
  return { id, domain, offer: { account_id: id, account_name: 'Corp Inc.', domain } };
}

describe('people of a domain that an operator has set', () => {
  it.each(['mail', 'provider'] as const)(
    'sign in by %s although sign-up is closed, and join as members',
    async (method) => {
      const { id, domain, offer } = await joinable();
      const email = addressIn(domain);
      const browser = method === 'mail' ? await invite.signedIn(email) : await byProvider(invite, email);
      expect(await show(invite, browser)).toMatchObject({ account: null, role: null, accounts: [] });
      expect(await offers(invite, browser)).toMatchObject({ joinable: [offer], can_open_account: false });
      expect(await invite.members(id)).not.toContain(email);
      expect(await join(invite, browser, id)).toMatchObject({ account: { id }, role: 'member' });
      expect(await offers(invite, browser)).toMatchObject({ joinable: [] });
      expect(await join(invite, browser, id)).toMatchObject({ role: 'member' });
      expect(await invite.members(id)).toContain(email);
    },
  );

  it('get no account of their own that they did not ask for, where sign-up is open', async () => {
    const { domain, offer } = await joinable(open);
    const browser = await open.signedIn(addressIn(domain));
    expect(await show(open, browser)).toMatchObject({ account: null, accounts: [] });
    expect(await offers(open, browser)).toMatchObject({ joinable: [offer], can_open_account: true });
  });

  it('are those of exactly this domain, in any case of letters', async () => {
    const { id, domain } = await joinable();
    for (const other of [`sub.${domain}`, `x${domain}`, `${domain}.org`]) {
      expect(await refusal(byProvider(invite, addressIn(other)))).toBe('forbidden');
      const email = addressIn(other);
      await invite.account(email);
      const browser = await invite.signedIn(email);
      expect(await offers(invite, browser)).toMatchObject({ joinable: [] });
      expect(await refusal(join(invite, browser, id))).toBe('not_found');
    }
    const browser = await byProvider(invite, addressIn(domain.toUpperCase()));
    expect(await join(invite, browser, id)).toMatchObject({ account: { id } });
  });

  it('may no longer join once the operator has taken the domain away', async () => {
    const { id, domain } = await joinable();
    const browser = await invite.signedIn(addressIn(domain));
    await setRules(invite, id, { join_domains: [] });
    expect(await refusal(join(invite, browser, id))).toBe('not_found');
    expect(await refusal(byProvider(invite, addressIn(domain)))).toBe('forbidden');
  });

  it('have shown that the address is theirs: no link of an operator, no provider that gives another one', async () => {
    const { id, domain, offer } = await joinable();
    const email = addressIn(domain);
    const own = await invite.account(email);
    const linked = await byOperator(invite, own, email);
    await byProvider(invite, email);
    const moved = invite.browser();
    await moved.withIdentity(`of ${email}`, addressIn('elsewhere.example'));
    for (const browser of [linked, moved]) {
      expect(await offers(invite, browser)).toMatchObject({ joinable: [] });
      expect(await refusal(join(invite, browser, id))).toBe('not_found');
    }
    expect(await offers(invite, await byProvider(invite, email))).toMatchObject({ joinable: [offer] });
  });

  it('have shown so within a day', async () => {
    const { id, domain } = await joinable();
    const browser = await invite.signedIn(addressIn(domain));
    await setClock(day);
    expect(await refusal(join(invite, browser, id))).toBe('forbidden');
    await setClock(day - 1);
    expect(await refusal(join(invite, browser, id))).toBeNull();
  });

  it('are 50 at most, also when they join at once', async () => {
    const { id, domain } = await joinable();
    for (let n = 0; n < 47; n += 1) await invite.member(id, addressIn('owners.example'));
    const browsers = await Promise.all(
      Array.from({ length: 5 }, () => byProvider(invite, addressIn(domain))),
    );
    const codes = await Promise.all(browsers.map((browser) => refusal(join(invite, browser, id))));
    expect(codes.toSorted()).toEqual(['conflict', 'conflict', 'conflict', null, null]);
    const { members } = await invite.client.request(listMembers, { account_id: id }, context);
    expect(members).toHaveLength(50);
  });

  it('who were invited as owners are, whatever they join as', async () => {
    const { id, domain } = await joinable();
    const email = addressIn(domain);
    const { members } = await invite.client.request(listMembers, { account_id: id }, context);
    const invitation_id = uuidv7();
    const request = { account_id: id, email, role: 'owner', invitation_id } as const;
    await invite.client.request(
      inviteMember,
      { ...request, person_id: members[0]?.person_id ?? '' },
      context,
    );
    const browser = await invite.signedIn(email);
    const answer = { session_hash: browser.sessionHash, invitation_id, is_accepted: true };
    expect(await invite.client.request(answerInvitation, answer, context)).toMatchObject({ role: 'owner' });
    expect(await join(invite, browser, id)).toMatchObject({ role: 'owner' });
  });
});
