import { type ErrorDetails, ServiceError } from '@app/contracts';
import { type QueryValues } from '../../http/requests/raw-query.js';
import { counted } from '../../text/counted.js';

const creditsPattern = /^[0-9]{1,9}$/;

/** The argument of every tool that costs credits. */
export const maxCreditsName = 'max_credits';

export const maxCreditsSchema = {
  type: 'integer',
  minimum: 0,
  description: 'The most credits this call may cost. If it could cost more, it is refused, free of charge.',
} as const;

/** What is wrong with `max_credits`, for the details of an error. */
export function maxCreditsProblems(values: QueryValues): ErrorDetails {
  const value = values.get(maxCreditsName);
  if (value === undefined || creditsPattern.test(value)) return {};
  return { [maxCreditsName]: [`${maxCreditsName} must be a whole number of credits, 0 or more`] };
}

/**
 * Throws `invalid_request` when the call could cost more than `max_credits`. That is decided from the arguments alone,
 * before anything is looked up: a refusal that came afterwards would tell for nothing whether somebody matches.
 */
export function refuseIfDearer(values: QueryValues, creditsMax: number, whatCosts: string): void {
  const value = values.get(maxCreditsName);
  if (value === undefined || creditsMax <= Number(value)) return;
  const sentence = `${whatCosts} ${counted(creditsMax, 'credit')}, more than ${maxCreditsName} (${value})`;
  throw new ServiceError('invalid_request', `${sentence}. Nothing was done and nothing charged.`, {
    details: { [maxCreditsName]: [`${maxCreditsName} must be at least ${creditsMax} for this call`] },
  });
}
