import { parseDollars, parseInteger } from '../arguments.js';
import { command, group, option, required } from './command.js';

const referenceOption = option(
  '--reference <text>',
  'your own reference, such as an invoice number; repeating it adds nothing (default: a new UUID)',
);

export const packsCommand = command('packs', 'list the packs on sale', {
  call: 'GET /packs',
});

export const purchaseCommands = group('purchases', 'purchases of packs', [
  command('create <account>', 'record a purchase: its credits can be spent at once, for 30 days', {
    call: 'POST /accounts/:account/purchases',
    once: 'reference',
    options: [
      required('--pack <pack>', 'which pack').choices(['trial', 'builder', 'scale', 'enterprise']),
      referenceOption,
      option('--credits <n>', 'credits (enterprise only)', parseInteger),
      option('--price <dollars>', 'price (enterprise only)', parseDollars).as('price_cents'),
      option(
        '--purchased-at <time>',
        'time of the purchase, such as 2026-01-31T12:00:00Z, or its day (default: now)',
      ),
    ],
  }),
]);

export const adjustmentCommands = group(
  'adjustments',
  'credits given as goodwill or taken back as a correction',
  [
    command('create <account>', 'add credits (30 days), or take some back with a negative number', {
      call: 'POST /accounts/:account/adjustments',
      once: 'reference',
      options: [
        required(
          '--credits <n>',
          'credits; a negative number takes them back, oldest lots first',
          parseInteger,
        ),
        required('--reason <text>', 'reason; kept in the ledger'),
        referenceOption,
      ],
    }),
  ],
);

export const lotCommands = group('lots', 'refunds of lots that were not bought by card', [
  command(
    'refund <account> <lot>',
    'take back the remaining credits of one lot; the money is returned outside of this service',
    {
      call: 'POST /accounts/:account/lots/:lot/refund',
      once: 'reference',
      options: [
        required('--reason <text>', 'reason; kept in the ledger'),
        required('--reference <text>', 'your own reference of the refund; repeating it takes nothing'),
      ],
    },
  ),
]);

export const agreementCommands = group(
  'agreements',
  'Enterprise credits, granted every month on the same day',
  [
    command('start <account>', 'start the monthly grant of an account', {
      call: 'POST /accounts/:account/agreement',
      options: [
        required('--credits <n>', 'credits per month, 10,000 or more', parseInteger),
        required('--price <dollars>', 'price per month', parseDollars).as('price_cents'),
        option(
          '--starts-at <time>',
          'time of the first grant; repeated on that day each month (default: now)',
        ),
      ],
    }),
    command('show <account>', 'show the running agreement: its price, and the date of its next grant', {
      call: 'GET /accounts/:account/agreement',
    }),
    command('end <account>', 'stop the monthly grant; granted credits stay', {
      call: 'DELETE /accounts/:account/agreement',
    }),
  ],
);
