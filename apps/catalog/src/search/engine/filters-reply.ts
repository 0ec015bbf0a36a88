import { filterValuesMax, type FiltersReply, platforms } from '@app/contracts';
import { type FilterCount, type FilterCounts } from '@app/creator-index';

/** Counted values, as they are sent between services: no more of a filter than a reply may hold. */
export function toFiltersReply({ country, category, language, platform }: FilterCounts): FiltersReply {
  return {
    countries: first(country).map(toNamed),
    categories: first(category).map(({ value, creators }) => ({ slug: value, creators })),
    languages: first(language).map(toNamed),
    platforms: platform
      .flatMap(({ value, creators }) => {
        const name = platforms[Number(value) - 1];
        return name === undefined ? [] : [{ platform: name, creators }];
      })
      .sort((one, other) => other.creators - one.creators || (one.platform < other.platform ? -1 : 1)),
  };
}

function first(counts: readonly FilterCount[]): readonly FilterCount[] {
  return counts.slice(0, filterValuesMax);
}

function toNamed({ name, creators }: FilterCount): { name: string; creators: number } {
  return { name, creators };
}
