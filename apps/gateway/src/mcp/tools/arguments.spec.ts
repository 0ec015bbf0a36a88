import {
  type JsonSchema,
  NoPayload,
  publicOperations,
  SearchArguments,
  ServiceError,
  toolOperations,
} from '@app/contracts';
import fc from 'fast-check';
import { readArguments, assertWithinMaxCredits, type ToolArguments } from './arguments.js';
import { toolOf } from './tool.js';

function problemsOf(read: () => unknown): Record<string, string[]> {
  try {
    read();
    return {};
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.details ?? {};
    throw error;
  }
}

const readSearch = (given: ToolArguments) => readArguments(SearchArguments, given);

/** Values at the edges of what a schema allows, and those next to them that it does not. */
function edgesOf(schema: JsonSchema): { readonly allowed: unknown[]; readonly refused: unknown[] } {
  const { type, minimum = 0, maximum, minLength = 1, maxLength } = schema as Record<string, number>;
  if (Array.isArray(schema.enum)) return { allowed: schema.enum as unknown[], refused: ['myspace', 7] };
  if (String(type) === 'integer') {
    return {
      allowed: [minimum, ...(maximum === undefined ? [] : [maximum])],
      refused: [minimum - 1, minimum + 0.5, ...(maximum === undefined ? [] : [maximum + 1])],
    };
  }
  if (maxLength === undefined) return { allowed: [], refused: [''] };
  // Characters, not units of UTF-16.
  return {
    allowed: ['x'.repeat(minLength), '𝕏'.repeat(maxLength)],
    refused: ['', 'x'.repeat(maxLength + 1)],
  };
}

const tools = publicOperations.flatMap((operation) => {
  const { tool } = operation;
  return tool
    ? [{ name: tool.name, tool, ...toolOf({ ...operation, tool }, () => Promise.resolve({})) }]
    : [];
});

describe.each(tools)('the schemas of $name', ({ tool, definition }) => {
  const { properties = {} } = definition.inputSchema;
  const flat = Object.entries(properties as Record<string, JsonSchema>).filter(
    ([, { type }]) => type !== 'array',
  );

  it('are written in full, and say what each argument is', () => {
    expect(JSON.stringify(definition)).not.toContain('$ref');
    for (const schema of Object.values(properties)) {
      expect(schema).toMatchObject({ description: expect.any(String) as string });
    }
    expect(JSON.stringify(definition.outputSchema)).not.toContain('description');
  });

  if (flat.length > 0) {
    it.each(flat)('have the limits of the tool: %s', (name, schema) => {
      const { allowed, refused } = edgesOf(schema);
      const problems = (value: unknown) =>
        problemsOf(() => readArguments(tool.arguments, { slug: 'x', [name]: value }));
      for (const value of allowed) expect([value, name in problems(value)]).toEqual([value, false]);
      for (const value of refused) expect([value, name in problems(value)]).toEqual([value, true]);
    });
  }
});

describe('the arguments of a search', () => {
  it('are the same whether a client sends numbers or digits, null or nothing', () => {
    expect(readSearch({ q: ' luna ', min_followers: 10, limit: 3, country: null })).toEqual(
      readSearch({ q: 'luna', min_followers: '10', limit: '3' }),
    );
  });

  it('have no other names, those that mean something to JavaScript included', () => {
    const given = JSON.parse('{"__proto__": 1, "constructor": "x", "toString": "y", "q": "a"}') as object;
    expect(Object.keys(problemsOf(() => readSearch({ ...given })))).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ]);
  });

  it('are read or refused by name, whatever JSON they are', () => {
    const name = fc.constantFrom(
      'q',
      'country',
      'platform',
      'min_followers',
      'limit',
      'max_credits',
      'other',
    );
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (given) => {
        for (const [field, sentences] of Object.entries(problemsOf(() => readSearch(given)))) {
          expect(Object.keys(given)).toContain(field);
          expect(sentences.join()).toMatch(/^\S+ \S+ \S+/);
        }
      }),
    );
  });
});

it('of many unknown arguments some are named', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
  expect(Object.keys(problemsOf(() => readArguments(NoPayload, many)))).toHaveLength(10);
});

describe('max_credits', () => {
  const refusal = (creditsMax: number, maxCredits: number): string | null => {
    try {
      assertWithinMaxCredits(maxCredits, creditsMax, 'It costs');
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('refuses what could cost more, and nothing else', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), (price, most) => {
        expect(refusal(price, most) === null).toBe(price <= most);
      }),
    );
  });

  it.each([
    [1, 0, 'It costs 1 credit, more than max_credits (0). Nothing was done and nothing charged.'],
    [8, 3, 'It costs 8 credits, more than max_credits (3). Nothing was done and nothing charged.'],
  ])('says what %i credits cost when %s are allowed', (price, most, sentence) => {
    expect(refusal(price, most)).toBe(sentence);
  });

  it('is a whole number', () => {
    for (const value of [-1, 1.5, 'many', '1e3', 10 ** 12]) {
      expect(Object.keys(problemsOf(() => readSearch({ max_credits: value })))).toEqual(['max_credits']);
    }
  });
});

it('every operation that declares a tool is listed as one', () => {
  const declared = publicOperations.filter(({ tool }) => tool !== undefined);
  expect(new Set(declared)).toEqual(new Set(toolOperations));
});
