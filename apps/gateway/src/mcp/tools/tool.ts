import {
  type JsonSchema,
  objectSchema,
  type OperationTool,
  type PublicOperation,
  type ShapeClass,
} from '#contracts';
import { type Tool as ToolDefinition } from '@modelcontextprotocol/server';
import { readArguments, type ToolArguments } from './arguments.js';
import { type ToolCall } from './tool-call.js';

/** The operation that a tool calls. */
type ToolOperation<Arguments extends object> = PublicOperation & {
  readonly tool: OperationTool & { readonly arguments: ShapeClass<Arguments> };
};

/** One thing that a model can do here: an operation of the API. */
export interface Tool {
  /** What clients and their models read about it. */
  readonly definition: ToolDefinition;
  /** Throws a `ServiceError` for whatever the API would answer with an error, with the same sentence. */
  readonly call: (call: ToolCall, given: ToolArguments) => Promise<ToolAnswer>;
}

/** The result of a tool, and a line that describes it: a model reads each creator once. */
export interface ToolAnswer {
  readonly data: object;
  readonly line: string;
}

/** A tool of an operation: counted within its limit, with its arguments read as it declares them. */
export function toolOf<Arguments extends object>(
  operation: ToolOperation<Arguments>,
  run: (call: ToolCall, read: Arguments) => Promise<ToolAnswer>,
): Tool {
  return {
    definition: definitionOf(operation),
    call: async (call, given) => {
      if (operation.limit) await call.admit(operation.limit);
      return run(call, readArguments(operation.tool.arguments, given));
    },
  };
}

function definitionOf({ paid, tool, answer }: ToolOperation<object>): ToolDefinition {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(tool.arguments, inputKeywords, { additionalProperties: false }),
    outputSchema: schemaOf(tool.answer ?? answer.shape, outputKeywords),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
      // Calling it again gives the same, but a paid call costs its price again.
      idempotentHint: paid === undefined,
    },
  };
}

const outputKeywords = ['type', 'enum', 'minimum', 'items', 'properties', 'required'];
/** Keywords that a model needs before it calls; results are clear without descriptions. */
const inputKeywords = [
  ...outputKeywords,
  ...['description', 'default', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
];

/** The schema of a shape with all shapes within it in full: many clients don't follow references. */
function schemaOf(
  Class: ShapeClass,
  keywords: readonly string[],
  more: { readonly additionalProperties?: false } = {},
): JsonSchema & { readonly type: 'object' } {
  const { properties, required } = objectSchema(Class, (within) => schemaOf(within, keywords, more));
  const isKept = ([keyword, value]: [string, unknown]): boolean =>
    keywords.includes(keyword) || keyword in more || (keyword === 'format' && value === 'date-time');
  const kept = Object.entries(properties).map(([name, schema]) => [
    name,
    Object.fromEntries(Object.entries(schema).filter(isKept)),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(kept) as JsonSchema,
    ...(required === undefined ? {} : { required }),
    ...more,
  };
}
