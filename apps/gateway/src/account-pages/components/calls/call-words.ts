import { type CallView } from '@app/contracts';

const operations = { search: 'Search', profile: 'Profile' } as const;

/** What a call was: `Search` or `Profile`. */
export function operationOf({ operation }: Pick<CallView, 'operation'>): string {
  return operations[operation];
}

/** Why a call cost what it did, as `Search: 1 + country + q = 3`, or why it was free. */
export function whyOf(call: CallView): string {
  const operation = operationOf(call);
  switch (call.reason) {
    case 'no_match':
      return `${operation}: no match`;
    case 'unchanged':
      return `${operation}: unchanged (304)`;
    case 'repeated':
      return `${operation}: retry of an earlier call`;
    case 'given_up':
    case 'timed_out':
      return `${operation}: failed, given back`;
    case null:
      return call.state === 'pending'
        ? `${operation}: ${priceOf(call)}, under way`
        : `${operation}: ${priceOf(call)}`;
  }
}

/** `1 + country + q = 3`. Of calls from before filters were kept, the price alone. */
function priceOf({ filters, credits }: CallView): string {
  if (filters === null || filters.length === 0) return String(credits);
  return `${['1', ...filters].join(' + ')} = ${credits}`;
}
