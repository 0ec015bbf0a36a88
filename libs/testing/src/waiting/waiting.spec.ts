import { eventually } from './eventually.js';
import { until } from './until.js';

describe('eventually', () => {
  it('returns the result of the first attempt that succeeds', async () => {
    let attempts = 0;
    const third = (): number => {
      attempts += 1;
      if (attempts < 3) throw new Error('not yet');
      return attempts;
    };
    expect(await eventually(third)).toBe(3);
  });

  it('fails with the last reason when its time is over', async () => {
    await expect(eventually(() => Promise.reject(new Error('still not')), 0)).rejects.toThrow('still not');
  });
});

describe('until', () => {
  it('resolves once the check holds', async () => {
    let looks = 0;
    await until(() => (looks += 1) === 3);
    expect(looks).toBe(3);
  });

  it('says which condition was not met', async () => {
    await expect(until(() => false, 0)).rejects.toThrow('not true within 0 ms: ');
  });
});
