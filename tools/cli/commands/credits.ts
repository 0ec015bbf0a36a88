import { randomUUID } from 'node:crypto';
import { type AdjustmentReply, type AgreementView, type LotView, type PackView } from '#contracts';
import { path } from '../admin-client.js';
import { parseDollars, parseInteger } from '../arguments.js';
import { formatInteger, formatMoney, formatTime } from '../output/format.js';
import { fields, table, type Column } from '../output/table.js';
import { type Session } from '../session.js';
import { type CommandGroup, type CommandSpec, option, required } from './command.js';

type Adjustment = AdjustmentReply['adjustment'] & { readonly credits_remaining: number };

interface PurchaseOptions {
  readonly pack: string;
  readonly reference?: string;
  readonly credits?: number;
  readonly price?: number;
  readonly purchasedAt?: string;
}

interface AdjustmentOptions {
  readonly credits: number;
  readonly reason: string;
  readonly reference?: string;
}

interface LotRefundOptions {
  readonly reason: string;
  readonly reference: string;
}

interface AgreementOptions {
  readonly credits: number;
  readonly price: number;
  readonly startsAt?: string;
}

const packColumns: Column<PackView>[] = [
  { title: 'PACK', value: ({ pack }) => pack },
  {
    title: 'CREDITS',
    align: 'right',
    value: (pack) => formatInteger(pack.credits) + (pack.credits_are_minimum ? ' or more' : ''),
  },
  {
    title: 'PRICE',
    align: 'right',
    value: ({ price_cents }) => (price_cents === null ? 'agreed' : formatMoney(price_cents)),
  },
  {
    title: 'PER CREDIT',
    align: 'right',
    value: (pack) =>
      (pack.price_cents === null ? 'from ' : '') + formatMoney(pack.price_cents_per_credit_min),
  },
];

export const lotColumns: Column<LotView>[] = [
  { title: 'LOT', value: (lot) => lot.id },
  { title: 'PACK', value: (lot) => lot.pack },
  { title: 'CREDITS', align: 'right', value: (lot) => formatInteger(lot.credits) },
  { title: 'LEFT', align: 'right', value: (lot) => formatInteger(lot.remaining) },
  { title: 'PRICE', align: 'right', value: (lot) => formatMoney(lot.price_cents) },
  { title: 'PURCHASED (UTC)', value: (lot) => formatTime(lot.purchased_at) },
  { title: 'EXPIRES (UTC)', value: (lot) => formatTime(lot.expires_at) },
  { title: 'REFERENCE', value: (lot) => lot.reference },
  { title: 'REFUNDED', align: 'right', value: (lot) => refundOf(lot) ?? '-' },
];

const referenceOption = option(
  '--reference <text>',
  'your own reference, such as an invoice number; repeating it adds nothing (default: a new UUID)',
);

export const packsCommand: CommandSpec = {
  usage: 'packs',
  help: 'list the packs on sale',
  run: (session) => () =>
    session.get<{ packs: PackView[] }>('/packs', ({ packs }) => table(packColumns, packs)),
};

export const purchaseCommands: CommandGroup = {
  group: 'purchases',
  help: 'purchases of packs',
  commands: [
    {
      usage: 'create <account>',
      help: 'record a purchase: its credits can be spent at once, for 30 days',
      options: [
        required('--pack <pack>', 'which pack').choices(['trial', 'builder', 'scale', 'enterprise']),
        referenceOption,
        option('--credits <n>', 'credits (enterprise only)', parseInteger),
        option('--price <dollars>', 'price (enterprise only)', parseDollars),
        option(
          '--purchased-at <time>',
          'time of the purchase, such as 2026-01-31T12:00:00Z, or its day (default: now)',
        ),
      ],
      run:
        (session) =>
        (account: string, { pack, credits, price, purchasedAt, reference }: PurchaseOptions) =>
          createOnce(
            session,
            path`/accounts/${account}/purchases`,
            reference,
            { pack, credits, price_cents: price, purchased_at: purchasedAt },
            showLot,
          ),
    },
  ],
};

export const adjustmentCommands: CommandGroup = {
  group: 'adjustments',
  help: 'credits given as goodwill or taken back as a correction',
  commands: [
    {
      usage: 'create <account>',
      help: 'add credits (30 days), or take some back with a negative number',
      options: [
        required(
          '--credits <n>',
          'credits; a negative number takes them back, oldest lots first',
          parseInteger,
        ),
        required('--reason <text>', 'reason; kept in the ledger'),
        referenceOption,
      ],
      run:
        (session) =>
        (account: string, { credits, reason, reference }: AdjustmentOptions) =>
          createOnce(
            session,
            path`/accounts/${account}/adjustments`,
            reference,
            { credits, reason },
            showAdjustment,
          ),
    },
  ],
};

