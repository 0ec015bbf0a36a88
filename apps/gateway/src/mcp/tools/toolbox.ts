import { reportError } from '#http';
import { type ErrorCode, type ServiceError } from '#contracts';
import { counter, LOGGER, type Logger } from '#platform';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import { Inject, Injectable } from '@nestjs/common';
import { errorBody } from '../../errors/error-body.js';
import { type ToolArguments } from './arguments.js';
import { type ToolCall } from './tool-call.js';
import { Tools } from './tools.js';

const calls = counter(
  'mcp_tool_calls_total',
  'Tools called, by how that ended: answered, or the code of the error.',
  ['tool', 'outcome'],
);

/** The outcomes that an alert counts: their series are there before the first failure. */
const ourFailures = ['unavailable', 'deadline_exceeded', 'internal'] as const satisfies readonly ErrorCode[];

/** Calls tools, and counts how that ends. */
@Injectable()
export class Toolbox {
  constructor(
    private readonly tools: Tools,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    for (const { name: tool } of this.definitions) {
      for (const outcome of ourFailures) calls.inc({ tool, outcome }, 0);
    }
  }

  get definitions(): Tool[] {
    return this.tools.all.map(({ definition }) => definition);
  }

  /**
   * The result of a tool, whose data are its structured content only. An error of the API becomes an error result with the body of the API's
   * error: a model can correct its arguments by it. Throws `ProtocolError` for an unknown tool, `unauthorized` for a key that
   * was switched off in the meantime.
   */
  async call(toolCall: ToolCall, name: string, toolArguments: ToolArguments): Promise<CallToolResult> {
    const tool = this.tools.all.find(({ definition }) => definition.name === name);
    if (!tool) throw this.unknownTool(name);
    try {
      const { data, line } = await tool.call(toolCall, toolArguments);
      calls.inc({ tool: name, outcome: 'answered' });
      const isRepeat = toolCall.pendingCharge?.isRepeat === true;
      const text = isRepeat ? `${line}; repeats a paid call` : line;
      return {
        content: [{ type: 'text', text }],
        structuredContent: { ...data },
        ...(isRepeat ? { _meta: { 'idempotent-replayed': true } } : {}),
      };
    } catch (raised) {
      const error = reportError(raised, toolCall.request, this.logger);
      calls.inc({ tool: name, outcome: toolCall.call.isSimulated ? 'simulated' : error.code });
      if (error.code === 'unauthorized') throw error;
      return errorResult(error);
    }
  }

  private unknownTool(name: string): ProtocolError {
    const names = this.definitions.map((definition) => definition.name).join(', ');
    return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool; the tools are ${names}.`, {
      name,
    });
  }
}

function errorResult(error: ServiceError): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(errorBody(error)) }], isError: true };
}
