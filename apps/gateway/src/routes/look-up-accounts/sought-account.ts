import { type ErrorDetails, type SoughtAccount } from '@app/contracts';

/** The parameters that name an account, and the fields of one in a body. */
export const soughtFields = ['url', 'platform', 'handle'] as const satisfies readonly (keyof SoughtAccount)[];

export type SoughtField = (typeof soughtFields)[number];

/**
 * What is wrong with the choice of fields that name an account, by field; `null` when it is `url` alone, or `platform`
 * and `handle`.
 */
export function problemsOfChoice(given: (field: SoughtField) => boolean): ErrorDetails | null {
  const others = soughtFields.filter((field) => field !== 'url' && given(field));
  if (given('url')) {
    if (others.length === 0) return null;
    const sentence = 'give url, or platform and handle, not both';
    return Object.fromEntries((['url', ...others] as const).map((field) => [field, [sentence]]));
  }
  if (others.length === 2) return null;
  const missing = others.length === 0 ? 'url' : given('platform') ? 'handle' : 'platform';
  return { [missing]: [`${missing} is missing; give url, or platform and handle`] };
}
