import { Choice, Flag, Integer, Text } from './fields.js';
import { Many, One } from './nested-fields.js';
import { validationProblems } from './class-validator.js';
import { fieldProblems, readShape } from './read-shape.js';
import { Both, Shape } from './shape.js';

@Shape('An account.', {
  crossFieldRule: ({ platform, handle }: Account) =>
    platform !== undefined && handle === undefined ? { handle: ['handle is missing'] } : null,
})
class Account {
  @Text({ optional: true, max: 5 }) readonly url?: string;
  @Choice(['x', 'tiktok'], { optional: true }) readonly platform?: 'x' | 'tiktok';
  @Text({ optional: true, max: 5 }) readonly handle?: string;
}

class Asked {
  @Many(() => Account, { min: 1, max: 2 }) readonly accounts: readonly Account[];
  @One(() => Account, { optional: true }) readonly first?: Account;
  @Integer({ max: 9, default: 5 }) readonly limit: number;
  @Flag({ optional: true }) readonly all?: boolean;
  @Text({ nullable: true, max: 3 }) readonly note: string | null;
}

describe.each([fieldProblems, validationProblems])('a shape that %p checks', (check) => {
  const problems = (value: object) => readShape(Asked, { ...value }, { strict: true, check }).details;

  it('is read with its defaults, texts trimmed', () => {
    const read = readShape(Asked, { accounts: [{ url: ' a ' }], note: null }, { strict: true, check });
    expect(read.details).toBeUndefined();
    expect(read.shape).toEqual({ accounts: [{ url: 'a' }], note: null, limit: 5 });
    expect(read.shape.accounts[0]).toBeInstanceOf(Account);
  });

  it('names every problem by its path', () => {
    expect(
      problems({ accounts: [{ url: 'a' }, { url: 'abcdef', platform: 'y', more: 1 }], first: 7, limit: '5' }),
    ).toEqual({
      'accounts[1].more': ['accounts[1].more is not a known field; the fields are url, platform, handle'],
      'accounts[1].url': ['accounts[1].url must be a string of 1 to 5 characters without control characters'],
      'accounts[1].platform': ['accounts[1].platform must be one of x, tiktok'],
      first: ['first must be an object'],
      limit: ['limit must be an integer between 0 and 9'],
      note: ['note is missing'],
    });
  });

  it('whose fields are valid has to follow the rules between them', () => {
    expect(problems({ accounts: [{ platform: 'x' }], note: 'a' })).toEqual({
      'accounts[0].handle': ['handle is missing'],
    });
  });

  it('of a list names the items that are no objects, where they have words of their own', () => {
    class Listed {
      @Many(() => Account, { max: 3, what: 'accounts', itemRule: 'an account' })
      readonly accounts: readonly Account[];
    }
    const { details } = readShape(
      Listed,
      { accounts: [{}, 'a', { platform: 'x' }] },
      { strict: true, check },
    );
    expect(details).toEqual({
      'accounts[1]': ['accounts[1] must be an account'],
      'accounts[2].handle': ['handle is missing'],
    });
  });

  it('of two others has the fields of both, and may redeclare them', () => {
    class Limited extends Both(Account, Asked) {
      @Integer({ max: 3, default: 2 }) override readonly limit: number;
    }
    const { shape, details } = readShape(
      Limited,
      { handle: 'a', accounts: [{}], note: null },
      { strict: true, check },
    );
    expect(details).toBeUndefined();
    expect(shape).toEqual({ handle: 'a', accounts: [{}], note: null, limit: 2 });
  });

  it('takes no field from a prototype', () => {
    const value = JSON.parse(
      '{"accounts": [{"url": "a"}], "note": "a", "__proto__": {"all": true}}',
    ) as object;
    expect(problems(Object.assign(Object.create({ all: true }) as object, value))).toBeUndefined();
    expect(Object.keys(problems(value) ?? {})).toEqual(['__proto__']);
  });

  it('of a query has texts for numbers', () => {
    const asQuery = { strict: true, fromQuery: true, check };
    expect(readShape(Asked, { limit: '7', all: 'true', note: 'a', accounts: 'b' }, asQuery)).toMatchObject({
      shape: { limit: 7, all: true },
      details: { accounts: [expect.stringContaining('accounts must be a list of 1 to 2 objects')] },
    });
    for (const limit of ['', '0x5', '1e0', '+1', ' ', '99999999999999999999']) {
      expect(readShape(Asked, { limit }, asQuery).details).toHaveProperty('limit');
    }
  });
});
