import { callStripe, ProviderFailure } from './stripe-client.js';
import { RequestBudget } from './request-budget.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('the time that a piece of work has for Stripe', () => {
  it('ends a request that goes on and on', async () => {
    const asked = callStripe('get_session', never, new RequestBudget(20, 0));
    await expect(asked).rejects.toMatchObject({ code: 'unavailable', failure: 'no_result' });
  });

  it('is that of all its requests together', async () => {
    const budget = new RequestBudget(20, 0);
    await expect(callStripe('get_session', never, budget)).rejects.toBeInstanceOf(ProviderFailure);
    const request = jest.fn(() => Promise.resolve());
    await expect(callStripe('list_refunds', request, budget)).rejects.toBeInstanceOf(ProviderFailure);
    expect(request).not.toHaveBeenCalled();
  });

  it('bounds each request, which gets the rest of it at most', async () => {
    const limits = (budget: RequestBudget) =>
      callStripe('get_session', (given) => Promise.resolve(given), budget);
    expect(await limits(new RequestBudget(60_000, 1))).toEqual({ timeout: 5_000, maxNetworkRetries: 1 });
    const { timeout, maxNetworkRetries } = await limits(new RequestBudget(3_000, 0));
    expect(timeout).toBeGreaterThan(2_000);
    expect(timeout).toBeLessThanOrEqual(3_000);
    expect(maxNetworkRetries).toBe(0);
  });
});
