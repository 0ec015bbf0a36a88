import { admin } from '../support/admin-api.js';
import { newOwner, newVisitor, operatorsLink, useLink } from '../support/members.js';
import { randomWord } from '../support/random.js';
import { describeSelling } from '../support/selling.js';
import { setRules, type SignInRules, signInByMail } from '../support/sign-in-rules.js';

describe('what an account requires of a sign-in', () => {
  it('is shown in its settings, and an operator can let its owner back in', async () => {
    const { account, owner } = await newOwner();
    expect(await setRules(account.id, { provider_only: true, session_hours: 8 })).toEqual({
      join_domains: [],
      provider_only: true,
      session_hours: 8,
    });
    const settings = await owner.get('/account/settings');
    expect(settings.form('/settings/sign-in').fields).toMatchObject({ session_hours: '8' });
    const visitor = newVisitor();
    expect((await useLink(visitor, await operatorsLink(account.id))).text).toContain(account.name);
  });

  it('is changed by owners in the settings', async () => {
    const { account, owner } = await newOwner();
    const form = (await owner.get('/account/settings')).form('/settings/sign-in');
    const saved = await owner.follow(await owner.submit(form, { session_hours: '12' }));
    expect(saved.text).toContain('Sign-in settings saved.');
    const rules = await admin.call<SignInRules>('GET', `/accounts/${account.id}/sign-in-rules`);
    expect(rules.body).toEqual({ join_domains: [], provider_only: false, session_hours: 12 });
  });
});

describeSelling('people of a domain', () => {
  it('join an account by their own choice, and lose its pages once it requires single sign-on', async () => {
    const { account } = await newOwner();
    const domain = `${randomWord()}.example`;
    await setRules(account.id, { join_domains: [domain] });
    const visitor = await signInByMail(`${randomWord()}@${domain}`);
    const accounts = await visitor.get('/account/accounts');
    expect(accounts.text).toContain(`People at ${domain} can join as members.`);
    const joined = await visitor.follow(await visitor.submit(accounts.form('/join')));
    expect([joined.status, joined.text]).toEqual([200, expect.stringContaining(account.name)]);

    await setRules(account.id, { provider_only: true });
    const page = await visitor.get('/account/keys');
    expect(page.status).toBe(403);
    expect(page.text).toContain(`${account.name} requires single sign-on`);
    expect((await visitor.get('/account/accounts')).text).toContain('Requires single sign-on.');
  });
});
