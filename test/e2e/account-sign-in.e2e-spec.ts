import { type PageVisitor, type ShownPage } from '#testing';
import { newOwner, newVisitor, signedIn, useLink } from '../support/members.js';
import { randomWord } from '../support/random.js';
import { describeSelling, linkIn, mailTo } from '../support/selling.js';

const newAddress = () => `${randomWord()}@newcomer.example`;

/** Asks for a mail; returns the page that asks for its code. */
async function askMail(visitor: PageVisitor, email: string): Promise<ShownPage> {
  const asked = await visitor.submit((await visitor.get('/account/sign-in')).form('/sign-in'), { email });
  return visitor.follow(asked);
}

describeSelling('signing up by mail', () => {
  it('with the link: opening it uses nothing, its button does, once', async () => {
    const email = newAddress();
    const visitor = newVisitor();
    await askMail(visitor, email);
    const link = linkIn(await mailTo(email));

    const scanner = newVisitor();
    expect((await scanner.get(link)).status).toBe(200);
    expect((await scanner.get(link)).status).toBe(200);
    expect((await scanner.get('/account')).status).toBe(303);

    const overview = await useLink(visitor, link);
    expect([overview.status, overview.text]).toEqual([200, expect.stringContaining('No credits yet')]);
    expect(overview.text).toContain(email);

    const again = newVisitor();
    const refused = await again.get(link);
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('This link has expired')]);
    expect((await again.get('/account')).status).toBe(303);
  });
});

describe('sessions', () => {
  it('are listed, and ended by the member', async () => {
    const { account, owner } = await newOwner();
    const elsewhere = await signedIn(account.id);
    expect((await elsewhere.get('/account')).status).toBe(200);
    const settings = await owner.get('/account/settings');
    expect(settings.text).toContain('This device');
    const ended = await owner.submit(settings.form('/sessions/end'));
    expect((await owner.follow(ended)).text).toContain('The other session is signed out.');
    expect((await elsewhere.get('/account')).location).toBe('/account/sign-in');
    expect((await owner.get('/account')).status).toBe(200);
  });
});
