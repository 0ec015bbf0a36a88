import { type AdjustmentReply, type AgreementView, type LotView, type PackView } from '#contracts';
import { parseDollars, parseInteger } from '../arguments.js';
import { formatInteger, formatMoney, formatSigned } from '../output/format.js';
import { type Column, page } from '../output/table.js';
import { command, group, option, required } from './command.js';

type Adjustment = AdjustmentReply['adjustment'] & { readonly credits_remaining: number };

const packColumns: Column<PackView>[] = [
  'pack',
  ['credits', (pack) => formatInteger(pack.credits) + (pack.credits_are_minimum ? ' or more' : ''), 'right'],
  ['price', ({ price_cents: price }) => (price === null ? 'agreed' : formatMoney(price)), 'right'],
  [
    'per credit',
    (pack) => (pack.price_cents === null ? 'from ' : '') + formatMoney(pack.price_cents_per_credit_min),
    'right',
  ],
];

export const lotColumns: Column<LotView>[] = [
  ['lot', 'id'],
  'pack',
  'credits',
  ['left', 'remaining'],
  'price_cents',
  'purchased_at',
  'expires_at',
  'reference',
  ['refunded', refundOf, 'right'],
];

const agreementColumns: Column<AgreementView>[] = [
  ['agreement', 'id'],
  ['credits a month', 'credits'],
  'price_cents',
  ['started', 'starts_at'],
  ['next grant', 'next_due_at'],
  'ended_at',
];

const adjustmentColumns: Column<Adjustment>[] = [
  ['adjustment', 'id'],
  ['credits', ({ credits }) => formatSigned(credits)],
  'reason',
  'reference',
  ['at', 'at'],
  ['balance', 'credits_remaining'],
];

const referenceOption = option(
  '--reference <text>',
  'your own reference, such as an invoice number; repeating it adds nothing (default: a new UUID)',
);

export const packsCommand = command('packs', 'list the packs on sale', {
  call: 'GET /packs',
  show: page('packs', packColumns),
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
    show: lotColumns,
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
      show: adjustmentColumns,
    }),
  ],
);

export const lotCommands = group('lots', 'refunds of lots that were not bought by card', [
  command(
    'refund <account> <lot>',
    'take back what is left of one lot; the money is returned outside of this service',
    {
      call: 'POST /accounts/:account/lots/:lot/refund',
      once: 'reference',
      options: [
        required('--reason <text>', 'reason; kept in the ledger'),
        required('--reference <text>', 'your own reference of the refund; repeating it takes nothing'),
      ],
      show: lotColumns,
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
      show: agreementColumns,
    }),
    command('show <account>', 'show the running agreement: its price, and the date of its next grant', {
      call: 'GET /accounts/:account/agreement',
      show: agreementColumns,
    }),
    command('end <account>', 'stop the monthly grant; granted credits stay', {
      call: 'DELETE /accounts/:account/agreement',
      show: agreementColumns,
    }),
  ],
);

/** How many credits a refund took back, and how many were not there; `null`: it was not refunded. */
function refundOf({ refund }: LotView): string | null {
  if (!refund) return null;
  const { credits_taken_back: taken, credits_not_recovered: missing } = refund;
  return formatInteger(taken) + (missing > 0 ? ` (${formatInteger(missing)} not recovered)` : '');
}
