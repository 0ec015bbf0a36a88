import { creditsWarning } from './counted.js';

it.each([
  [6, undefined],
  [5, 'Low balance: 5 credits are left.'],
  [1, 'Low balance: 1 credit is left.'],
  [0, 'Low balance: 0 credits are left.'],
])('with %i credits the warning is %s', (credits, warning) => {
  expect(creditsWarning(credits)).toBe(warning);
});
