import { type CallState, type ListCallsRequest, type Operation } from '@app/contracts';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { parseQuery } from '../../http/requests/raw-query.js';
import { usageRange } from '../../usage/usage-range.js';
import { validationProblems } from '../../validation/validation-problems.js';
import {
  callsParameterNames,
  CallsParameters,
  pageParameterNames,
  PageParameters,
} from './calls-parameters.js';

export const pageSizeDefault = 50;

/** Which calls of the account, and which page of them. */
export type CallsQuery = Omit<ListCallsRequest, 'account_id'>;

/**
 * Parses which calls a URL asks for: those of the last 30 days unless it says otherwise. Throws `invalid_request` that
 * names every invalid parameter.
 */
export function readCallsQuery(url: string, now: Date): CallsQuery {
  const parameters = new CallsParameters();
  fill(parameters, url, callsParameterNames);
  const { from, to, key_id, operation, state } = parameters;
  return {
    ...usageRange(from, to, now),
    ...(key_id === undefined ? {} : { key_id }),
    ...(operation === undefined ? {} : { operation: operation as Operation }),
    ...(state === undefined ? {} : { state: state as CallState }),
    ...pageOf(parameters),
  };
}

/** Parses which page a URL asks for. Throws `invalid_request` that names every invalid parameter. */
export function readPageQuery(url: string): Pick<CallsQuery, 'limit' | 'cursor'> {
  const parameters = new PageParameters();
  fill(parameters, url, pageParameterNames);
  return pageOf(parameters);
}

function fill(parameters: PageParameters, url: string, names: readonly string[]): void {
  const { values, problems } = parseQuery(url, names);
  Object.assign(parameters, Object.fromEntries(values));
  const details = { ...validationProblems(parameters), ...problems };
  if (Object.keys(details).length > 0) throw invalidQuery(details);
}

function pageOf({ limit, cursor }: PageParameters): Pick<CallsQuery, 'limit' | 'cursor'> {
  return {
    limit: limit === undefined ? pageSizeDefault : Number(limit),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
