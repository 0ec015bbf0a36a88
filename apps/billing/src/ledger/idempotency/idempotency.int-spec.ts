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

  it('is created once, whichever replica gets the requests and however many come at once; with another address it is refused', async () => {
    const accounts = ledger.get(AccountsService);
    const dataSource = await new DataSource(ledger.dataSource.options).initialize();
    const replicas = [accounts, (await ledger.anotherReplica({ dataSource })).get(AccountsService)];
    const replies = await Promise.all(
      replicas.flatMap((replica) => times(4, () => replica.create(requestOf()))),
    );
    await dataSource.destroy();
    const [account, ...others] = (await accounts.list({ limit: 10 })).items;
    expect([others, new Set(replies.map((reply) => reply.account.id))]).toEqual([[], new Set([account?.id])]);
    expect(replies.filter(({ created }) => created)).toHaveLength(1);
    await ledger.factory.lot({ accountId: account?.id ?? '', credits: 7 });
    const again = { created: false, account: { ...account, credits_remaining: 7 } };
    expect(await accounts.create(requestOf())).toEqual(again);
    expect(await refusal(accounts.create(requestOf({ email: 'b@example.com' })))).toBe('conflict');
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
    const reply = await create(second);
    expect(reply).toMatchObject({ created: false, key });
    await until(() => announced.length > 0);
    expect(announced).toEqual([{ key_id: first.key_id, key_hash: first.key_hash }]);
    // A second delivery of the same message changes nothing, and an earlier request that arrives late is refused.
    expect(await createLate(second)).toEqual(reply);
    expect(await refusal(createLate(first))).toBe('conflict');
    expect(await authenticates(first, second)).toEqual([false, true]);
    expect(await fixture.keys.list(accountId)).toHaveLength(1);
    // Another name is another request, and in another account it is another key.
    expect(await refusal(create(requestOf('laptop')))).toBe('conflict');
    const other = requestOf('laptop', await ledger.factory.account());
    expect(await create(other)).toMatchObject({ created: true });
  });

  it('is created once when many requests come at once, and has the secret of exactly one of them', async () => {
    const requests = times(8, () => requestOf());
    const replies = await Promise.allSettled(requests.map(create));
    expect(replies.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await fixture.keys.list(accountId)).toHaveLength(1);
    expect((await authenticates(...requests)).filter(Boolean)).toHaveLength(1);
  });
});
