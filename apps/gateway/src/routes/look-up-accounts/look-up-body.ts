import { type ErrorDetails, isRecord, type LookupRequest, soughtAccountsMax } from '@app/contracts';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { shown } from '../../http/requests/raw-query.js';
import { problemsOfChoice, soughtFields } from './sought-account.js';

/** Of the unknown members of one object, no more are named. */
const unknownNamedMax = 10;

/**
 * The accounts in a body. Throws `invalid_request` that names every member whose form is wrong, as `accounts[3].url`:
 * the mistake of a program. What the strings say is judged by the catalog, each for itself.
 */
export function readLookUpBody(body: Readonly<Record<string, unknown>>): LookupRequest {
  const details: ErrorDetails = unknownMembers(body, ['accounts'], '');
  const { accounts } = body;
  if (!isListOfAccounts(accounts)) {
    details.accounts = [`accounts must be a list of 1 to ${soughtAccountsMax} accounts`];
    throw invalidQuery(details);
  }
  accounts.forEach((account, index) => Object.assign(details, problemsOf(account, `accounts[${index}]`)));
  if (Object.keys(details).length > 0) throw invalidQuery(details);
  return { accounts };
}

function isListOfAccounts(value: unknown): value is object[] {
  return Array.isArray(value) && value.length > 0 && value.length <= soughtAccountsMax;
}

function problemsOf(account: unknown, name: string): ErrorDetails {
  if (!isRecord(account)) {
    return { [name]: [`${name} must be an object with url, or with platform and handle`] };
  }
  const details = unknownMembers(account, soughtFields, `${name}.`);
  for (const field of soughtFields) {
    if (!Object.hasOwn(account, field) || typeof account[field] === 'string') continue;
    details[`${name}.${field}`] = [`${name}.${field} must be a string`];
  }
  if (Object.keys(details).length > 0) return details;
  const unfit = problemsOfChoice((field) => Object.hasOwn(account, field)) ?? {};
  return Object.fromEntries(
    Object.entries(unfit).map(([field, sentences]) => [`${name}.${field}`, sentences]),
  );
}

function unknownMembers(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  before: string,
): ErrorDetails {
  const unknown = Object.keys(object).filter((member) => !known.includes(member));
  const sentence = `not a known field; the ${known.length === 1 ? 'only field is' : 'fields are'} ${known.join(', ')}`;
  return Object.fromEntries(
    unknown.slice(0, unknownNamedMax).map((member) => [before + shown(member), [sentence]]),
  );
}
