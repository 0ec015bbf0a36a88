import { ServiceError } from '@app/contracts';
import fc from 'fast-check';
import { readLookUpBody } from './look-up-body.js';

const link = { url: 'https://x.com/mira' };
const name = { platform: 'x', handle: 'mira' };

function problemsOf(body: unknown): Record<string, string[]> {
  try {
    readLookUpBody(JSON.parse(JSON.stringify(body)) as Record<string, unknown>);
    return {};
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.details ?? {};
    throw error;
  }
}

it('takes links and names, as they are, in their order', () => {
  const accounts = [link, name, { url: '' }, { platform: 'nowhere', handle: '\0'.repeat(5_000) }, link];
  expect(readLookUpBody({ accounts })).toEqual({ accounts });
  expect(problemsOf({ accounts: Array.from({ length: 100 }, () => link) })).toEqual({});
});

it.each([
  [{}, ['accounts']],
  [{ accounts: [] }, ['accounts']],
  [{ accounts: Array.from({ length: 101 }, () => link) }, ['accounts']],
  [{ accounts: link }, ['accounts']],
  [{ accounts: null }, ['accounts']],
  [{ accounts: [link], limit: 5 }, ['limit']],
  [{ urls: ['https://x.com/mira'] }, ['accounts', 'urls']],
  [{ accounts: [link, 'https://x.com/mira', null, [link]] }, ['accounts[1]', 'accounts[2]', 'accounts[3]']],
  [{ accounts: [{}] }, ['accounts[0].url']],
  [{ accounts: [link, { platform: 'x' }] }, ['accounts[1].handle']],
  [{ accounts: [link, { handle: 'mira' }] }, ['accounts[1].platform']],
  [{ accounts: [{ ...link, handle: 'mira' }] }, ['accounts[0].handle', 'accounts[0].url']],
  [{ accounts: [{ ...link, ...name }] }, ['accounts[0].handle', 'accounts[0].platform', 'accounts[0].url']],
  [
    { accounts: [{ url: 7 }, { platform: null, handle: {} }] },
    ['accounts[0].url', 'accounts[1].handle', 'accounts[1].platform'],
  ],
  [{ accounts: [{ ...link, id: 3, slug: 'a' }] }, ['accounts[0].id', 'accounts[0].slug']],
])('names what is wrong in %j', (body, names) => {
  const problems = problemsOf(body);
  expect(Object.keys(problems).sort()).toEqual(names);
  for (const sentences of Object.values(problems)) expect(sentences.join()).toMatch(/^\S+ \S+ \S+/);
});

it('names members that mean something to JavaScript like any other', () => {
  const body = JSON.parse(
    '{"__proto__": {"accounts": []}, "constructor": 1, "accounts": [{"__proto__": 1, "url": "a"}, {"__proto__": {"url": "a"}}]}',
  ) as Record<string, unknown>;
  expect(() => readLookUpBody(body)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /__proto__, constructor.*accounts\[0\].__proto__, accounts\[1\].__proto__/,
      ) as string,
    }) as Error,
  );
});

it('answers to many unknown members in about their size', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
  expect(Object.keys(problemsOf({ ...many, accounts: [many] }))).toHaveLength(20);
  const long = problemsOf({ accounts: [link], ['x'.repeat(60_000)]: 1 });
  expect(JSON.stringify(long).length).toBeLessThan(300);
});

it('takes any JSON object or refuses it by names, never anything else', () => {
  const account = fc.oneof(
    fc.record(
      { url: fc.jsonValue(), platform: fc.jsonValue(), handle: fc.jsonValue() },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  );
  const body = fc.record({ accounts: fc.oneof(fc.array(account), fc.jsonValue()) }, { requiredKeys: [] });
  fc.assert(
    fc.property(body, (value) => {
      for (const field of Object.keys(problemsOf(value))) expect(field).toMatch(/^accounts/);
    }),
  );
});
