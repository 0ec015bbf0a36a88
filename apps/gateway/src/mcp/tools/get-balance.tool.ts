import { getBalance } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { readArguments } from './read-arguments.js';
import { count, readsOnly, resultSchema, text } from './schemas.js';
import { type ToolCall } from './tool-call.js';
import { type Tool, type ToolArguments, type ToolDefinition, type ToolResult } from './tool.js';

const time = { ...text, format: 'date-time' };

/** `get_balance`: `GET /balance` for models. */
@Injectable()
export class GetBalanceTool implements Tool {
  readonly definition: ToolDefinition = {
    name: 'get_balance',
    title: 'Get the balance',
    description:
      'Shows how many credits are left, and when they expire. Free. Every paid result says what is left, too.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: resultSchema({
      credits_remaining: count,
      lots: {
        type: 'array',
        description: 'In the order in which they are spent.',
        items: resultSchema({
          pack: text,
          credits: count,
          remaining: count,
          purchased_at: time,
          expires_at: time,
        }),
      },
    }),
    annotations: { ...readsOnly, idempotentHint: true },
  };

  constructor(private readonly services: ServiceClient) {}

  async call(toolCall: ToolCall, toolArguments: ToolArguments): Promise<ToolResult> {
    await toolCall.admit('account');
    const { problems } = readArguments(toolArguments, []);
    if (Object.keys(problems).length > 0) throw invalidQuery(problems);
    const { call } = toolCall;
    return {
      ...(await this.services.request(getBalance, { account_id: call.key.account_id }, call.context())),
    };
  }
}
