import { admin } from '../support/admin-api.js';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';

const pool = new KeyPool();

async function refused(query: string): Promise<Readonly<Record<string, string[]>>> {
  const reply = await api.searchRaw(query, await pool.key());
  expect({ query, status: reply.status }).toEqual({ query, status: 400 });
  expect(Object.keys(reply.body).sort()).toEqual(['details', 'error']);
  for (const sentences of Object.values(reply.body.details)) {
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of sentences) expect(sentence).toMatch(/\S+ \S+/);
  }
  return reply.body.details;
}

async function accepted(query: string): Promise<void> {
  const reply = await api.searchRaw(query, await pool.key());
  expect({ query, status: reply.status }).toEqual({ query, status: 200 });
}

const encode = encodeURIComponent;

describe('the filter q', () => {
  it.each([
    ['100 letters', 'a'.repeat(100)],
    ['100 characters outside the basic plane', '𝓐'.repeat(100)],
    ['100 characters after trimming', `  ${'a'.repeat(100)}  `],
    ['one character', 'a'],
    ['punctuation that SQL patterns know', '%_\\'],
  ])('accepts %s', (_what, q) => accepted(`q=${encode(q)}`));

  it.each([
    ['101 letters', 'a'.repeat(101)],
    ['101 characters outside the basic plane', '𝓐'.repeat(101)],
    ['nothing', ''],
    ['white space', ' \t '],
    ['only @', '@'],
    ['only @ and spaces', '@ @'],
    ['only marks', '\u0301\u0302'],
    ['a NUL', 'a\0b'],
    ['a control character', 'a\u0007b'],
    ['an escape', '\u001b[31m'],
  ])('refuses %s', async (_what, q) => {
    expect(Object.keys(await refused(`q=${encode(q)}`))).toEqual(['q']);
  });

  it.each(['%C3%28', '%ff', '%ED%A0%80', 'a%80', '%C0%AF', '%zz', '%', 'abc%4'])(
    'refuses bytes that are not UTF-8: %s',
    async (raw) => {
      expect(Object.keys(await refused(`q=${raw}`))).toEqual(['q']);
    },
  );

  it('reads + as a space', () => accepted('q=a+b'));
});

describe('the filters country, category and language', () => {
  it.each(['country', 'category', 'language'])('%s: a blank or unreadable value is refused', async (name) => {
    for (const raw of ['', '%20', '+', '%00', '%ff']) {
      expect(Object.keys(await refused(`${name}=${raw}`))).toEqual([name]);
    }
  });

  it.each(['country', 'category', 'language'])('%s: an unknown value matches nothing', (name) =>
    accepted(`${name}=Nowhere`),
  );
});

describe('the filter platform', () => {
  it.each(['youtube', 'instagram', 'tiktok', 'facebook', 'x', '+x%20'])('accepts %s', (platform) =>
    accepted(`platform=${platform}`),
  );

  it.each(['myspace', 'twitter', '', 'youtube,x', '__proto__', 'constructor'])(
    'refuses "%s"',
    async (platform) => {
      expect(Object.keys(await refused(`platform=${platform}`))).toEqual(['platform']);
    },
  );
});

describe.each(['min_followers', 'max_followers'])('the filter %s', (name) => {
  it.each(['0', '1', '0001', '9007199254740991', '+5', '5+', '%20%095'])('accepts %s', (value) =>
    accepted(`${name}=${value}`),
  );

  it.each(['-1', '1.5', '1e3', '0x10', '%2B5', '5+5', 'ten', '', '9007199254740992', '%EF%BC%91'])(
    'refuses %s',
    async (value) => {
      expect(Object.keys(await refused(`${name}=${value}`))).toEqual([name]);
    },
  );

  it('refuses more than 16 digits', async () => {
    expect(Object.keys(await refused(`${name}=${'0'.repeat(16)}1`))).toEqual([name]);
  });
});

describe('the parameter limit', () => {
  it.each(['1', '50', '100', '007', '%2010', '10+'])('accepts %s', (value) => accepted(`limit=${value}`));

  it.each(['0', '101', '-1', '1.5', '', '%20', '1+0', 'all', '1e1', 'NaN', '99999999999999999999'])(
    'refuses %s',
    async (value) => {
      expect(Object.keys(await refused(`limit=${value}`))).toEqual(['limit']);
    },
  );
});

describe('the body of a 400', () => {
  it('has one entry per failing parameter, all of them', async () => {
    const details = await refused('q=&platform=myspace&limit=0&min_followers=-1&colour=red&country=France');
    expect(Object.keys(details).sort()).toEqual(['colour', 'limit', 'min_followers', 'platform', 'q']);
  });

  it('says what is allowed', async () => {
    expect(await refused('limit=101')).toEqual({
      limit: ['limit must be an integer between 1 and 100'],
    });
  });

  it('min_followers above max_followers names both; equal ones are fine', async () => {
    const details = await refused('min_followers=10&max_followers=9');
    expect(Object.keys(details).sort()).toEqual(['max_followers', 'min_followers']);
    await accepted('min_followers=9&max_followers=9');
  });
});

describe('the names of parameters are checked as they were sent', () => {
  it.each([
    ['an unknown parameter', 'page=2', 'page'],
    ['another case', 'Limit=5', 'Limit'],
    ['a prototype name', '__proto__=1', '__proto__'],
    ['a method name', 'constructor=1', 'constructor'],
    ['toString', 'toString=1', 'toString'],
    ['brackets', 'limit[x]=1', 'limit[x]'],
    ['encoded brackets', 'limit%5Bx%5D=1', 'limit[x]'],
    ['an array', 'q[]=a', 'q[]'],
    ['given twice', 'limit=10&limit=10', 'limit'],
    ['given twice, encoded', 'q=a&%71=b', 'q'],
    ['without a value', 'limit', 'limit'],
    ['a dot', 'limit.x=1', 'limit.x'],
  ])('refuses and names %s', async (_what, query, name) => {
    expect(Object.keys(await refused(query))).toEqual([name]);
  });

  it('refuses a value without a name, and a name that is not UTF-8', async () => {
    await refused('=5');
    await refused('%ff=5');
  });

  it('an encoded name is the same name', () => accepted('%6cimit=5'));

  it('a question mark alone is a search without filters', () => accepted(''));
});

describe('a 400 costs nothing', () => {
  let account: TestAccount;
  beforeAll(async () => (account = await createFundedAccount({ credits: 20 })));

  it.each(['limit=0', 'q=', 'colour=red', 'limit=1&limit=1', 'q=%ff', 'min_followers=2&max_followers=1'])(
    '?%s',
    async (query) => {
      expect((await api.searchRaw(query, account.key)).status).toBe(400);
      expect(await admin.balance(account.id)).toBe(20);
    },
  );

  it('and leaves no trace in the ledger', async () => {
    expect((await admin.ledger(account.id)).map(({ type }) => type)).toEqual(['adjustment']);
  });
});
