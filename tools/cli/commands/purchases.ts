import { Option, type Command } from 'commander';
import { type LotView, type PackView } from '@app/contracts';
import { path } from '../admin-client.js';
import { parseDollars, parseInteger } from '../arguments.js';
import { formatInteger, formatMoney } from '../output/format.js';
import { table, type Column } from '../output/table.js';
import { type Session } from '../session.js';
import { showLot } from './lots.js';
import { referenceFor, referenceHelp } from './reference.js';

interface PurchaseOptions {
  readonly pack: string;
  readonly reference?: string;
  readonly credits?: number;
  readonly price?: number;
  readonly purchasedAt?: string;
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

/** `packs` and `purchases create`. */
export function addPurchases(program: Command, session: Session): void {
  program
    .command('packs')
    .description('list the packs on sale')
    .action(async () => {
      const list = await session.client.call<{ packs: PackView[] }>({ method: 'GET', path: path('packs') });
      session.print(list, ({ packs }) => table(packColumns, packs));
    });

  program
    .command('purchases')
    .description('purchases of packs')
    .command('create')
    .description('record a purchase: its credits can be spent at once, for 30 days')
    .argument('<account>', 'account id')
    .addOption(
      new Option('--pack <pack>', 'which pack')
        .choices(['trial', 'builder', 'scale', 'enterprise'])
        .makeOptionMandatory(),
    )
    .option('--reference <text>', referenceHelp)
    .option('--credits <n>', 'credits (enterprise only)', parseInteger)
    .option('--price <dollars>', 'price (enterprise only)', parseDollars)
    .option('--purchased-at <time>', 'time of the purchase, for example 2026-01-31T12:00:00Z (default: now)')
    .action((account: string, options: PurchaseOptions) => purchase(session, account, options));
}

async function purchase(session: Session, account: string, options: PurchaseOptions): Promise<void> {
  const body = {
    pack: options.pack,
    reference: referenceFor(session, options.reference),
    credits: options.credits,
    price_cents: options.price,
    purchased_at: options.purchasedAt,
  };
  const call = { method: 'POST', path: path('accounts', account, 'purchases'), body } as const;
  const { status, body: lot } = await session.client.callWithStatus<LotView>(call);
  if (status === 200) session.note('This reference was already used: nothing was added.');
  session.print(lot, showLot);
}
