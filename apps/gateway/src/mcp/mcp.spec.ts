import { isToolResult } from './protocol/protocol-answer.js';
import {
  AccountsToFind,
  type JsonSchema,
  NoPayload,
  publicOperations,
  SearchArguments,
  ServiceError,
  toolOperations,
} from '#contracts';
import fc from 'fast-check';
import {
  assertWithinMaxCredits,
  readableArguments,
  readArguments,
  type ToolArguments,
} from './tools/arguments.js';
import { toolOf } from './tools/tool.js';

describe('what is paid for', () => {
  const json = (message: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });

  it.each([
    ['the result of a tool', 200, json({ result: { content: [], structuredContent: {} } }), true],
    ['a result that is an error', 200, json({ result: { content: [], isError: true } }), false],
    ['an error of the protocol', 200, json({ error: { code: -32_602, message: 'No.' } }), false],
    ['a refused message', 400, json({ result: { content: [] } }), false],
    ['nothing', 202, null, false],
  ])('%s', (_name, status, text, isPaid) => {
    expect(isToolResult({ status, json: text })).toBe(isPaid);
  });
});

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
      refused: [minimum - 1, minimum + 0.5, 'all', ...(maximum === undefined ? [] : [maximum + 1])],
    };
  }
  if (maxLength === undefined) return { allowed: [], refused: [''] };
  if (schema.pattern !== undefined) return { allowed: ['x'.repeat(maxLength)], refused: ['', 'x y', 'ü'] };
  // Characters, not units of UTF-16.
  return {
    allowed: ['x'.repeat(minLength), '𝕏'.repeat(maxLength)],
    refused: ['', 'x'.repeat(maxLength + 1)],
  };
}

const tools = publicOperations.flatMap((operation) => {
  const { tool } = operation;
  return tool
    ? [
        {
          name: tool.name,
          tool,
          ...toolOf({ ...operation, tool }, () => Promise.resolve({ data: {}, line: '' })),
        },
      ]
    : [];
});

describe.each(tools)('the definition of $name', ({ tool, definition }) => {
  const { properties = {} } = definition.inputSchema;
  const flat = Object.entries(properties as Record<string, JsonSchema>).filter(
    ([, { type }]) => type !== 'array',
  );

  it('says in full what each argument is, what a call costs, and that it only reads', () => {
    expect(JSON.stringify(definition)).not.toContain('$ref');
    for (const schema of Object.values(properties)) {
      expect(schema).toMatchObject({ description: expect.any(String) as string });
    }
    expect(JSON.stringify(definition.outputSchema)).not.toContain('description');
    expect(definition).toMatchObject({
      description: expect.stringMatching(/credit|[Ff]ree/) as string,
      inputSchema: { type: 'object', additionalProperties: false },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
  });

  if (flat.length > 0) {
    it.each(flat)('has the limits of the tool: %s', (name, schema) => {
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

  it('have no other names, including names that mean something to JavaScript', () => {
    const given = JSON.parse('{"__proto__": 1, "constructor": "x", "toString": "y", "q": "a"}') as object;
    expect(Object.keys(problemsOf(() => readSearch({ ...given })))).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ]);
  });
});

describe('arguments as models send them', () => {
  it.each([undefined, null, '', ' ', 'null', '{}', [], '[]'])('%j are none', (given) => {
    expect(readableArguments(given)).toEqual({});
  });

  it('may be an object as JSON; anything else is left to the protocol, which refuses it', () => {
    expect(readableArguments('{"q": "luna"}')).toEqual({ q: 'luna' });
    for (const given of ['luna', '{"q":', '7', 7, ['q'], true]) {
      expect(typeof readableArguments(given)).toBe(typeof given);
      expect([given].flat()).toEqual([readableArguments(given)].flat());
    }
  });

  const read = (accounts: unknown) => readArguments(AccountsToFind, { accounts }).accounts;
  const [one, two] = [{ url: 'a' }, { platform: 'x', handle: 'b' }];

  it.each<[unknown, object[]]>([
    [JSON.stringify([one, two]), [one, two]],
    [
      [JSON.stringify(one), two],
      [one, two],
    ],
    [JSON.stringify(one), [one]],
    [{ ...one, platform: null }, [one]],
  ])('%j is a list', (given, expected) => {
    expect(read(given)).toMatchObject(expected);
  });

  it.each([7, 'luna', '["luna"]', '[{"url":', true, [[one]], '['.repeat(30_000) + ']'.repeat(30_000)])(
    'case %# is an error that names the item',
    (given) => expect(Object.keys(problemsOf(() => read(given)))).toEqual(['accounts[0]']),
  );
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
});

it('every operation that declares a tool is listed as one', () => {
  const declared = publicOperations.filter(({ tool }) => tool !== undefined);
  expect(new Set(declared)).toEqual(new Set(toolOperations));
});
