import { type Session } from '../books/objects.js';
import { type Books } from '../books/returns.js';
import { invalid, RefusedRequest, StandInError } from '../books/stand-in-error.js';
import { type ApiCall } from './call.js';
import { amountAt, type FormTree, neededText, refuseUnknown, textAt, textsAt } from './form.js';

const parameters = [
  ...[
    'adaptive_pricing',
    'allow_promotion_codes',
    'automatic_tax',
    'billing_address_collection',
    'cancel_url',
  ],
  ...[
    'client_reference_id',
    'customer',
    'customer_update',
    'invoice_creation',
    'line_items',
    'metadata',
    'mode',
  ],
  ...['payment_intent_data', 'success_url', 'tax_id_collection'],
];

/** The parameters are checked as far as this project uses them: one item, paid at once. */
export function createSession(books: Books, { form }: ApiCall): Session {
  refuseUnknown(form, parameters);
  if (textAt(form, 'mode') !== 'payment') throw invalid('mode', 'Only mode=payment exists here');
  const price = 'line_items.0.price_data';
  neededText(form, `${price}.product_data.name`);
  const amount =
    (amountAt(form, `${price}.unit_amount`) ?? 0) * (amountAt(form, 'line_items.0.quantity') ?? 1);
  if (amount < 50) {
    const message = 'The Checkout Session amount must be at least $0.50 usd.';
    throw new StandInError(400, message, { code: 'amount_too_small', param: 'amount' });
  }
  const successUrl = neededText(form, 'success_url');
  if (!URL.canParse(successUrl)) throw invalid('success_url', 'Not a valid URL');
  checkCustomer(books, form);
  return books.payments.create({
    amount,
    currency: neededText(form, `${price}.currency`),
    successUrl,
    cancelUrl: textAt(form, 'cancel_url') ?? null,
    clientReferenceId: textAt(form, 'client_reference_id') ?? null,
    metadata: textsAt(form, 'metadata'),
    hasAutomaticTax: isOn(form, 'automatic_tax.enabled'),
    allowsPromotionCodes: isOn(form, 'allow_promotion_codes'),
    customer: textAt(form, 'customer') ?? null,
    asksForAddress: textAt(form, 'billing_address_collection') === 'required',
    asksForTaxId: isOn(form, 'tax_id_collection.enabled'),
    makesInvoice: isOn(form, 'invoice_creation.enabled'),
  });
}

/** What Stripe requires of a session with a customer, and without one. */
function checkCustomer({ records }: Books, form: FormTree): void {
  const id = textAt(form, 'customer');
  const updates = textsAt(form, 'customer_update');
  if (id === undefined) {
    if (Object.keys(updates).length === 0) return;
    throw invalid('customer_update', '`customer_update` can only be used with `customer`.');
  }
  const customer = records.customers.get(id);
  if (!customer) {
    throw new StandInError(400, `No such customer: '${id}'`, { code: 'resource_missing', param: 'customer' });
  }
  const isLocated = customer.address !== null || updates.address === 'auto';
  if (isOn(form, 'automatic_tax.enabled') && !isLocated) {
    const message =
      'Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the ' +
      "Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save " +
      'the address entered in Checkout to the Customer.';
    throw new RefusedRequest(400, message, { code: 'customer_tax_location_invalid' });
  }
  if (isOn(form, 'tax_id_collection.enabled') && updates.name !== 'auto') {
    throw new RefusedRequest(
      400,
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an ' +
        'existing customer, please set `customer_update[name]` to `auto`.',
    );
  }
}

function isOn(form: FormTree, path: string): boolean {
  return textAt(form, path) === 'true';
}
