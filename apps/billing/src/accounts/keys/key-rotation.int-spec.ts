import { randomUUID } from 'node:crypto';
import { type RotateKeyRequest } from '#contracts';
import { displayPrefix, generateApiKey, hashApiKey } from '#platform';
import { until } from '#testing';
import { hourMs } from '../../durations.js';
import { keyRequest, makeKey, useKeys } from './keys.fixture.js';

const fixture = useKeys();
const { ledger } = fixture;

const start = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number): Date => new Date(start.getTime() + ms);

/** An account with credits and one key, at the start. */
async function customer() {
  await ledger.factory.setClock(start);
  const account_id = await ledger.factory.account();
  await ledger.factory.lot({ accountId: account_id, credits: 100 });
  const { id, key } = await makeKey(fixture.keys, account_id, 'server');
  return { path: { account_id, key_id: id }, first: key };
}

type Path = Awaited<ReturnType<typeof customer>>['path'];

/** Rotates a key as the gateway does; returns the new secret. */
async function rotate(path: Path, overlap_hours: number, idempotency_key: string = randomUUID()) {
  const secret = generateApiKey();
  const request: RotateKeyRequest = {
    ...path,
    overlap_hours,
    rotation_id: randomUUID(),
    idempotency_key,
    key_hash: hashApiKey(secret),
    prefix: displayPrefix(secret),
  };
  return { secret, request, key: await fixture.keys.rotate(request) };
}

/** Whether each secret is known to gateways, and what a charge with it gets from each replica. */
const usable = (path: Path, secrets: readonly string[]) =>
  Promise.all(
    secrets.map(async (secret) => {
      const key_hash = hashApiKey(secret);
      const known = await fixture.keys.authenticate(key_hash);
      const request = { ...path, key_hash, request_id: 'r', operation: 'profile', credits: 1 } as const;
      const replies = await Promise.all(
        ledger.replicas.map((replica) => replica.charge({ ...request, charge_id: randomUUID() })),
      );
      const outcomes = new Set([known !== null, ...replies.map(({ outcome }) => outcome === 'charged')]);
      return outcomes.size === 1 ? outcomes.has(true) : outcomes;
    }),
  );

describe('a rotated key', () => {
  it('has two secrets until the end of the overlap, and then one', async () => {
    const { path, first } = await customer();
    const { request, secret, key } = await rotate(path, 24);
    // A message that is delivered twice changes nothing.
    expect(await fixture.keys.rotate(request)).toEqual(key);
    expect(key).toMatchObject({
      id: path.key_id,
      name: 'server',
      prefix: displayPrefix(secret),
      previous_prefix: displayPrefix(first),
      previous_valid_until: later(24 * hourMs).toISOString(),
    });
    await fixture.keys.update({ ...path, active: false });
    expect(await usable(path, [first, secret])).toEqual([false, false]);
    await fixture.keys.update({ ...path, active: true });
    expect(await usable(path, [first, secret])).toEqual([true, true]);
    await ledger.factory.setClock(later(24 * hourMs - 1));
    expect(await fixture.keys.authenticate(hashApiKey(first))).toMatchObject({ valid_for_ms: 1 });
    expect(await usable(path, [first, secret])).toEqual([true, true]);
    await ledger.factory.setClock(later(24 * hourMs));
    expect(await usable(path, [first, secret])).toEqual([false, true]);
    expect(await fixture.keys.show(path)).not.toHaveProperty('previous_prefix');
  });

  it('rotated again within the overlap loses the oldest secret at once', async () => {
    const { path, first } = await customer();
    const announced = await fixture.announced();
    const { secret: second } = await rotate(path, 24);
    const { secret: third } = await rotate(path, 1);
    expect(await usable(path, [first, second, third])).toEqual([false, true, true]);
    await until(() => announced.length === 3);
    expect(new Set(announced.map(({ key_hash }) => key_hash))).toEqual(
      new Set([first, second].map(hashApiKey)),
    );
  });
});

describe('an Idempotency-Key of a rotation', () => {
  it('gives a new secret in place of one whose reply was lost, and leaves the old one as it is', async () => {
    const { path, first } = await customer();
    const lost = await rotate(path, 24, 'rotation 1');
    await ledger.factory.setClock(later(6_000));
    const { secret, key } = await rotate(path, 24, 'rotation 1');
    expect(key.previous_valid_until).toBe(later(24 * hourMs).toISOString());
    expect(await usable(path, [first, lost.secret, secret])).toEqual([true, false, true]);
    const again = await rotate(path, 24, 'rotation 1');
    expect(await usable(path, [first, secret, again.secret])).toEqual([true, false, true]);
  });

  it('is a conflict with another overlap, after another rotation, and for a request sent before the reply', async () => {
    const { path } = await customer();
    const conflict = { code: 'conflict' };
    await rotate(path, 24, 'rotation 1');
    await expect(rotate(path, 1, 'rotation 1')).rejects.toMatchObject(conflict);
    await ledger.factory.setClock(later(1));
    const early = { ...(await rotate(path, 24, 'rotation 2')).request, key_hash: '0'.repeat(64) };
    const sentEarlier = fixture.keys.rotate(
      { ...early, rotation_id: randomUUID() },
      { remainingMs: () => 4_000 },
    );
    await expect(sentEarlier).rejects.toMatchObject(conflict);
    await ledger.factory.setClock(later(6_000));
    await expect(rotate(path, 24, 'rotation 1')).rejects.toMatchObject(conflict);
  });
});

it('a key is rotated at most 100 times in a day', async () => {
  const { path } = await customer();
  await ledger.query(
    `INSERT INTO idempotency_keys (scope, key_hash, fingerprint, made_id, answered_at)
     SELECT $1, md5(n::text) || md5(n::text), md5('') || md5(''), gen_random_uuid(), ledger_now() FROM generate_series(1, 99) AS n`,
    [`rotations of ${path.key_id}`],
  );
  await rotate(path, 0);
  await expect(rotate(path, 0)).rejects.toMatchObject({ code: 'rate_limited' });
});

it('a key that was created under an Idempotency-Key and rotated gets no other secret by it', async () => {
  const { path } = await customer();
  const first = keyRequest(path.account_id, 'tool', 'order 1').request;
  await fixture.keys.create(first);
  await rotate({ ...path, key_id: first.key_id }, 0);
  await ledger.factory.setClock(later(6_000));
  const again = fixture.keys.create(keyRequest(path.account_id, 'tool', 'order 1').request);
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
});
