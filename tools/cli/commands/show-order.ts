import { type OrderAction, type OrderConcern, type OrderReview } from '#contracts';
import { formatInteger, formatMoney, formatTime } from '../output/format.js';
import { type Column, fields, table } from '../output/table.js';

const concernWords: Record<OrderConcern, string> = {
  problem: 'problem',
  not_recovered: 'credits not recovered',
};

const actionWords: Record<OrderAction, readonly [options: string, effect: string]> = {
  grant: ['resolve ORDER --grant', 'grants its credits although the payment differs'],
  mark_refunded: ['resolve ORDER --refunded', 'ends the problem: the money was returned'],
  refund: ['refund ORDER', 'refunds the rest of the payment and takes the credits back'],
  accept: ['accept ORDER', 'writes off credits that were not recovered, until more are missing'],
};

const columns: Column<OrderReview>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'ORDERED (UTC)', value: ({ ordered_at }) => formatTime(ordered_at) },
  { title: 'ACCOUNT', value: ({ account }) => account.name },
  { title: 'PACK', value: ({ pack }) => pack },
  { title: 'PRICE', align: 'right', value: ({ price_cents }) => formatMoney(price_cents) },
  { title: 'RETURNED', align: 'right', value: ({ returned_cents }) => formatMoney(returned_cents) },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'ATTENTION', value: ({ concerns }) => wordsOf(concerns) },
];

export function orderTable(orders: readonly OrderReview[]): string {
  return table(columns, orders);
}

/** Everything about an order, and the operator's options as lines that begin with `command`. */
export function showOrder(order: OrderReview, command: string): string {
  return [factsOf(order), ...commandsFor(order, command)].join('\n\n');
}

function factsOf(order: OrderReview): string {
  const { account, paid, person } = order;
  return fields([
    ['order', order.id],
    ['account', `${account.id} (${account.name}, ${account.email})`],
    ['ordered', `${time(order.ordered_at)} by ${person.email ?? `a deleted person (${person.id})`}`],
    ['pack', `${order.pack}: ${formatInteger(order.credits)} credits for ${formatMoney(order.price_cents)}`],
    ['state', order.state],
    ['attention', wordsOf(order.concerns)],
    ['problem', order.problem === null ? '-' : `${order.problem} (${time(order.problem_at)})`],
    ['resolution', order.resolution === null ? '-' : `${order.resolution} (${time(order.resolved_at)})`],
    ['accepted', time(order.accepted_at)],
    ['paid', paid ? paidWords(paid) : '-'],
    ['returned', formatMoney(order.returned_cents) + (order.is_dispute_lost ? ', a dispute was lost' : '')],
    ['returns', order.returns_pending ? 'could not be read from Stripe yet' : 'read'],
    ['granted', time(order.granted_at)],
    ['credits left', order.credits_left === null ? '-' : formatInteger(order.credits_left)],
    ['taken back', formatInteger(order.credits_taken_back)],
    ['not recovered', formatInteger(order.credits_not_recovered)],
    ['session', order.checkout_session_id ?? '-'],
    ['payment', order.payment_intent_id ?? '-'],
    ['receipt', order.receipt_url ?? '-'],
    ['invoice', order.invoice ? (order.invoice.number ?? 'not made by Stripe yet') : '-'],
    ['checked', time(order.answered_at)],
  ]);
}

function paidWords({
  subtotal_cents,
  discount_cents,
  tax_cents,
  total_cents,
}: NonNullable<OrderReview['paid']>): string {
  const [discount, tax] = [formatMoney(discount_cents), formatMoney(tax_cents)];
  return `${formatMoney(total_cents)} (${formatMoney(subtotal_cents)}, discount ${discount}, tax ${tax})`;
}

/** The operator's options, each as a command to copy. */
function commandsFor({ id, actions }: OrderReview, command: string): string[] {
  const commands = actions.map((action) => {
    const [options, effect] = actionWords[action];
    return [`${command} orders ${options.replace('ORDER', id)}`, effect] as const;
  });
  return commands.length === 0
    ? []
    : [
        `Options:
${fields(commands)}`,
      ];
}

function wordsOf(concerns: readonly OrderConcern[]): string {
  return concerns.length === 0 ? '-' : concerns.map((concern) => concernWords[concern]).join(', ');
}

function time(iso: string | null): string {
  return iso === null ? '-' : `${formatTime(iso)} UTC`;
}
