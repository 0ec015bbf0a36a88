import { isRecord, lookUpAccounts, platforms, soughtAccountsMax } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { foundCreator } from '../../routes/look-up-accounts/found-creator.js';
import { readLookUpBody } from '../../routes/look-up-accounts/look-up-body.js';
import { readsOnly, resultSchema, text } from './schemas.js';
import { type ToolCall } from './tool-call.js';
import { type Tool, type ToolArguments, type ToolDefinition, type ToolResult } from './tool.js';

/** `lookup_accounts`: `POST /lookup` for models. */
@Injectable()
export class LookupAccountsTool implements Tool {
  readonly definition: ToolDefinition = {
    name: 'lookup_accounts',
    title: 'Look up accounts',
    description: [
      'Finds out which creators have these platform accounts, given as links in any form or as platform and handle, and returns their slugs for get_creator.',
      'Free. Use it instead of a search whenever a link or a handle is known.',
      'results are in the order asked; slug is null where no creator is known, and problem says why a link names no account.',
    ].join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        accounts: {
          type: 'array',
          minItems: 1,
          maxItems: soughtAccountsMax,
          items: {
            type: 'object',
            properties: {
              url: {
                ...text,
                description: 'A link to a profile or channel. Instead of platform and handle.',
              },
              platform: { type: 'string', enum: [...platforms] },
              handle: { ...text, description: 'With or without @.' },
            },
            additionalProperties: false,
          },
        },
      },
      required: ['accounts'],
      additionalProperties: false,
    },
    outputSchema: resultSchema({
      results: {
        type: 'array',
        items: resultSchema({ slug: { type: ['string', 'null'] }, problem: text }, ['problem']),
      },
    }),
    annotations: { ...readsOnly, idempotentHint: true },
  };

  constructor(private readonly services: ServiceClient) {}

  async call(toolCall: ToolCall, toolArguments: ToolArguments): Promise<ToolResult> {
    await toolCall.admit('lookup');
    const sought = readLookUpBody(withoutNulls(toolArguments));
    const { results } = await this.services.request(lookUpAccounts, sought, toolCall.call.context());
    return { results: results.map(foundCreator) };
  }
}

/** Some clients send `null` for what their model left out of an account. */
function withoutNulls(toolArguments: ToolArguments): ToolArguments {
  const { accounts } = toolArguments;
  if (!Array.isArray(accounts)) return toolArguments;
  return { ...toolArguments, accounts: accounts.map(withoutNull) };
}

function withoutNull(account: unknown): unknown {
  if (!isRecord(account)) return account;
  return Object.fromEntries(Object.entries(account).filter(([, value]) => value !== null));
}
