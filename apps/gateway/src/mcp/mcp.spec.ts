import { isToolResult } from './protocol/messages.js';
import { AccountsToFind, publicOperations, SearchArguments, toolOperations } from '#contracts';
import { readableArguments, readArguments, type ToolArguments } from './tools/arguments.js';
import { toolOf } from './tools/tool.js';
import { problemsOf } from '../fixtures/problems-of.fixture.js';

const json = (message: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });

it.each([
  ['the result of a tool', 200, json({ result: { content: [], structuredContent: {} } }), true],
  ['a result that is an error', 200, json({ result: { content: [], isError: true } }), false],
  ['an error of the protocol', 200, json({ error: { code: -32_602, message: 'No.' } }), false],
  ['a refused message', 400, json({ result: { content: [] } }), false],
  ['nothing', 202, null, false],
])('whether %s is paid for', (_name, status, text, isPaid) => {
  expect(isToolResult({ status, json: text })).toBe(isPaid);
});

const readSearch = (given: ToolArguments) => readArguments(SearchArguments, given);

const tools = toolOperations.map((operation) =>
  toolOf<object>(operation, () => Promise.resolve({ data: {}, line: '' })),
);

it.each(tools)(
  'the definition of $definition.name says in full what each argument is, what a call costs, and that it only reads',
  ({ definition }) => {
    const { properties = {} } = definition.inputSchema;
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
  },
);

it('the arguments of a search are the same whether a client sends numbers or digits, null or nothing', () => {
  expect(readSearch({ q: ' luna ', min_followers: 10, limit: 3, country: null })).toEqual(
    readSearch({ q: 'luna', min_followers: '10', limit: '3' }),
  );
});

it('the arguments of a search have no other names, including names that mean something to JavaScript', () => {
  const given = JSON.parse('{"__proto__": 1, "constructor": "x", "toString": "y", "q": "a"}') as object;
  const names = Object.keys(problemsOf(() => readSearch({ ...given })));
  expect(names).toEqual(['__proto__', 'constructor', 'toString']);
});

describe('arguments as models send them', () => {
  it.each([undefined, null, '', 'null', '[]'])('%j are none', (given) => {
    expect(readableArguments(given)).toEqual({});
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

  it.each([7, 'luna', '[{"url":', [[one]], '['.repeat(30_000)])(
    'case %# is an error that names the item',
    (given) => expect(Object.keys(problemsOf(() => read(given)))).toEqual(['accounts[0]']),
  );
});

it('every operation that declares a tool is listed as one', () => {
  const declared = publicOperations.filter(({ tool }) => tool !== undefined);
  expect(new Set(declared)).toEqual(new Set(toolOperations));
});
