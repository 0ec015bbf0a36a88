import { McpProtocol } from './mcp-protocol.js';
import { OpenAnswers } from './open-answers.js';

const tools = [{ name: 'find', inputSchema: { type: 'object' as const } }];
const request = (method: string, params?: object, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };

/** Counts the answers that the library had to make. */
class CountedProtocol extends McpProtocol {
  made = 0;

  override answer(...args: Parameters<McpProtocol['answer']>): ReturnType<McpProtocol['answer']> {
    this.made += 1;
    return super.answer(...args);
  }
}

describe('what the server can do', () => {
  let protocol: CountedProtocol;
  let answers: OpenAnswers;
  beforeEach(() => {
    protocol = new CountedProtocol(tools, () => undefined);
    answers = new OpenAnswers(protocol);
  });

  async function parsed(body: unknown, headers = {}): Promise<unknown> {
    const { json } = await answers.answer(body, headers);
    return JSON.parse(json ?? 'null') as unknown;
  }

  it.each([
    ['the list of tools', request('tools/list')],
    ['a ping', request('ping', {}, 'a "ping"')],
    ['a beginning', request('initialize', hello, 7)],
  ])('is said once by the library, and then as it said it: %s', async (_name, message) => {
    const { json } = await new McpProtocol(tools, () => undefined).answer(message, {}, () => {
      throw new Error('no tool');
    });
    const expected: unknown = JSON.parse(json ?? '');
    for (let time = 0; time < 5; time += 1) expect(await parsed(message)).toEqual(expected);
    expect(await parsed({ ...message, id: 'other' })).toEqual({ ...(expected as object), id: 'other' });
    expect(protocol.made).toBe(1);
  });

  it('is said to a batch message by message', async () => {
    const batch = [
      request('tools/list', undefined, 1),
      request('tools/list', undefined, 2),
      request('ping', {}, 3),
    ];
    const library = await protocol.answer(batch, {}, () => {
      throw new Error('no tool');
    });
    protocol.made = 0;
    const expected: unknown = JSON.parse(library.json ?? '');
    for (let time = 0; time < 5; time += 1) expect(await parsed(batch)).toEqual(expected);
    expect(protocol.made).toBe(2);
  });

  it('is asked of the library again when anything differs, and errors are not kept', async () => {
    await parsed(request('initialize', hello));
    await parsed(request('initialize', { ...hello, protocolVersion: '2025-03-26' }));
    await parsed(request('tools/list'), { 'mcp-protocol-version': '2025-06-18' });
    await parsed(request('tools/list'));
    expect(protocol.made).toBe(4);
    const wrong = request('initialize', { protocolVersion: 7 });
    for (let time = 0; time < 2; time += 1) expect(await parsed(wrong)).toMatchObject({ id: 1, error: {} });
    expect(protocol.made).toBe(6);
    for (let time = 0; time < 2; time += 1) await parsed(request('ping', { a: 'b'.repeat(3_000) }));
    expect(protocol.made).toBe(8);
  });
});
