import { foldEmail } from '@app/contracts';
import { EnvError, makeValidator } from 'envalid';

const domainPattern = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;

/** Domains of e-mail addresses, separated by commas, in the form in which addresses are compared. */
export const emailDomains = makeValidator<readonly string[]>((input) =>
  input.split(',').map((part) => {
    const given = part.trim();
    const domain = domainPattern.test(given) ? foldEmail(`someone@${given}`)?.split('@')[1] : undefined;
    if (domain !== undefined) return domain;
    throw new EnvError(
      'must be domains of e-mail addresses, separated by commas, for example corp.example,corp.example.de',
    );
  }),
);
