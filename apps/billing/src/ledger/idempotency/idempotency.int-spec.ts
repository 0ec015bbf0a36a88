import { type CreateAccountRequest, createKey, type CreateKeyRequest } from '#contracts';
import { until } from '#testing';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AccountsService } from '../../accounts/accounts.service.js';
import { keyRequest, useKeys } from '../../accounts/keys/keys.fixture.js';
import { refusal } from '../../people/people.fixture.js';
import { times } from '../ledger.fixture.js';

const fixture = useKeys();
const { ledger } = fixture;

describe('an account that is requested again with its Idempotency-Key', () => {
  /** The gateway's message for one HTTP request of a caller that retries: each has another id. */
  const requestOf = (changes: Partial<CreateAccountRequest> = {}): CreateAccountRequest => ({
    account_id: randomUUID(),
    name: 'One',
    email: 'a@example.com',
    idempotency_key: 'the key of the caller',
    ...changes,
  });
  const accounts = (): AccountsService => ledger.get(AccountsService);
  const listed = async () => (await accounts().list({ limit: 10 })).items;

  it('is created once, whichever replica gets the requests and however many come at once', async () => {
    const dataSource = await new DataSource(ledger.dataSource.options).initialize();
    try {
      const replicas = [accounts(), (await ledger.anotherReplica({ dataSource })).get(AccountsService)];
      const replies = await Promise.all(
        replicas.flatMap((replica) => times(4, () => replica.create(requestOf()))),
      );
      expect(new Set(replies.map(({ account }) => account.id)).size).toBe(1);
      expect(replies.filter(({ created }) => created)).toHaveLength(1);
      expect(await listed()).toHaveLength(1);
    } finally {
      await dataSource.destroy();
    }
  });

  it('is returned with its current balance, and as it was to the same message; with another address it is refused', async () => {
    const request = requestOf();
    const first = await accounts().create(request);
    expect(await accounts().create(request)).toEqual(first);
    await ledger.factory.lot({ accountId: request.account_id, credits: 7 });
    const account = { ...first.account, credits_remaining: 7 };
    expect(await accounts().create(requestOf())).toEqual({ created: false, account });
    expect(await refusal(accounts().create(requestOf({ email: 'b@example.com' })))).toBe('conflict');
  });
});

describe('an API key that is requested again with its Idempotency-Key', () => {
  let accountId: string;
  let first: CreateKeyRequest;
  let second: CreateKeyRequest;

  beforeEach(async () => {
    accountId = await ledger.factory.account();
    [first, second] = [requestOf(), requestOf()];
  });

  /** The gateway's message for one HTTP request of a caller that retries: each has another id and secret. */
  const requestOf = (name = 'server', account = accountId): CreateKeyRequest =>
    keyRequest(account, name, 'the key of the caller').request;

  const create = (request: CreateKeyRequest) => fixture.keys.create(request);
  /** Delivers the message again, a second later. */
  const createLate = (request: CreateKeyRequest) =>
    fixture.keys.create(request, { remainingMs: () => createKey.deadlineMs - 1_000 });

  async function authenticates(...requests: CreateKeyRequest[]): Promise<boolean[]> {
    const found = await Promise.all(requests.map(({ key_hash }) => fixture.keys.authenticate(key_hash)));
    return found.map((key) => key !== null);
  }

  it('is the same key with a new secret; the old secret stops working, and gateways are notified', async () => {
    expect(await create(first)).toMatchObject({ created: true, key: { id: first.key_id } });
    const announced = await fixture.announced();
    const key = { id: first.key_id, name: 'server', prefix: second.prefix };
    expect(await create(second)).toMatchObject({ created: false, key });
    await until(() => announced.length > 0);
    expect(announced).toEqual([{ key_id: first.key_id, key_hash: first.key_hash }]);
    expect(await authenticates(first, second)).toEqual([false, true]);
    expect(await fixture.keys.list(accountId)).toHaveLength(1);
  });

  it('is not changed by a second delivery of the same message: it has one secret', async () => {
    const reply = await create(first);
    expect(await createLate(first)).toEqual(reply);
    expect(await authenticates(first)).toEqual([true]);
  });

  it('keeps the secret of the later request when an earlier one arrives late', async () => {
    await create(second);
    expect(await refusal(createLate(first))).toBe('conflict');
    expect(await authenticates(first, second)).toEqual([false, true]);
  });

  it('is created once when many requests come at once, and has the secret of exactly one of them', async () => {
    const requests = times(8, () => requestOf());
    const replies = await Promise.allSettled(requests.map(create));
    expect(replies.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await fixture.keys.list(accountId)).toHaveLength(1);
    expect((await authenticates(...requests)).filter(Boolean)).toHaveLength(1);
  });

  it('is refused with another name, and is another key in another account', async () => {
    await create(first);
    expect(await refusal(create(requestOf('laptop')))).toBe('conflict');
    const other = requestOf('laptop', await ledger.factory.account());
    expect(await create(other)).toMatchObject({ created: true });
  });
});
