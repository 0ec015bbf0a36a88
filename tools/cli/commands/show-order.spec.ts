import { refundedOrder } from './orders.fixture.js';
import { orderTable, showOrder } from './show-order.js';

const command = 'npm run cli --';
const at = '2026-01-31T12:00:00.000Z';

it('an order is shown with its payment and the options of the operator', () => {
  const text = showOrder(refundedOrder, command);
  expect(text).toMatch(/^account +0198c0de-0000-7000-8000-000000000001 \(Acme, ops@acme\.example\)$/m);
  expect(text).toMatch(/^ordered +2026-01-31 12:00 UTC by ada@acme\.example$/m);
  expect(text).toMatch(/^paid +\$177\.31 \(\$149\.00, discount \$0\.00, tax \$28\.31\)$/m);
  expect(text).toMatch(/^attention +credits not recovered$/m);
  expect(text).toMatch(/^not recovered +20$/m);
  expect(text.split('Options:\n')[1]?.split('\n')).toEqual([
    expect.stringMatching(/^npm run cli -- orders accept 0198c0de-0000-7000-8000-000000000009 +writes off/),
  ]);
});

it('a problem is shown with the ways to end it', () => {
  const text = showOrder(
    {
      ...refundedOrder,
      state: 'in_review',
      problem: '20000 cents were paid, not 14900',
      problem_at: at,
      concerns: ['problem'],
      actions: ['grant', 'mark_refunded', 'refund'],
      person: { ...refundedOrder.person, email: null },
      paid: null,
      credits_left: null,
    },
    command,
  );
  expect(text).toMatch(/^problem +20000 cents were paid, not 14900 \(2026-01-31 12:00 UTC\)$/m);
  expect(text).toMatch(/^ordered .* by a deleted person \(0198c0de-0000-7000-8000-000000000004\)$/m);
  expect(text).toContain('orders resolve 0198c0de-0000-7000-8000-000000000009 --grant');
  expect(text).toContain('orders resolve 0198c0de-0000-7000-8000-000000000009 --refunded');
});

it('no options are shown if there are none', () => {
  expect(showOrder({ ...refundedOrder, concerns: [], actions: [] }, command)).not.toContain('Options');
});

it('a list of orders names what needs attention', () => {
  expect(orderTable([refundedOrder])).toMatch(
    /builder +\$149\.00 +\$177\.31 +granted +credits not recovered$/,
  );
  expect(orderTable([])).toBe('(none)');
});
