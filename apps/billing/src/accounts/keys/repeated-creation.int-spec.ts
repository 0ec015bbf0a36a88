import { createKey, type CreateKeyRequest, type KeyChanged, keyChanged } from '@app/contracts';
import { connectRedis, createRedis } from '@app/transport';
import { useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { type ApiKeysService } from './api-keys.service.js';
import { apiKeysOf, keyRequest, logger, useAnnouncements } from './key-requests.fixture.js';

const ledger = useAuditedLedger();
const announcements = useAnnouncements();
const idempotencyKey = 'the key of the caller';
const conflict = { code: 'conflict' };

const keys = (): ApiKeysService => apiKeysOf(ledger, announcements.client);

/** The gateway's message for one HTTP request of a caller that retries. */
const requestOf = (accountId: string, name = 'server'): CreateKeyRequest =>
  keyRequest(accountId, name, idempotencyKey).request;

/** The time left to a request sent this long ago. */
const sentBefore = (ms: number) => () => createKey.deadlineMs - ms;

async function authenticates(...requests: CreateKeyRequest[]): Promise<boolean[]> {
  const found = await keys().authenticate(requests.map(({ key_hash }) => key_hash));
  return found.map((key) => key !== null);
}

describe('a key that is requested again with its Idempotency-Key', () => {
  it('is the same key with a new secret; the old secret stops working, and gateways are notified', async () => {
    const accountId = await ledger.factory.account();
    const [first, second] = [requestOf(accountId), requestOf(accountId)];
    expect(await keys().create(first)).toMatchObject({ created: true, key: { id: first.key_id } });
    const listener = createRedis(announcements.redisUrl, logger);
    await connectRedis(listener, logger);
    const heard = new Promise<KeyChanged>((resolve) =>
      listener.on('smessage', (_channel, text: string) => resolve(JSON.parse(text) as KeyChanged)),
    );
    await listener.ssubscribe(`rpc:broadcast:${keyChanged.event}`);
    expect(await keys().create(second)).toMatchObject({
      created: false,
      key: { id: first.key_id, name: 'server', prefix: second.prefix },
    });
    expect(await heard).toEqual({ key_id: first.key_id, key_hash: first.key_hash });
    listener.disconnect();
    expect(await authenticates(first, second)).toEqual([false, true]);
    expect(await keys().list(accountId)).toHaveLength(1);
  });

  it('is not changed by a second delivery of the same message: it has one secret', async () => {
    const accountId = await ledger.factory.account();
    const request = requestOf(accountId);
    const first = await keys().create(request);
    expect(await keys().create(request, sentBefore(1_000))).toEqual(first);
    expect(await authenticates(request)).toEqual([true]);
  });

  it('keeps the secret of the later request when an earlier one arrives late', async () => {
    const accountId = await ledger.factory.account();
    const [left, given] = [requestOf(accountId), requestOf(accountId)];
    await keys().create(given);
    await expect(keys().create(left, sentBefore(1_000))).rejects.toMatchObject(conflict);
    expect(await authenticates(left, given)).toEqual([false, true]);
  });

  it('is created once when many requests come at once, and has the secret of exactly one of them', async () => {
    const accountId = await ledger.factory.account();
    const requests = Array.from({ length: 8 }, () => requestOf(accountId));
    const replies = await Promise.allSettled(requests.map((request) => keys().create(request)));
    expect(replies.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await keys().list(accountId)).toHaveLength(1);
    expect((await authenticates(...requests)).filter(Boolean)).toHaveLength(1);
  });

  it('keeps its secret once a call was charged with it', async () => {
    const accountId = await ledger.factory.account();
    const [first, second] = [requestOf(accountId), requestOf(accountId)];
    await keys().create(first);
    await ledger.replicas[0].charge({
      charge_id: second.key_id,
      account_id: accountId,
      key_id: first.key_id,
      request_id: 'request',
      operation: 'search',
      credits: 0,
    });
    await expect(keys().create(second)).rejects.toMatchObject({
      ...conflict,
      message: expect.stringMatching(`${first.key_id}.*has been used`) as string,
    });
    expect(await authenticates(first, second)).toEqual([true, false]);
  });

  it('stays deleted', async () => {
    const accountId = await ledger.factory.account();
    const [first, second] = [requestOf(accountId), requestOf(accountId)];
    await keys().create(first);
    await keys().remove({ account_id: accountId, key_id: first.key_id });
    for (const request of [first, second]) {
      await expect(keys().create(request)).rejects.toMatchObject({
        ...conflict,
        message: expect.stringContaining('deleted') as string,
      });
    }
    expect(await keys().list(accountId)).toEqual([]);
  });

  it('is refused with another name, and is another key in another account', async () => {
    const [accountId, other] = [await ledger.factory.account(), await ledger.factory.account()];
    await keys().create(requestOf(accountId));
    await expect(keys().create(requestOf(accountId, 'laptop'))).rejects.toMatchObject(conflict);
    expect(await keys().create(requestOf(other, 'laptop'))).toMatchObject({ created: true });
  });

  it('can be requested again when it was refused because the account had five keys', async () => {
    const accountId = await ledger.factory.account();
    const others = Array.from({ length: 5 }, () => keyRequest(accountId, 'other').request);
    for (const request of others) await keys().create(request);
    await expect(keys().create(requestOf(accountId))).rejects.toMatchObject(conflict);
    await keys().remove({ account_id: accountId, key_id: others[0]?.key_id ?? '' });
    expect(await keys().create(requestOf(accountId))).toMatchObject({ created: true });
  });

  it('is not created after the caller has given up', async () => {
    const accountId = await ledger.factory.account();
    const late = keys().create(requestOf(accountId), () => 0);
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(await keys().list(accountId)).toEqual([]);
  });
});
