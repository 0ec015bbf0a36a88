import { type PageForm, type PageVisitor } from '#testing';
import { adjust } from '../support/accounts.js';
import { endOfCall } from '../support/calls.js';
import { environment } from '../support/environment.js';
import { createKeyOnPage, inviteOnPage, newMember, newOwner, signedIn } from '../support/members.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';

// Every page and every form of two accounts is asked for.
jest.setTimeout(60_000);

const paths = ['', '/keys', '/buy', '/usage', '/statement', '/settings', '/accounts'].map(
  (path) => `/account${path}`,
);
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** All forms that change something, on all pages. */
async function formsOf(visitor: PageVisitor): Promise<PageForm[]> {
  const pages = await Promise.all(paths.map((path) => visitor.get(path)));
  return pages.flatMap(({ forms }) => forms).filter(({ fields }) => 'form_token' in fields);
}

/** An account with everything that has an id: a key, a call, a member, a second session, an order. */
async function fullAccount(): Promise<{ owner: PageVisitor; key: string; requestId: string }> {
  const { account, owner } = await newOwner();
  await adjust(account.id, 50);
  const key = await createKeyOnPage(owner, 'Theirs');
  const found = await api.search({ country: randomWord() }, key);
  const requestId = String(found.headers['x-request-id']);
  await endOfCall(requestId, key);
  for (let members = 0; members < 2; members += 1) await newMember(account.id, owner);
  await inviteOnPage(owner, `${randomWord()}@colleague.example`);
  await signedIn(account.id);
  if (environment.paymentsUrl !== undefined) {
    const pack = (await owner.get('/account/buy')).form('/account/buy', { pack: 'trial' });
    expect((await owner.submit(pack)).status).toBe(303);
  }
  return { owner, key, requestId };
}

describe('another account', () => {
  it('does not exist for others: every address and form with its ids is 404', async () => {
    const [theirs, { owner: mine }] = [await fullAccount(), await newOwner()];
    const token = (await mine.get('/account')).form('/sign-out').fields.form_token ?? '';
    const theirForms = (await formsOf(theirs.owner)).filter(
      ({ action, fields }) =>
        !action.endsWith('/sign-out') && `${action} ${oldValuesOf(fields)}`.match(uuid) !== null,
    );
    const theirPages = await Promise.all(paths.map((path) => theirs.owner.get(path)));
    const theirLinks = theirPages
      .flatMap(({ html }) => [...html.matchAll(/href="(\/account\/[^"?#]*)/g)].map(([, path = '']) => path))
      .filter((path) => path.match(uuid) !== null || path.includes('/calls/'));
    const links = [...new Set([...theirLinks, `/account/calls/${theirs.requestId}`])];
    expect(links.length).toBeGreaterThanOrEqual(environment.paymentsUrl === undefined ? 1 : 2);
    for (const link of links) {
      expect([link, (await theirs.owner.get(link)).status]).toEqual([link, 200]);
      expect([link, (await mine.get(link)).status]).toEqual([link, 404]);
    }

    expect(theirForms.length).toBeGreaterThanOrEqual(8);
    for (const { action, fields } of theirForms.filter((form) => !isNewOrder(form))) {
      const refused = await mine.post(action, { ...fields, form_token: token });
      expect([action, refused.status]).toEqual([action, 404]);
    }
    expect((await theirs.owner.get('/account/keys')).text).toContain('1 of 5 keys');
    expect(
      (await theirs.owner.get('/account/settings')).forms.filter(({ action }) => action.endsWith('/role')),
    ).toHaveLength(2);
    expect(await api.freeStatus(theirs.key)).toBe(200);
  });
});

/** Without the ids that a form has for what it will make. */
function oldValuesOf(fields: PageForm['fields']): string {
  const made = ['form_token', 'form_id', 'notice_id', 'invitation_id'];
  return Object.entries(fields)
    .filter(([name]) => !made.includes(name))
    .map(([, value]) => value)
    .join(' ');
}

/** The buttons of packs hold ids of orders that do not exist yet: anyone may make them, once. */
function isNewOrder({ action, fields }: PageForm): boolean {
  return action === '/account/buy' && 'pack' in fields;
}