export const lotCommands: CommandGroup = {
  group: 'lots',
  help: 'refunds of lots that were not bought by card',
  commands: [
    {
      usage: 'refund <account> <lot>',
      help: 'take back what is left of one lot; the money is returned outside of this service',
      options: [
        required('--reason <text>', 'reason; kept in the ledger'),
        required('--reference <text>', 'your own reference of the refund; repeating it takes nothing'),
      ],
      run:
        (session) =>
        (account: string, lot: string, { reason, reference }: LotRefundOptions) =>
          createOnce(session, path`/accounts/${account}/lots/${lot}/refund`, reference, { reason }, showLot),
    },
  ],
};

export const agreementCommands: CommandGroup = {
  group: 'agreements',
  help: 'Enterprise credits, granted every month on the same day',
  commands: [
    {
      usage: 'start <account>',
      help: 'start the monthly grant of an account',
      options: [
        required('--credits <n>', 'credits per month, 10,000 or more', parseInteger),
        required('--price <dollars>', 'price per month', parseDollars),
        option(
          '--starts-at <time>',
          'time of the first grant; repeated on that day each month (default: now)',
        ),
      ],
      run:
        (session) =>
        (account: string, { credits, price, startsAt }: AgreementOptions) =>
          session.send<AgreementView>(
            'POST',
            path`/accounts/${account}/agreement`,
            { credits, price_cents: price, starts_at: startsAt },
            showAgreement,
          ),
    },
    {
      usage: 'end <account>',
      help: 'stop the monthly grant; granted credits stay',
      run: (session) => (account: string) =>
        session.send<AgreementView>('DELETE', path`/accounts/${account}/agreement`, undefined, showAgreement),
    },
  ],
};

/**
 * Sends what counts once by its reference. A generated reference is printed before the call, so that the command can be
 * repeated if its answer is lost.
 */
async function createOnce<Body>(
  session: Session,
  at: string,
  given: string | undefined,
  body: object,
  text: (body: Body) => string,
): Promise<void> {
  const reference = given ?? randomUUID();
  if (given === undefined) session.note(`Reference: ${reference} (to try again: --reference ${reference})`);
  const call = { method: 'POST', path: at, body: { ...body, reference } } as const;
  const reply = await session.client.callWithStatus<Body>(call);
  if (reply.status === 200) session.note('This reference was already used: nothing was changed.');
  session.print(reply.body, text);
}

function showLot(lot: LotView): string {
  return fields([
    ['lot', lot.id],
    ['pack', lot.pack],
    ['credits', `${formatInteger(lot.remaining)} of ${formatInteger(lot.credits)} left`],
    ['price', formatMoney(lot.price_cents)],
    ['purchased', `${formatTime(lot.purchased_at)} UTC`],
    ['expires', `${formatTime(lot.expires_at)} UTC`],
    ['reference', lot.reference],
    ['refunded', refundOf(lot) ?? 'no'],
  ]);
}

/** How many credits a refund took back, and how many were not there; `null`: it was not refunded. */
function refundOf({ refund }: LotView): string | null {
  if (!refund) return null;
  const { credits_taken_back: taken, credits_not_recovered: missing } = refund;
  return formatInteger(taken) + (missing > 0 ? ` (${formatInteger(missing)} not recovered)` : '');
}

function showAdjustment(adjustment: Adjustment): string {
  return fields([
    ['adjustment', adjustment.id],
    ['credits', (adjustment.credits > 0 ? '+' : '') + formatInteger(adjustment.credits)],
    ['reason', adjustment.reason],
    ['reference', adjustment.reference],
    ['at', `${formatTime(adjustment.at)} UTC`],
    ['balance', formatInteger(adjustment.credits_remaining)],
  ]);
}

function showAgreement(agreement: AgreementView): string {
  return fields([
    ['agreement', agreement.id],
    ['monthly', `${formatInteger(agreement.credits)} credits for ${formatMoney(agreement.price_cents)}`],
    ['started', `${formatTime(agreement.starts_at)} UTC`],
    ['next grant', formatTime(agreement.next_due_at)],
    ['ended', formatTime(agreement.ended_at)],
  ]);
}
