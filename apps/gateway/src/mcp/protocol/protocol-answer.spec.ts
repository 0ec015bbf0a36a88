import { isToolResult } from './protocol-answer.js';
import { readableErrors } from './mcp-protocol.js';

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

describe('readableErrors', () => {
  const error = (message: string, code = -32_603): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } });

  it('says in words what a validator lists', () => {
    const issues = [
      { code: 'invalid_type', path: ['params', 'name'], message: 'expected string' },
      { code: 'invalid_type', path: ['params', 'arguments', 0], message: 'expected object' },
    ];
    for (const before of ['', 'Invalid tools/call request: ']) {
      expect(JSON.parse(readableErrors(error(before + JSON.stringify(issues, null, 2))))).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32_602,
          message: 'Invalid params: params.name: expected string; params.arguments.0: expected object.',
        },
      });
    }
  });

  it.each([
    error('Method not found', -32_601),
    error('not a list [{]'),
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: '{"error":"[{}]"}' }] },
    }),
    JSON.stringify([JSON.parse(error('Method not found')), { jsonrpc: '2.0', id: 2, result: {} }]),
  ])('leaves %s as it is', (json) => {
    expect(readableErrors(json)).toBe(json);
  });
});
