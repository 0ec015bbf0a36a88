import { type Mutant } from '../mutant.js';
import { inFunction } from '../planting/fault.js';

const controller = 'apps/gateway/src/mcp/mcp.controller.ts';
const messages = 'apps/gateway/src/mcp/protocol/read-messages.ts';
const byTools = ['apps/gateway/src/mcp/mcp.int-spec.ts'];
const byRequests = ['apps/gateway/src/mcp/mcp-requests.int-spec.ts'];

/** The charges of tool calls. */
export const mcp: readonly Mutant[] = [
  {
    name: 'the result of a tool is sent although nothing is posted for it',
    file: controller,
    fault: inFunction('answerToolCall').replace('paidAnswer.send($$$)', 'sendAnswer(reply, answer)'),
    killedBy: byTools,
    test: 'posts it when the result was handed over',
  },
  {
    name: 'a result of a tool that is an error is paid',
    file: 'apps/gateway/src/mcp/protocol/protocol-answer.ts',
    fault: inFunction('isToolResult').replace('$MESSAGE.result.isError !== true', 'true'),
    killedBy: ['apps/gateway/src/mcp/protocol/protocol-answer.spec.ts'],
  },
  {
    name: 'a tool is called without a key',
    file: messages,
    fault: inFunction('readMessages').replace("$METHOD === 'tools/call'", 'false'),
    killedBy: byRequests,
    test: '401 for a call with',
  },
  {
    name: 'tools are called in a batch',
    file: messages,
    fault: inFunction('readBatch').replace("methodOf($MESSAGE) === 'tools/call'", 'false'),
    killedBy: byRequests,
    test: 'is refused as a whole, and costs nothing',
  },
  {
    name: 'searches of tools are not counted',
    file: 'apps/gateway/src/mcp/tools/search-creators.tool.ts',
    fault: inFunction('call').remove("await toolCall.admit('search');"),
    killedBy: byRequests,
    test: 'has one limit for searches with the API',
  },
  {
    name: 'a search may cost more than max_credits',
    file: 'apps/gateway/src/mcp/tools/search-arguments.ts',
    fault: inFunction('readSearchArguments').remove('refuseIfDearer($$$);'),
    killedBy: byTools,
    test: 'refuses a call that could cost more than max_credits',
  },
];
