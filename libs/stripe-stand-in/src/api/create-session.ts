import { type Session } from '../books/objects.js';
import { type Books } from '../books/returns.js';
import { invalid, StandInError } from '../books/stand-in-error.js';
import { amountAt, type FormTree, neededText, textAt, textsAt } from './form.js';

/** The parameters are checked as far as this project uses them: one item, paid at once. */
export function createSession({ payments, records }: Books, form: FormTree): Session {
  if (textAt(form, 'mode') !== 'payment') throw invalid('mode', 'Only mode=payment exists here');
  const price = 'line_items.0.price_data';
  neededText(form, `${price}.product_data.name`);
  const amount = amountAt(form, `${price}.unit_amount`) ?? 0;
  const success_url = neededText(form, 'success_url');
  if (!URL.canParse(success_url)) throw invalid('success_url', 'Not a valid URL');
  const customer = textAt(form, 'customer') ?? null;
  if (customer !== null && !records.customers.has(customer)) {
    const missing = { code: 'resource_missing', param: 'customer' };
    throw new StandInError(400, `No such customer: '${customer}'`, missing);
  }
  const switched = (name: string) => ({ enabled: textAt(form, `${name}.enabled`) === 'true' });
  return payments.create({
    amount,
    currency: neededText(form, `${price}.currency`),
    success_url,
    cancel_url: textAt(form, 'cancel_url') ?? null,
    client_reference_id: textAt(form, 'client_reference_id') ?? null,
    metadata: textsAt(form, 'metadata'),
    allow_promotion_codes: textAt(form, 'allow_promotion_codes') === 'true' || null,
    automatic_tax: switched('automatic_tax'),
    billing_address_collection: textAt(form, 'billing_address_collection') === 'required' ? 'required' : null,
    customer,
    invoice_creation: switched('invoice_creation'),
    tax_id_collection: switched('tax_id_collection'),
  });
}
