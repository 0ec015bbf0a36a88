import { authenticateKey, getUsage, listCalls } from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { gate } from '#testing';
import { PublicApiFixture, goodKey } from '../fixtures/public-api.fixture.js';

const api = PublicApiFixture.forSuite({ REQUEST_DEADLINE_MS: '10000' });

it('reports of others are answered while one account has more in progress than it may', async () => {
  const [busyKey, otherKey] = [generateApiKey(), generateApiKey()];
  const [busy, other] = [hashApiKey(busyKey), hashApiKey(otherKey)];
  api.services.on(authenticateKey, ({ key_hash }) => ({
    key: [busy, other].includes(key_hash) ? { ...goodKey, key_id: key_hash, account_id: key_hash } : null,
  }));
  api.services.on(listCalls, () => ({ items: [], next_cursor: null }));
  const finish = gate();
  // A message that is sent again is the same report.
  const inProgress = new Set<string>();
  let most = 0;
  api.services.on(getUsage, async ({ account_id, from, to }) => {
    if (account_id === busy) {
      most = Math.max(most, inProgress.add(from).size);
      await finish.opened;
      inProgress.delete(from);
    }
    return { from, to, usage: [] };
  });
  const get = async (key: string, path: string): Promise<number> => {
    const response = await api.get(path, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    return response.status;
  };
  // Recently good keys wait by their accounts; others would wait together, by their network.
  for (const key of [busyKey, otherKey]) expect(await get(key, '/calls')).toBe(200);
  const days = Array.from({ length: 50 }, (_, day) => new Date(Date.UTC(2026, 0, day + 1)).toISOString());
  const answers = days.map((day) => get(busyKey, `/usage?from=${day.slice(0, 10)}&to=2026-03-15`));
  for (let call = 0; call < 10; call += 1) {
    expect([await get(otherKey, '/usage'), await get(otherKey, '/calls')]).toEqual([200, 200]);
  }
  expect(most).toBe(3);
  finish.open();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200, 503]));
});
