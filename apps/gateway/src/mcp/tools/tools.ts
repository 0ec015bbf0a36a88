import {
  getBalanceOperation,
  getCreatorProfileOperation,
  isRecord,
  listFilters,
  listFiltersOperation,
  lookUpAccounts,
  lookUpAccountsOperation,
  searchCreatorsOperation,
  toolOperations,
} from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { Balances } from '../../charging/balances.js';
import { priceSearch, profilePrice } from '../../charging/price-search.js';
import { CreatorProfiles } from '../../creators/creator-profiles.js';
import { CreatorSearch } from '../../creators/creator-search.js';
import { lookUpsAnswer } from '../../routes/look-up-accounts.controller.js';
import { searchFrom, writeCursor } from '../../routes/search-cursor.js';
import { assertWithinMaxCredits } from './arguments.js';
import { type Tool, toolOf } from './tool.js';

/** What each tool does. */
@Injectable()
export class Tools {
  private readonly byOperation: Readonly<Record<(typeof toolOperations)[number]['name'], Tool>> = {
    listFilters: this.listFilters(),
    searchCreators: this.searchCreators(),
    lookUpAccounts: this.lookUpAccounts(),
    getCreatorProfile: this.getCreator(),
    getBalance: this.getBalance(),
  };

  /** In the order of their declarations, which is that of the reference too. */
  readonly all: readonly Tool[] = toolOperations.map(({ name }) => this.byOperation[name]);

  constructor(
    private readonly services: ServiceClient,
    private readonly balances: Balances,
    private readonly creators: CreatorSearch,
    private readonly profiles: CreatorProfiles,
  ) {}

  private listFilters(): Tool {
    return toolOf(listFiltersOperation, async ({ call }, { limit }) => {
      const { countries, categories, languages, platforms } = await this.services.request(
        listFilters,
        {},
        call,
      );
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
    });
  }

  private searchCreators(): Tool {
    return toolOf(searchCreatorsOperation, async (toolCall, { max_credits, ...query }) => {
      const search = searchFrom(query);
      assertWithinMaxCredits(max_credits, priceSearch(search, 1), 'This search costs up to');
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
    });
  }

  private lookUpAccounts(): Tool {
    return toolOf(lookUpAccountsOperation, async ({ call }, input) =>
      lookUpsAnswer(await this.services.request(lookUpAccounts, input, call)),
    );
  }

  private getCreator(): Tool {
    return toolOf(getCreatorProfileOperation, async (toolCall, { slug, max_credits }) => {
      assertWithinMaxCredits(max_credits, profilePrice, 'A profile costs');
      const { json, metered } = await this.profiles.find(toolCall.call, slug);
      const profile: unknown = JSON.parse(json.toString());
      if (!isRecord(profile)) throw new Error('a profile is a JSON object');
      return { ...profile, ...(await toolCall.charge(metered)) };
    });
  }

  private getBalance(): Tool {
    return toolOf(getBalanceOperation, ({ call }) => this.balances.of(call));
  }
}
