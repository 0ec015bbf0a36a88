import { emailProblem, ServiceError } from '@app/contracts';

/** An address that `foldEmail` does not accept. */
export function invalidEmail(email: string): ServiceError {
  const problem = emailProblem(email) ?? 'Enter a valid email address.';
  return new ServiceError('invalid_request', problem, { details: { email: [problem] } });
}
