import {
  type Credits,
  getBalanceOperation,
  getCreatorProfileOperation,
  getCreatorProfilesOperation,
  isRecord,
  listFilters,
  listFiltersOperation,
  lookUpAccounts,
  lookUpAccountsOperation,
  type NamedFilter,
  searchCreatorsOperation,
  toolOperations,
  type UnknownFilter,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { Balances } from '../../charging/charging.module.js';
import { priceSearch, profilePrice } from '../../charging/price-search.js';
import { CreatorProfiles, CreatorSearch } from '../../creators/creators.module.js';
import { ManyProfiles } from '../../creators/many-profiles.js';
import { SearchCursors } from '../../creators/search-cursors.js';
import { counted } from '../../text/counted.js';
import { lookUpsAnswer } from '../../routes/look-up-accounts.controller.js';
import { assertWithinMaxCredits } from './arguments.js';
import { type Tool, toolOf } from './tool.js';

/** What each tool does. */
@Injectable()
export class Tools {
  private readonly listFilters = toolOf(listFiltersOperation, async ({ call }, { limit }) => {
    const { countries, categories, languages, platforms } = await this.services.request(
      listFilters,
      call.creators,
      call,
    );
    const all = Object.entries({ countries, categories, languages, platforms });
    const data = {
      ...Object.fromEntries(all.map(([name, values]) => [name, values.slice(0, limit)])),
      totals: Object.fromEntries(all.map(([name, { length }]) => [name, length])),
    };
    const parts = all.map(([name, { length }]) => `${Math.min(length, limit)} of ${inWords(length)} ${name}`);
    return { data, line: parts.join(', ') };
  });

  private readonly searchCreators = toolOf(
    searchCreatorsOperation,
    async (toolCall, { max_credits, idempotency_key, ...query }) => {
      const idempotencyKey = toolCall.idempotencyKey(idempotency_key);
      const { scope } = toolCall.call;
      const search = this.cursors.read(scope, query);
      assertWithinMaxCredits(max_credits, priceSearch(search, 1), 'This search costs up to');
      const { page, metered } = await this.creators.find(toolCall.call, search);
      const { total, returned, next, unknown_filters: unknown, closest_values: closest = {} } = page.value;
      const creators: unknown = JSON.parse(page.bytes.toString());
      const credits = await toolCall.charge({ metered, parameters: search }, idempotencyKey);
      const data = {
        total,
        returned,
        ...(unknown
          ? { unknown_filters: unknown.map((filter) => unknownFilter(filter, closest[filter])) }
          : {}),
        ...(next ? { next_cursor: this.cursors.write(scope, search, next) } : {}),
        ...credits,
        creators,
      };
      return { data, line: `${returned} of ${inWords(total)} creators; ${creditsLine(credits)}` };
    },
  );

  private readonly lookUpAccounts = toolOf(lookUpAccountsOperation, async ({ call }, input) => {
    const data = lookUpsAnswer(
      await this.services.request(lookUpAccounts, { ...input, ...call.creators }, call),
    );
    const known = data.results.filter(({ slug }) => slug !== null).length;
    return { data, line: `creators known for ${known} of ${counted(data.results.length, 'account')}` };
  });

  private readonly getCreatorProfile = toolOf(
    getCreatorProfileOperation,
    async (toolCall, { slug, max_credits, idempotency_key }) => {
      const idempotencyKey = toolCall.idempotencyKey(idempotency_key);
      assertWithinMaxCredits(max_credits, profilePrice, 'A profile costs');
      const { json, metered } = await this.profiles.find(toolCall.call, slug);
      const profile: unknown = JSON.parse(json.toString());
      if (!isRecord(profile)) throw new Error('a profile is a JSON object');
      const credits = await toolCall.charge({ metered, parameters: { slug } }, idempotencyKey);
      return { data: { ...profile, ...credits }, line: `profile of ${slug}; ${creditsLine(credits)}` };
    },
  );

  private readonly getCreatorProfiles = toolOf(
    getCreatorProfilesOperation,
    async (toolCall, { slugs, max_credits, idempotency_key }) => {
      const idempotencyKey = toolCall.idempotencyKey(idempotency_key);
      assertWithinMaxCredits(max_credits, slugs.length * profilePrice, 'These profiles cost up to');
      const creators = slugs.map((slug) => ({ slug }));
      const found = await this.manyProfiles.find(toolCall.call, creators);
      const credits = await toolCall.charge(found, idempotencyKey);
      const data: unknown = JSON.parse(String(found.body(credits)));
      if (!isRecord(data)) throw new Error('the profiles are a JSON object');
      const line = `${found.metered.total ?? 0} of ${counted(slugs.length, 'creator')}; ${creditsLine(credits)}`;
      return { data, line };
    },
  );

  private readonly getBalance = toolOf(getBalanceOperation, async ({ call }) => {
    const data = await this.balances.of(call);
    return { data, line: `${counted(data.credits_remaining, 'credit')} remaining` };
  });

  /** In the order of their declarations, which is that of the reference too. */
  readonly all: readonly Tool[] = toolOperations.map(({ name }) => this[name]);

  constructor(
    private readonly services: ServiceClient,
    private readonly balances: Balances,
    private readonly creators: CreatorSearch,
    private readonly cursors: SearchCursors,
    private readonly profiles: CreatorProfiles,
    private readonly manyProfiles: ManyProfiles,
  ) {}
}

function creditsLine({ credits_used, credits_remaining, warning }: Credits): string {
  const line = `${counted(credits_used, 'credit')} used, ${inWords(credits_remaining)} remaining`;
  return warning === undefined ? line : `${line}; ${warning}`;
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}

function unknownFilter(filter: NamedFilter, closest: string | undefined): UnknownFilter {
  return closest === undefined ? { filter } : { filter, closest };
}
