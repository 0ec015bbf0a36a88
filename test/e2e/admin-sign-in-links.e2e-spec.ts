import { createAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';

interface SignInLink {
  readonly url: string;
  readonly email: string;
  readonly valid_for_seconds: number;
}

const ask = (accountId: string, body: object = {}) =>
  admin.call<SignInLink>('POST', `/accounts/${accountId}/sign-in-link`, body);

describe('POST /accounts/{id}/sign-in-link', () => {
  it('201 with a link for the address of the account, another one each time', async () => {
    const { id, email } = await createAccount();
    const [one, other] = [await ask(id), await ask(id)];
    for (const reply of [one, other]) {
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual({ url: expect.any(String) as string, email, valid_for_seconds: 3_600 });
      expect(reply.body.url).toMatch(/^https?:\/\/[^/]+\/account\/sign-in\/link\?token=[\w-]{43}$/);
    }
    expect(other.body.url).not.toBe(one.body.url);
  });

  it('404 without the account, and for who is no member of it', async () => {
    const [{ id }, stranger] = [await createAccount(), await createAccount()];
    expect((await ask('0198c0de-0000-7000-8000-000000000001')).status).toBe(404);
    expect((await ask(id, { email: stranger.email })).status).toBe(404);
    expect((await ask(id, { email: (await admin.account(id)).email })).status).toBe(201);
  });

  it('400 for what is no address', async () => {
    const { id } = await createAccount();
    expect(await ask(id, { email: 'nobody' })).toMatchObject({
      status: 400,
      body: { details: { email: [expect.any(String)] } },
    });
  });
});
