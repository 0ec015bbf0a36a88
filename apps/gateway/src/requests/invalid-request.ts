import { type ErrorDetails, ServiceError } from '@app/contracts';

/** The sentence of an error says so many problems; its details have all of them. */
const saidMax = 5;

/** A 400 whose sentence and `details` say what is wrong, by field, parameter or header. */
export function invalidRequest(details: ErrorDetails): ServiceError {
  const problems = [...new Set(Object.values(details).flat())];
  const more = problems.length > saidMax ? `; and ${problems.length - saidMax} more` : '';
  const said = problems.slice(0, saidMax).join('; ') + more;
  return new ServiceError('invalid_request', `The request is not valid: ${said}.`, { details });
}
