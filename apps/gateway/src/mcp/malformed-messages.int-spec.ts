import { charge } from '@app/contracts';
import fc from 'fast-check';
import { McpFixture, toolCall } from './mcp.fixture.js';

interface Answer {
  readonly error?: { readonly message: string } | string;
  readonly result?: { readonly structuredContent?: { readonly credits_used?: number } };
}

const sentence = /^[A-Z].{10,}/s;

/** Text that is broken somewhere, starting from a message that is right. */
const cutMessage = fc
  .tuple(fc.constantFrom('tools/call', 'tools/list', 'initialize'), fc.nat(), fc.string({ maxLength: 3 }))
  .map(([method, place, inserted]) => {
    const text = JSON.stringify({ ...toolCall('get_creator', { slug: 'luna' }), method });
    const cut = place % text.length;
    return text.slice(0, cut) + inserted + text.slice(cut + inserted.length + 1);
  });

/** An object that looks like a message, with anything where something certain is expected. */
const likeMessage = fc
  .record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
      id: fc.oneof(fc.constant(1), fc.jsonValue()),
      method: fc.oneof(
        fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'server/discover'),
        fc.jsonValue(),
      ),
      params: fc.oneof(
        fc.record(
          {
            name: fc.oneof(fc.constantFrom('search_creators', 'get_balance', 'list_filters'), fc.jsonValue()),
            arguments: fc.jsonValue(),
            protocolVersion: fc.jsonValue(),
            _meta: fc.dictionary(
              fc.constantFrom('io.modelcontextprotocol/protocolVersion', 'progressToken'),
              fc.jsonValue(),
            ),
          },
          { requiredKeys: [] },
        ),
        fc.jsonValue(),
      ),
      result: fc.jsonValue(),
      extra: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((message) => JSON.stringify(message));

const batch = fc.array(likeMessage, { maxLength: 12 }).map((messages) => `[${messages.join()}]`);

describe('messages that nobody means well', () => {
  let mcp: McpFixture;

  beforeAll(async () => {
    mcp = await McpFixture.start();
  });
  afterAll(() => mcp.stop());
  beforeEach(() => mcp.scriptSuccess());

  it('are answered with JSON that says what is wrong, never with a fault of ours, and cost nothing unless they are well formed', async () => {
    const body = fc.oneof(cutMessage, likeMessage, batch, fc.json(), fc.string());
    let paid = 0;
    const property = fc.asyncProperty(body, fc.boolean(), async (text, hasKey) => {
      const answer = await (hasKey ? mcp.post(text) : mcp.postOpenly(text));
      expect(answer.status).toBeLessThan(500);
      const json = await answer.text();
      if (answer.status === 202) return expect(json).toBe('');
      for (const { error, result } of [JSON.parse(json) as Answer].flat()) {
        if (result?.structuredContent?.credits_used) paid += 1;
        if (!result) expect(typeof error === 'string' ? error : error?.message).toMatch(sentence);
      }
    });
    await fc.assert(property, { numRuns: 200 });
    expect(mcp.api.services.payloadsOf(charge)).toHaveLength(paid);
  }, 60_000);
});
