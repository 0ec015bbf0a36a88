import { type SoughtAccount } from '@app/contracts';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { parseQuery } from '../../http/requests/raw-query.js';
import { problemsOfChoice, soughtFields } from './sought-account.js';

/** Parses the account in a URL. Throws `invalid_request` that names every invalid parameter. */
export function readLookUpQuery(url: string): SoughtAccount {
  const { values, problems } = parseQuery(url, soughtFields);
  if (Object.keys(problems).length > 0) {
    const isCut = values.get('url')?.includes('?') ?? false;
    throw invalidQuery(isCut ? { ...problems, url: [...(problems.url ?? []), cutSentence] } : problems);
  }
  const unfit = problemsOfChoice((field) => values.has(field));
  if (unfit) throw invalidQuery(unfit);
  // The catalog knows which platforms there are, and says so.
  return Object.fromEntries(values);
}

/** Unknown parameters behind a link are most probably its own. */
const cutSentence = 'url must be percent-encoded: an & in it begins another parameter';
