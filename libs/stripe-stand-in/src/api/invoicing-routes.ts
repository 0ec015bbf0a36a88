import { type Customer } from '../books/objects.js';
import { type Books } from '../books/returns.js';
import { invalid } from '../books/stand-in-error.js';
import { type ApiCall } from './call.js';
import { refuseUnknown, textAt, textsAt } from './form.js';

export function createCustomer({ invoicing }: Books, { form }: ApiCall): Customer {
  refuseUnknown(form, ['email', 'metadata', 'name']);
  const email = textAt(form, 'email') ?? null;
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw invalid('email', `Invalid email address: ${email}`);
  }
  return invoicing.createCustomer({
    email,
    metadata: textsAt(form, 'metadata'),
    name: textAt(form, 'name') ?? null,
  });
}
