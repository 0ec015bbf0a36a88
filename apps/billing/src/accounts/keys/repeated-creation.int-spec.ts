import { createKey, type CreateKeyRequest } from '@app/contracts';
import { until } from '@app/testing';
import { refusal } from '../../people/people.fixture.js';
import { keyRequest, useKeys } from './keys.fixture.js';

const fixture = useKeys();
const { ledger } = fixture;
const idempotencyKey = 'the key of the caller';

/** The gateway's message for one HTTP request of a caller that retries. */
const requestOf = (accountId: string, name = 'server'): CreateKeyRequest =>
  keyRequest(accountId, name, idempotencyKey).request;

/** The time left to a request sent this long ago. */
const sentBefore = (ms: number) => () => createKey.deadlineMs - ms;

async function authenticates(...requests: CreateKeyRequest[]): Promise<boolean[]> {
  const found = await fixture.keys.authenticate(requests.map(({ key_hash }) => key_hash));
  return found.map((key) => key !== null);
}

describe('a key that is requested again with its Idempotency-Key', () => {
  it('is the same key with a new secret; the old secret stops working, and gateways are notified', async () => {
    const accountId = await ledger.factory.account();
    const [first, second] = [requestOf(accountId), requestOf(accountId)];
    expect(await fixture.keys.create(first)).toMatchObject({ created: true, key: { id: first.key_id } });
    const announced = await fixture.announced();
    expect(await fixture.keys.create(second)).toMatchObject({
      created: false,
      key: { id: first.key_id, name: 'server', prefix: second.prefix },
    });
    await until(() => announced.length > 0);
    expect(announced).toEqual([{ key_id: first.key_id, key_hash: first.key_hash }]);
    expect(await authenticates(first, second)).toEqual([false, true]);
    expect(await fixture.keys.list(accountId)).toHaveLength(1);
  });

  it('is not changed by a second delivery of the same message: it has one secret', async () => {
    const accountId = await ledger.factory.account();
    const request = requestOf(accountId);
    const first = await fixture.keys.create(request);
    expect(await fixture.keys.create(request, sentBefore(1_000))).toEqual(first);
    expect(await authenticates(request)).toEqual([true]);
  });

  it('keeps the secret of the later request when an earlier one arrives late', async () => {
    const accountId = await ledger.factory.account();
    const [left, given] = [requestOf(accountId), requestOf(accountId)];
    await fixture.keys.create(given);
    expect(await refusal(fixture.keys.create(left, sentBefore(1_000)))).toBe('conflict');
    expect(await authenticates(left, given)).toEqual([false, true]);
  });

  it('is created once when many requests come at once, and has the secret of exactly one of them', async () => {
    const accountId = await ledger.factory.account();
    const requests = Array.from({ length: 8 }, () => requestOf(accountId));
    const replies = await Promise.allSettled(requests.map((request) => fixture.keys.create(request)));
    expect(replies.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await fixture.keys.list(accountId)).toHaveLength(1);
    expect((await authenticates(...requests)).filter(Boolean)).toHaveLength(1);
  });

  it('keeps its secret once a call was charged with it', async () => {
    const accountId = await ledger.factory.account();
    const [first, second] = [requestOf(accountId), requestOf(accountId)];
    await fixture.keys.create(first);
    await ledger.replicas[0].charge({
      charge_id: second.key_id,
      account_id: accountId,
      key_id: first.key_id,
      request_id: 'request',
      operation: 'search',
      credits: 0,
    });
    await expect(fixture.keys.create(second)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(`${first.key_id}.*has been used`) as string,
    });
    expect(await authenticates(first, second)).toEqual([true, false]);
  });

  it('stays deleted', async () => {
    const accountId = await ledger.factory.account();
    const [first, second] = [requestOf(accountId), requestOf(accountId)];
    await fixture.keys.create(first);
    await fixture.keys.remove({ account_id: accountId, key_id: first.key_id });
    for (const request of [first, second]) {
      await expect(fixture.keys.create(request)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('deleted') as string,
      });
    }
    expect(await fixture.keys.list(accountId)).toEqual([]);
  });

  it('is refused with another name, and is another key in another account', async () => {
    const [accountId, other] = [await ledger.factory.account(), await ledger.factory.account()];
    await fixture.keys.create(requestOf(accountId));
    expect(await refusal(fixture.keys.create(requestOf(accountId, 'laptop')))).toBe('conflict');
    expect(await fixture.keys.create(requestOf(other, 'laptop'))).toMatchObject({ created: true });
  });

  it('can be requested again when it was refused because the account had five keys', async () => {
    const accountId = await ledger.factory.account();
    const others = Array.from({ length: 5 }, () => keyRequest(accountId, 'other').request);
    for (const request of others) await fixture.keys.create(request);
    expect(await refusal(fixture.keys.create(requestOf(accountId)))).toBe('conflict');
    await fixture.keys.remove({ account_id: accountId, key_id: others[0]?.key_id ?? '' });
    expect(await fixture.keys.create(requestOf(accountId))).toMatchObject({ created: true });
  });

  it('is not created after the caller has given up', async () => {
    const accountId = await ledger.factory.account();
    const late = fixture.keys.create(requestOf(accountId), () => 0);
    expect(await refusal(late)).toBe('deadline_exceeded');
    expect(await fixture.keys.list(accountId)).toEqual([]);
  });
});
