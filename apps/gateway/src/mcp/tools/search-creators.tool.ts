import { namedFilters } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { CreatorSearch } from '../../creators/creator-search.js';
import { writeCursor } from '../../routes/search-creators/search-cursor.js';
import {
  count,
  creatorProperties,
  creditsOptional,
  creditsProperties,
  platformProperties,
  readsOnly,
  resultSchema,
  text,
} from './schemas.js';
import { readSearchArguments, searchInputSchema } from './search-arguments.js';
import { type ToolCall } from './tool-call.js';
import { type Tool, type ToolArguments, type ToolDefinition, type ToolResult } from './tool.js';

const entry = resultSchema({
  ...creatorProperties,
  platforms: { type: 'array', items: resultSchema(platformProperties) },
});

/** `search_creators`: `GET /search` for models. */
@Injectable()
export class SearchCreatorsTool implements Tool {
  readonly definition: ToolDefinition = {
    name: 'search_creators',
    title: 'Search creators',
    description: [
      'Finds verified creators by words, country, category, language, platform and followers, those with the newest data first.',
      'Costs 1 credit and 1 more for each filter used (q, country, category, language, platform, min_followers, max_followers) when somebody matches; costs nothing when nobody does.',
      'Take country, category and language from list_filters, which is free: a value that does not exist there matches no creator, and unknown_filters names its filter.',
      'If the creator is known by a link or handle, use lookup_accounts, which is free.',
      'total is exact, whatever the limit. For more creators call again with the same filters and next_cursor as cursor, at the same price.',
    ].join(' '),
    inputSchema: searchInputSchema,
    outputSchema: resultSchema(
      {
        total: { ...count, description: 'Creators that match.' },
        returned: { ...count, description: 'Creators in this result.' },
        unknown_filters: {
          type: 'array',
          items: { type: 'string', enum: [...namedFilters] },
          description:
            'Filters whose value no creator has: take one from list_filters. Absent when all exist.',
        },
        next_cursor: { ...text, description: 'Where the next page begins; absent on the last one.' },
        ...creditsProperties,
        creators: { type: 'array', items: entry },
      },
      ['unknown_filters', 'next_cursor', ...creditsOptional],
    ),
    annotations: { ...readsOnly, idempotentHint: false },
  };

  constructor(private readonly creators: CreatorSearch) {}

  async call(toolCall: ToolCall, toolArguments: ToolArguments): Promise<ToolResult> {
    await toolCall.admit('search');
    const search = readSearchArguments(toolArguments);
    const { page, metered } = await this.creators.find(toolCall.call, search);
    const { total, returned, next, unknown_filters } = page.value;
    const creators: unknown = JSON.parse(page.bytes.toString());
    const credits = await toolCall.charge(metered);
    return {
      total,
      returned,
      ...(unknown_filters ? { unknown_filters } : {}),
      ...(next ? { next_cursor: writeCursor(search, next) } : {}),
      ...credits,
      creators,
    };
  }
}
