import { filterValuesMax, listFilters, platforms } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { readArguments } from './read-arguments.js';
import { count, readsOnly, resultSchema, text } from './schemas.js';
import { type ToolCall } from './tool-call.js';
import { type Tool, type ToolArguments, type ToolDefinition, type ToolResult } from './tool.js';

const limitDefault = 50;

const named = { type: 'array', items: resultSchema({ name: text, creators: count }) };

/** `list_filters`: `GET /filters` for models. */
@Injectable()
export class ListFiltersTool implements Tool {
  readonly definition: ToolDefinition = {
    name: 'list_filters',
    title: 'List filters',
    description: [
      'Lists the countries, categories, languages and platforms that search_creators can filter by, with how many creators each has, most first.',
      'Free. Begin here: a search for a value that is not listed matches nobody.',
    ].join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: filterValuesMax,
          default: limitDefault,
          description: 'Values of each filter in the result; totals tells how many there are.',
        },
      },
      additionalProperties: false,
    },
    outputSchema: resultSchema({
      countries: named,
      categories: { type: 'array', items: resultSchema({ slug: text, creators: count }) },
      languages: named,
      platforms: {
        type: 'array',
        items: resultSchema({ platform: { type: 'string', enum: [...platforms] }, creators: count }),
      },
      totals: resultSchema({ countries: count, categories: count, languages: count, platforms: count }),
    }),
    annotations: { ...readsOnly, idempotentHint: true },
  };

  constructor(private readonly services: ServiceClient) {}

  async call(toolCall: ToolCall, toolArguments: ToolArguments): Promise<ToolResult> {
    await toolCall.admit('account');
    const limit = readLimit(toolArguments);
    const filters = await this.services.request(listFilters, {}, toolCall.call.context());
    const { countries, categories, languages, platforms } = filters;
    return {
      countries: countries.slice(0, limit),
      categories: categories.slice(0, limit),
      languages: languages.slice(0, limit),
      platforms: platforms.slice(0, limit),
      totals: {
        countries: countries.length,
        categories: categories.length,
        languages: languages.length,
        platforms: platforms.length,
      },
    };
  }
}

/** How many values are asked for. Throws `invalid_request`. */
export function readLimit(toolArguments: ToolArguments): number {
  const { values, problems } = readArguments(toolArguments, ['limit']);
  const given = values.get('limit') ?? String(limitDefault);
  const limit = /^[0-9]{1,4}$/.test(given) ? Number(given) : 0;
  const isInRange = limit >= 1 && limit <= filterValuesMax;
  if (!isInRange) problems.limit = [`limit must be an integer between 1 and ${filterValuesMax}`];
  if (Object.keys(problems).length > 0) throw invalidQuery(problems);
  return limit;
}
