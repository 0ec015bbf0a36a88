import { isRecord, slugLengthMax } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { profilePrice } from '../../charging/price-search.js';
import { CreatorProfiles } from '../../creators/creator-profiles.js';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { maxCreditsName, maxCreditsProblems, maxCreditsSchema, refuseIfDearer } from './max-credits.js';
import { readArguments } from './read-arguments.js';
import {
  creatorProperties,
  creditsOptional,
  creditsProperties,
  platformProperties,
  readsOnly,
  resultSchema,
  text,
} from './schemas.js';
import { type ToolCall } from './tool-call.js';
import { type Tool, type ToolArguments, type ToolDefinition, type ToolResult } from './tool.js';

const texts = { type: 'array', items: text } as const;

/** `get_creator`: `GET /creators/{slug}` for models. */
@Injectable()
export class GetCreatorTool implements Tool {
  readonly definition: ToolDefinition = {
    name: 'get_creator',
    title: 'Get one creator',
    description: [
      "Reads one creator's full profile: what a search shows, and tagline, languages, categories, website, whether verified, and when each follower count was updated.",
      'Costs 1 credit; an unknown slug costs nothing.',
      'Slugs come from search_creators or, for a known link or handle, from lookup_accounts, which is free.',
    ].join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        slug: {
          type: 'string',
          minLength: 1,
          maxLength: slugLengthMax,
          description: 'For example mira-solenne.',
        },
        [maxCreditsName]: maxCreditsSchema,
      },
      required: ['slug'],
      additionalProperties: false,
    },
    outputSchema: resultSchema(
      {
        ...creatorProperties,
        tagline: text,
        languages: texts,
        verified: { type: 'boolean' },
        website: text,
        categories: texts,
        platforms: {
          type: 'array',
          items: resultSchema({ ...platformProperties, updated_at: { ...text, format: 'date-time' } }),
        },
        ...creditsProperties,
      },
      ['website', ...creditsOptional],
    ),
    annotations: { ...readsOnly, idempotentHint: false },
  };

  constructor(private readonly profiles: CreatorProfiles) {}

  async call(toolCall: ToolCall, toolArguments: ToolArguments): Promise<ToolResult> {
    const { values, problems } = readArguments(toolArguments, ['slug', maxCreditsName]);
    const slug = values.get('slug');
    const details = { ...problems, ...maxCreditsProblems(values) };
    if (slug === undefined) details.slug ??= ['slug is missing; it names the creator'];
    if (slug === undefined || Object.keys(details).length > 0) throw invalidQuery(details);
    refuseIfDearer(values, profilePrice, 'A profile costs');

    const { json, metered } = await this.profiles.find(toolCall.call, slug);
    const profile: unknown = JSON.parse(json.toString());
    if (!isRecord(profile)) throw new Error('a profile is a JSON object');
    return { ...profile, ...(await toolCall.charge(metered)) };
  }
}
