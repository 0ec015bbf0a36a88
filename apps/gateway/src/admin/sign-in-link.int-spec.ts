import { createSignInLink } from '#contracts';
import { sha256 } from '#platform';
import { AdminFixture } from './admin.fixture.js';
import { account_id, email } from './answers.fixture.js';

const admin = AdminFixture.forTests({ environment: { PUBLIC_URL: 'https://api.example/' } });

describe('a link to sign in', () => {
  const path = `POST /accounts/${account_id}/sign-in-link`;
  beforeEach(() => admin.on(createSignInLink, () => ({ email, valid_for_seconds: 3_600 })));

  it.each([{}, { email }])('for %j is shown once; billing gets only its hash', async (body) => {
    const reply = await admin.call(path, body);
    expect(reply).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    expect(reply.body).toEqual({ url: expect.any(String) as string, email, valid_for_seconds: 3_600 });
    const { url } = reply.body as { url: string };
    const [, token = ''] =
      /^https:\/\/api\.example\/account\/sign-in\/link\?token=([\w-]{43})$/.exec(url) ?? [];
    const payload = { account_id, token_hash: sha256(token), ...body };
    expect(admin.received).toEqual([{ pattern: createSignInLink.pattern, payload }]);
  });

  it('is never the same twice', async () => {
    const urls = await Promise.all([1, 2, 3].map(async () => (await admin.call(path, {})).body));
    expect(new Set(urls.map((body) => (body as { url: string }).url)).size).toBe(3);
  });
});
