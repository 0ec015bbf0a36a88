import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareRecordings, readRecordings, type Recording } from './compare-recordings.js';
import { inDirectory, recordStandIn } from './recordings.fixture.js';

/** A directory of what `payments check --record` has written with a key of Stripe's test mode. */
const { STRIPE_RECORDINGS: ofStripe } = process.env;

let examples: Recording[];

beforeAll(async () => {
  examples = await recordStandIn();
});

const compare = (recordings: readonly Recording[]) =>
  compareRecordings(
    examples.map(({ object }) => object),
    recordings,
  );

it(`the stand-in is as ${ofStripe ? 'Stripe was when it was recorded' : 'another one, without recordings of Stripe'}`, async () => {
  const check = (directory: string): void => {
    const { differences, compared } = compare(readRecordings(directory));
    expect(differences).toEqual([]);
    expect(compared).toContain('checkout.session');
  };
  if (ofStripe) check(ofStripe);
  else await inDirectory(await recordStandIn(), check);
});

it('a missing field and one of another type are noticed, wherever they are', async () => {
  await inDirectory(examples, (directory) => {
    const change = (name: string, from: string, to: string): void => {
      const text = JSON.stringify(examples.find((one) => one.name === name)?.object);
      expect(text).toContain(from);
      writeFileSync(join(directory, `${name}.json`), text.replaceAll(from, to));
    };
    change('session-paid', '"amount_tax":0', '"amount_vat":0');
    change('session-tax', '"receipt_url":', '"receipt":');
    change('disputes', '"amount":-14000', '"amount":"-14000"');
    change('events', '"actionable":true', '"actionable":"yes"');
    expect(compare(readRecordings(directory)).differences).toEqual([
      {
        path: 'balance_transaction.amount',
        problem: 'another type',
        types: { stripe: 'string', here: 'number' },
        recordings: ['disputes'],
      },
      {
        path: 'radar.early_fraud_warning.actionable',
        problem: 'another type',
        types: { stripe: 'string', here: 'boolean' },
        recordings: ['events'],
      },
      {
        path: 'checkout.session.total_details.amount_tax',
        problem: 'missing at Stripe',
        recordings: ['session-paid'],
      },
      { path: 'charge.receipt_url', problem: 'missing at Stripe', recordings: ['session-tax'] },
    ]);
  });
});

it('objects that the stand-in does not have are named, and files may hold their name', async () => {
  const customer = { name: 'customer', object: { id: 'cus_1', object: 'customer' } };
  await inDirectory([{ name: 'any', object: customer }], (directory) => {
    expect(readRecordings(directory)).toEqual([customer]);
    expect(compare(readRecordings(directory))).toEqual({
      differences: [],
      compared: [],
      unknown: ['customer'],
    });
  });
});
