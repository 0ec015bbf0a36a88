import { closestValue } from './closest-values.js';

const values = [
  'united kingdom',
  'united states',
  'germany',
  'france',
  'peru',
  'iran',
  'iraq',
  'mali',
  'food-drink',
].map((key) => ({ key, name: key.toUpperCase() }));

it.each([
  ['untied kingdom', 'UNITED KINGDOM'],
  ['unitedkingdom', 'UNITED KINGDOM'],
  ['unted stats', 'UNITED STATES'],
  ['germny', 'GERMANY'],
  ['grmany', 'GERMANY'],
  ['pera', 'PERU'],
  // As near to the one as to the other: the first.
  ['iraa', 'IRAN'],
  ['fooddrink', 'FOOD-DRINK'],
  ['frankreich', null],
  ['xyz', null],
  ['mal', null],
  ['', null],
  ['x'.repeat(100), null],
])('the closest value to %j is %j', (misspelled, closest) => {
  expect(closestValue(misspelled, values)).toBe(closest);
});
