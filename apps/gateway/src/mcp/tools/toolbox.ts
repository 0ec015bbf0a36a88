import { type ErrorCode, type ServiceError } from '@app/contracts';
import { counter, LOGGER, type Logger } from '@app/platform';
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Inject, Injectable } from '@nestjs/common';
import { errorBody } from '../../errors/error-body.js';
import { reportError } from '../../errors/report-error.js';
import { GetBalanceTool } from './get-balance.tool.js';
import { GetCreatorTool } from './get-creator.tool.js';
import { ListFiltersTool } from './list-filters.tool.js';
import { LookupAccountsTool } from './lookup-accounts.tool.js';
import { SearchCreatorsTool } from './search-creators.tool.js';
import { type ToolCall } from './tool-call.js';
import { type Tool, type ToolArguments, type ToolDefinition } from './tool.js';

const calls = counter(
  'mcp_tool_calls_total',
  'Tools called, by how that ended: answered, or the code of the error.',
  ['tool', 'outcome'],
);

/** The outcomes that an alert counts: their series are there before the first failure. */
const ourFailures = ['unavailable', 'deadline_exceeded', 'internal'] as const satisfies readonly ErrorCode[];

/** The tools, in the order in which a model should consider them. */
@Injectable()
export class Toolbox {
  private readonly tools: readonly Tool[];

  constructor(
    filters: ListFiltersTool,
    search: SearchCreatorsTool,
    lookup: LookupAccountsTool,
    creator: GetCreatorTool,
    balance: GetBalanceTool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.tools = [filters, search, lookup, creator, balance];
    for (const { name: tool } of this.definitions) {
      for (const outcome of ourFailures) calls.inc({ tool, outcome }, 0);
    }
  }

  get definitions(): ToolDefinition[] {
    return this.tools.map(({ definition }) => definition);
  }

  /**
   * The result of a tool. What the API would answer with an error is a result that is one, with the body of the API's
   * error: a model can mend its arguments by it. Throws `ProtocolError` for an unknown tool, `unauthorized` for a key that
   * was switched off in the meantime.
   */
  async call(toolCall: ToolCall, name: string, toolArguments: ToolArguments): Promise<CallToolResult> {
    const tool = this.tools.find(({ definition }) => definition.name === name);
    if (!tool) throw this.unknownTool(name);
    try {
      const result = await tool.call(toolCall, toolArguments);
      calls.inc({ tool: name, outcome: 'answered' });
      return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
    } catch (raised) {
      const error = reportError(raised, toolCall.request, this.logger);
      calls.inc({ tool: name, outcome: error.code });
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
