import { type Body, BodyBudget } from './body-budget.js';

const mebibyte = 1_048_576;
const ofNetworkMax = 8 * mebibyte;
const inAllMax = 32 * mebibyte;

let budget: BodyBudget;
let ended: string[];
beforeEach(() => {
  budget = new BodyBudget();
  ended = [];
});

function begin(name: string, ...networks: string[]): Body {
  return budget.begin(networks.length > 0 ? networks : [name], () => ended.push(name));
}

it('the budget counts a body until it is released', () => {
  const body = begin('a');
  for (let piece = 0; piece < 1_000; piece += 1) expect(body.add(1)).toBe(true);
  body.complete();
  expect(budget.bytes).toBe(1_000);
  body.release();
  body.release();
  expect(budget.bytes).toBe(0);
});

it('the budget ends the oldest unfinished bodies of a network that has a quarter of it', () => {
  for (let count = 0; count < 9; count += 1) begin(`old ${count}`, 'attacker').add(mebibyte);
  expect(ended).toEqual(['old 0']);
  expect(budget.bytes).toBeLessThanOrEqual(ofNetworkMax);
  const quick = begin('quick', 'attacker');
  expect(quick.add(2_000)).toBe(true);
  expect(ended).not.toContain('quick');
});

it('the budget ends no body that has arrived: then there is no room for another', () => {
  const whole = begin('whole', 'network');
  whole.add(ofNetworkMax - 10_000);
  whole.complete();
  expect(begin('more', 'network').add(20_000)).toBe(false);
  expect(ended).not.toContain('whole');
  whole.release();
  expect(begin('later', 'network').add(20_000)).toBe(true);
});

it('the budget lets many networks of one site have half of it, and a customer beside them what it needs', () => {
  const customer = begin('customer');
  customer.add(60_000);
  for (let count = 0; count < 2_000; count += 1) {
    begin(`${count}`, `site:${count}`, `site:${count >> 8}/56`, 'site/48').add(65_535);
  }
  expect(budget.bytes).toBeLessThanOrEqual(inAllMax / 2 + 70_000);
  expect(ended).not.toContain('customer');
});
