import { creditsWarning } from './credits-warning.js';

it('warns at 5 credits or fewer, and not above', () => {
  expect([0, 1, 5, 6, 100].map(creditsWarning)).toEqual([
    'Low balance: 0 credits are left.',
    'Low balance: 1 credit is left.',
    'Low balance: 5 credits are left.',
    undefined,
    undefined,
  ]);
});
