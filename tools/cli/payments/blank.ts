/** Fields that say who paid, from where and with what, or that let their reader act: every text within is blanked. */
const privateFields = new Set([
  'address',
  'authorization_code',
  'bank_name',
  'business_profile',
  'client_secret',
  'company',
  'customer_address',
  'customer_email',
  'customer_name',
  'customer_phone',
  'customer_tax_ids',
  'display_name',
  'email',
  'evidence',
  'external_accounts',
  'fingerprint',
  'individual',
  'ip',
  'ip_address',
  'last4',
  'name',
  'phone',
  'receipt_email',
  'receipt_number',
  'routing_number',
  'secret',
  'statement_descriptor',
  'statement_descriptor_prefix',
  'support_email',
  'tax_ids',
  'tos_acceptance',
]);
/** Addresses of pages that anyone who knows them can open. */
const pageFields = new Set(['hosted_invoice_url', 'hosted_voucher_url', 'invoice_pdf', 'receipt_url', 'url']);
const blank = '(blanked)';
const blankPage = 'https://blanked.example/';
const email = /[^\s@"'<>]+@[^\s@"'<>]+\.[^\s@"'<>]+/g;
const key = /\b[a-z]+_(?:test|live)_[A-Za-z0-9*]{8,}|\bwhsec_[\w+/=*]+/g;
const sessionId = /^cs_test_/;

/** A copy of an object of Stripe with the same fields and types, without secrets and without what identifies the payer. */
export function blanked(value: unknown, isPrivate = false): unknown {
  if (typeof value === 'string') return isPrivate ? blank : withoutSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => blanked(item, isPrivate));
  const fields = Object.entries(value).map(([name, field]) => [name, blankedField(name, field, isPrivate)]);
  return Object.fromEntries(fields);
}

function blankedField(name: string, field: unknown, isPrivate: boolean): unknown {
  if (pageFields.has(name) && typeof field === 'string' && /^https?:/.test(field)) return blankPage;
  // How an amount is called is no secret; only texts are blanked.
  return blanked(field, isPrivate || privateFields.has(name));
}

/** Text without keys, signing secrets and e-mail addresses. */
export function withoutSecrets(text: string): string {
  return text.replace(email, blank).replace(key, (found) => (sessionId.test(found) ? found : blank));
}
