import { ServiceError } from '@app/contracts';
import fc from 'fast-check';
import { maxCreditsName, refuseIfDearer } from './max-credits.js';
import { readArguments } from './read-arguments.js';
import { readSearchArguments, searchInputSchema } from './search-arguments.js';

function problemsOf(read: () => unknown): Record<string, string[]> {
  try {
    read();
    return {};
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.details ?? {};
    throw error;
  }
}

interface Bounds {
  readonly type: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

/** Values at the edges of what a schema allows, and those next to them that it does not. */
function edgesOf({ type, minimum, maximum, minLength, maxLength, enum: choice }: Bounds) {
  if (choice) return { allowed: choice, refused: ['myspace', 7] };
  if (type === 'integer') {
    const [low, high] = [minimum ?? 0, maximum];
    return {
      allowed: high === undefined ? [low] : [low, high],
      refused: [low - 1, low + 0.5, ...(high === undefined ? [] : [high + 1])],
    };
  }
  if (maxLength === undefined) return { allowed: [], refused: [''] };
  // Characters, not units of UTF-16.
  return {
    allowed: ['x'.repeat(minLength ?? 1), '𝕏'.repeat(maxLength)],
    refused: ['', 'x'.repeat(maxLength + 1)],
  };
}

describe('the arguments of a search', () => {
  it.each(Object.entries<Bounds>(searchInputSchema.properties))(
    'have the limits that the schema tells of: %s',
    (name, bounds) => {
      const { allowed, refused } = edgesOf(bounds);
      for (const value of allowed) {
        const read = (): unknown => readSearchArguments({ [maxCreditsName]: 9, [name]: value });
        expect([value, name === maxCreditsName ? {} : problemsOf(read)]).toEqual([value, {}]);
      }
      for (const value of refused) {
        expect([value, Object.keys(problemsOf(() => readSearchArguments({ [name]: value })))]).toEqual([
          value,
          [name],
        ]);
      }
    },
  );

  it('are the same whether a client sends numbers or digits, null or nothing', () => {
    expect(readSearchArguments({ q: ' luna ', min_followers: 10, limit: 3, country: null })).toEqual(
      readSearchArguments({ q: 'luna', min_followers: '10', limit: '3' }),
    );
  });

  it('have no other names, those that mean something to JavaScript included', () => {
    const given = JSON.parse('{"__proto__": 1, "constructor": "x", "toString": "y", "q": "a"}') as object;
    expect(Object.keys(problemsOf(() => readSearchArguments({ ...given })))).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ]);
  });

  it('are read or refused by name, whatever JSON they are', () => {
    const name = fc.constantFrom(...Object.keys(searchInputSchema.properties), 'other');
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (given) => {
        for (const [field, sentences] of Object.entries(problemsOf(() => readSearchArguments(given)))) {
          expect(Object.keys(given)).toContain(field);
          expect(sentences.join()).toMatch(/^\S+ \S+ \S+/);
        }
      }),
    );
  });
});

it('of many unknown arguments some are named', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
  expect(Object.keys(readArguments(many, []).problems)).toHaveLength(10);
});

describe('max_credits', () => {
  const refusal = (creditsMax: number, maxCredits: string): string | null => {
    try {
      refuseIfDearer(new Map([[maxCreditsName, maxCredits]]), creditsMax, 'It costs');
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('refuses what could cost more, and nothing else', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), (price, most) => {
        expect(refusal(price, String(most)) === null).toBe(price <= most);
      }),
    );
  });

  it.each([
    [1, '0', 'It costs 1 credit, more than max_credits (0). Nothing was done and nothing charged.'],
    [8, '3', 'It costs 8 credits, more than max_credits (3). Nothing was done and nothing charged.'],
  ])('says what %i credits cost when %s are allowed', (price, most, sentence) => {
    expect(refusal(price, most)).toBe(sentence);
  });

  it('is a whole number', () => {
    for (const value of [-1, 1.5, 'many', '1e3', 10 ** 12]) {
      expect(Object.keys(problemsOf(() => readSearchArguments({ max_credits: value })))).toEqual([
        'max_credits',
      ]);
    }
  });
});
