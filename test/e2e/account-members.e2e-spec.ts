import { type PageVisitor, type ShownPage } from '@app/testing';
import { createAccount } from '../support/accounts.js';
import { environment } from '../support/environment.js';
import { newOwner, newVisitor, signedIn } from '../support/members.js';
import { randomWord } from '../support/random.js';
import { describeSelling, mailTo } from '../support/selling.js';

const newAddress = () => `${randomWord()}@colleague.example`;

/** Adds somebody on the page of settings. */
async function add(owner: PageVisitor, email: string, role = 'member'): Promise<ShownPage> {
  const sent = await owner.submit((await owner.get('/account/settings')).form('/settings/members'), {
    email,
    role,
  });
  return owner.follow(sent);
}

describe('design 12: members', () => {
  it('see everything and manage keys; owners alone buy and decide who is a member', async () => {
    const { account, owner } = await newOwner();
    const email = newAddress();
    expect((await add(owner, email)).text).toContain('The member is added');
    const ownerForms = [
      ...(await owner.get('/account/settings')).forms,
      ...(await owner.get('/account/buy')).forms,
    ].filter(({ action }) => /\/(buy|members.*|notices.*)$/.test(action));
    expect(ownerForms.length).toBeGreaterThan(5);

    const member = await signedIn(account.id, email);
    const paths = ['', '/keys', '/buy', '/usage', '/statement', '/settings'];
    for (const path of paths) expect((await member.get(`/account${path}`)).status).toBe(200);
    expect((await member.get('/account/buy')).text).toContain(
      environment.paymentsUrl
        ? 'Owners of this account buy credits.'
        : 'Credits can not be bought by card here.',
    );
    const key = (await member.get('/account/keys')).form('/account/keys');
    expect((await member.submit(key, { name: 'Of a member' })).text).toContain('Created Of a member');

    for (const { action, fields } of ownerForms) {
      const refused = await member.post(action, { ...fields, form_token: key.fields.form_token ?? '' });
      expect([action, refused.status]).toEqual([action, 403]);
      expect(refused.text).toContain('Only owners');
    }
    const removal = /\/account\/settings\/members\/[\w-]{36}\/remove/.exec(
      (await owner.get('/account/settings')).html,
    );
    expect((await member.get(removal?.[0] ?? '')).status).toBe(403);
  });

  it('are owners or removed as an owner says, and an account keeps one owner', async () => {
    const { account, owner } = await newOwner();
    const email = newAddress();
    await add(owner, email);
    const member = await signedIn(account.id, email);
    const settings = await owner.get('/account/settings');
    const promoted = await owner.submit(settings.form('/role', { role: 'owner' }));
    expect((await owner.follow(promoted)).text).toContain('The role is changed.');
    expect((await member.get('/account/settings')).html).toContain('/settings/members');

    const self = /\/members\/([\w-]{36})\/role/.exec(settings.form('/role', { role: 'member' }).action)?.[1];
    const others = settings.forms.filter(
      ({ action }) => action.endsWith('/remove') && !action.includes(`${self}`),
    );
    expect((await owner.follow(await owner.submit(others[0] ?? settings.form('/remove')))).text).toContain(
      'The member is removed',
    );
    expect((await member.get('/account')).location).toBe('/account/sign-in');
    const last = (await owner.get('/account/settings')).form('/remove');
    const kept = await owner.submit(last);
    expect([kept.status, (await owner.get('/account')).status]).toEqual([409, 200]);
  });

  it('of two accounts change between them', async () => {
    const { account, owner } = await newOwner();
    const other = await createAccount();
    const otherOwner = await signedIn(other.id);
    await add(otherOwner, account.email);
    await owner.get('/account');
    const overview = await owner.get('/account');
    const menu = overview.form('/account/switch');
    const changed = await owner.follow(await owner.submit(menu, { account_id: other.id }));
    expect(changed.text).toContain(other.name);
    expect((await owner.get('/account/settings')).text).toContain(other.id);
  });
});

describeSelling('design 12: an invitation', () => {
  it('is mailed, and the address signs in to the account', async () => {
    const { account, owner } = await newOwner();
    const email = newAddress();
    await add(owner, email);
    const mail = await mailTo(email, 'You can sign in');
    expect(mail.text).toContain(account.name);
    const visitor = newVisitor();
    await visitor.submit((await visitor.get('/account/sign-in')).form('/sign-in'), { email });
    await mailTo(email, 'Sign in');
    expect((await (await signedIn(account.id, email)).get('/account')).text).toContain(account.name);
  });
});
