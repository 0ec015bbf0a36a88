import { type Tool as ToolDefinition } from '@modelcontextprotocol/server';
import { type ToolCall } from './tool-call.js';

export { type ToolDefinition };

/** What a client sent; nothing about it is known yet. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The structured content of a result, as the tool's output schema describes it. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** One thing that a model can do here. */
export interface Tool {
  /** What clients and their models read about it. */
  readonly definition: ToolDefinition;

  /** Throws a `ServiceError` for whatever the API would answer with an error, with the same sentence. */
  call(call: ToolCall, toolArguments: ToolArguments): Promise<ToolResult>;
}
