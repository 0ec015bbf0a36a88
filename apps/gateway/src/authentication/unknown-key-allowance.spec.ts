import fc from 'fast-check';
import { UnknownKeyAllowance } from './unknown-key-allowance.js';

describe('UnknownKeyAllowance', () => {
  let now: number;
  let allowance: UnknownKeyAllowance;

  beforeEach(() => {
    now = 0;
    allowance = new UnknownKeyAllowance(() => now);
  });

  function useUp(address: string): void {
    for (let sent = 0; sent < 20; sent++) allowance.count(address);
  }

  it('allows 20, and one more each second', () => {
    for (let sent = 0; sent < 20; sent++) {
      expect(allowance.isUsedUp('10.0.0.1')).toBe(false);
      allowance.count('10.0.0.1');
    }
    expect(allowance.isUsedUp('10.0.0.1')).toBe(true);
    now = 999;
    expect(allowance.isUsedUp('10.0.0.1')).toBe(true);
    now = 1_000;
    expect(allowance.isUsedUp('10.0.0.1')).toBe(false);
  });

  it('never allows more than 20 and the seconds that have passed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 200 }), (pauses) => {
        now = 0;
        allowance = new UnknownKeyAllowance(() => now);
        let allowed = 0;
        for (const pause of pauses) {
          now += pause;
          if (!allowance.isUsedUp('a')) allowed += 1;
          allowance.count('a');
          expect(allowed).toBeLessThanOrEqual(20 + now / 1_000);
        }
      }),
    );
  });

  it('counts every address by itself', () => {
    useUp('10.0.0.1');
    expect(allowance.isUsedUp('10.0.0.2')).toBe(false);
    expect(allowance.isUsedUp('::ffff:10.0.0.1')).toBe(false);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:db8:0:0:9::', true],
    ['2001:db8::1', '2001:db8:1::1', false],
    ['::1', '::2', true],
  ])('counts addresses of one IPv6 network as one: %s and %s', (one, other, isSame) => {
    useUp(one);
    expect(allowance.isUsedUp(other)).toBe(isSame);
  });

  it('remembers 10,000 addresses at most', () => {
    useUp('first');
    for (let index = 0; index < 10_000; index++) allowance.count(String(index));
    expect(allowance.isUsedUp('first')).toBe(false);
  });
});
