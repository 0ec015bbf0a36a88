import { type LotView } from '@app/contracts';
import { formatInteger, formatMoney, formatTime } from '../output/format.js';
import { fields, type Column } from '../output/table.js';

export const lotColumns: Column<LotView>[] = [
  { title: 'LOT', value: (lot) => lot.id },
  { title: 'PACK', value: (lot) => lot.pack },
  { title: 'CREDITS', align: 'right', value: (lot) => formatInteger(lot.credits) },
  { title: 'LEFT', align: 'right', value: (lot) => formatInteger(lot.remaining) },
  { title: 'PRICE', align: 'right', value: (lot) => formatMoney(lot.price_cents) },
  { title: 'PURCHASED (UTC)', value: (lot) => formatTime(lot.purchased_at) },
  { title: 'EXPIRES (UTC)', value: (lot) => formatTime(lot.expires_at) },
  { title: 'REFERENCE', value: (lot) => lot.reference },
];

/** One lot, one field per line. */
export function showLot(lot: LotView): string {
  return fields([
    ['lot', lot.id],
    ['pack', lot.pack],
    ['credits', `${formatInteger(lot.remaining)} of ${formatInteger(lot.credits)} left`],
    ['price', formatMoney(lot.price_cents)],
    ['purchased', `${formatTime(lot.purchased_at)} UTC`],
    ['expires', `${formatTime(lot.expires_at)} UTC`],
    ['reference', lot.reference],
  ]);
}
