import { createHash } from 'node:crypto';
import { createSignInLink, ServiceError } from '@app/contracts';
import { AdminFixture, type Reply } from '../admin.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const email = 'b@b.example';

let admin: AdminFixture;
beforeAll(
  async () => (admin = await AdminFixture.start({ environment: { PUBLIC_URL: 'https://api.example/' } })),
);
beforeEach(() => admin.reset());
afterAll(() => admin.stop());

const ask = (body: object): Promise<Reply> =>
  admin.sendJson('POST', `/accounts/${account}/sign-in-link`, body);

it.each([{}, { email }])('a link for %j is shown once; billing knows its hash alone', async (body) => {
  admin.on(createSignInLink, () => ({ email, valid_for_seconds: 3_600 }));
  const reply = await ask(body);
  expect(reply).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
  expect(reply.body).toEqual({ url: expect.any(String) as string, email, valid_for_seconds: 3_600 });
  const { url } = reply.body as { url: string };
  const [, token = ''] =
    /^https:\/\/api\.example\/account\/sign-in\/link\?token=([\w-]{43})$/.exec(url) ?? [];
  const token_hash = createHash('sha256').update(token).digest('hex');
  expect(admin.received).toEqual([
    { pattern: createSignInLink.pattern, payload: { account_id: account, token_hash, ...body } },
  ]);
});

it('every link is another one', async () => {
  admin.on(createSignInLink, () => ({ email, valid_for_seconds: 3_600 }));
  const urls = await Promise.all([1, 2, 3].map(async () => ((await ask({})).body as { url: string }).url));
  expect(new Set(urls).size).toBe(3);
});

it('a person who is no member of the account gets none', async () => {
  admin.on(createSignInLink, () => {
    throw new ServiceError(
      'not_found',
      'There is no account with this id, or it has no member with this address.',
    );
  });
  const reply = await ask({ email });
  expect(reply.status).toBe(404);
  expect(JSON.stringify(reply.body)).not.toContain('token');
});
