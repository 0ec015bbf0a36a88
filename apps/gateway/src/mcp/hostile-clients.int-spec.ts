import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { charge, searchCreators, WithBytes } from '@app/contracts';
import { gate, ResponseReader, until } from '@app/testing';
import fc from 'fast-check';
import { OpenExchanges } from '../edge/connections/exchange.js';
import { entry, McpFixture, toolCall } from './mcp.fixture.js';

describe('clients of /mcp that leave in the middle of a call', () => {
  let mcp: McpFixture;
  let socket: Socket;

  beforeAll(async () => {
    mcp = await McpFixture.start({ HAND_OVER_MS: '2000' });
  });
  afterAll(() => mcp.stop());
  beforeEach(async () => {
    mcp.scriptSuccess();
    socket = connect({ port: mcp.api.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
  });
  afterEach(async () => {
    socket.destroy();
    await until(() => OpenExchanges.of(mcp.api.server).count === 0);
    expect(mcp.api.settlements.waiting).toBe(0);
  });

  const charges = () => mcp.api.services.payloadsOf(charge);

  function written(name: string, toolArguments: object): string {
    const body = JSON.stringify(toolCall(name, toolArguments));
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${mcp.api.key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return `${head.join('\r\n')}\r\n\r\n${body}`;
  }

  it('pay nothing when they go while it is searched', async () => {
    const asked = gate();
    const found = gate();
    mcp.api.services.on(searchCreators, async () => {
      asked.open();
      await found.opened;
      return new WithBytes({ total: 1, returned: 1, next: null }, Buffer.from(JSON.stringify([entry])));
    });
    socket.write(written('search_creators', { q: 'luna' }));
    await asked.opened;
    socket.resetAndDestroy();
    await until(() => OpenExchanges.of(mcp.api.server).count === 0);
    found.open();
    // A whole call later the gateway has had what was found.
    await (await mcp.post(toolCall('get_creator', { slug: 'luna' }))).text();
    expect(charges()).toMatchObject([{ operation: 'profile' }]);
    expect(await mcp.api.settlements.next()).toMatchObject({ outcome: 'posted' });
  });

  it('have their credits back when they go while they are charged', async () => {
    const asked = gate();
    const taken = gate();
    mcp.api.services.on(charge, async ({ credits }) => {
      asked.open();
      await taken.opened;
      return { outcome: 'charged' as const, credits_used: credits, credits_remaining: 9 };
    });
    socket.write(written('search_creators', { q: 'luna' }));
    await asked.opened;
    socket.resetAndDestroy();
    expect(await mcp.api.settlements.next()).toMatchObject({
      charge_id: charges()[0]?.charge_id,
      outcome: 'voided',
    });
    taken.open();
  });

  it('have their credits back when they do not read a large result', async () => {
    const name = 'x'.repeat(20_000);
    const creators = Array.from({ length: 100 }, () => ({ ...entry, name }));
    const page = new WithBytes(
      { total: 100, returned: 100, next: null },
      Buffer.from(JSON.stringify(creators)),
    );
    mcp.api.services.on(searchCreators, () => page);
    socket.pause();
    // More than any socket takes without a reader, so that the last one is not handed over.
    for (let calls = 0; calls < 6; calls += 1) socket.write(written('search_creators', { limit: 100 }));
    const outcomes: string[] = [];
    while (!outcomes.includes('voided')) outcomes.push((await mcp.api.settlements.next()).outcome);
    expect(outcomes).toEqual([...outcomes.slice(0, -1).fill('posted'), 'voided']);
    expect(charges()).toHaveLength(outcomes.length);
  });

  it('are answered when they have only closed their side, and pay', async () => {
    const statuses: number[] = [];
    const reader = new ResponseReader({ bufferBodies: false, take: ({ status }) => statuses.push(status) });
    socket.on('data', (bytes) => reader.push(bytes));
    socket.end(written('get_creator', { slug: 'luna' }));
    expect(await mcp.api.settlements.next()).toMatchObject({ outcome: 'posted' });
    await until(() => statuses.length > 0);
    expect(statuses).toEqual([200]);
  });

  it('are charged for calls sent ahead one after the other', async () => {
    const taken = gate();
    mcp.api.services.on(charge, async ({ credits }) => {
      await taken.opened;
      return { outcome: 'charged' as const, credits_used: credits, credits_remaining: 9 };
    });
    socket.write(written('get_creator', { slug: 'luna' }).repeat(3));
    await until(() => charges().length > 0);
    await (await mcp.api.get('/balance?x')).text();
    expect(charges()).toHaveLength(1);
    socket.resetAndDestroy();
    expect(await mcp.api.settlements.next()).toMatchObject({ outcome: 'voided' });
    taken.open();
    await until(() => OpenExchanges.of(mcp.api.server).count === 0);
    expect(charges()).toHaveLength(1);
  });
});

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
