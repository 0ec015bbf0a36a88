import { foldEmail } from '@app/contracts';
import { EnvError, makeValidator } from 'envalid';

/** An address to which people write. */
export const emailAddress = makeValidator<string>((input) => {
  if (foldEmail(input) === null) throw new EnvError('must be an e-mail address');
  return input;
});
