import { ServiceError } from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { NoticesService } from './notices.service.js';
import { minute, useNotices } from './notices.fixture.js';

const fixture = useNotices();
const unknown = '00000000-0000-4000-8000-000000000000';

const test = (account_id: string, notice_id: string = uuidv7()): Promise<void> =>
  fixture.notices.test({ account_id, notice_id });

describe('what an account wants to be told', () => {
  it('is at first expiries and payments, by mail', async () => {
    const id = await fixture.account();
    expect(await fixture.notices.show(id)).toEqual({
      balance_threshold: null,
      notify_on_expiry: true,
      notify_on_payment: true,
      notify_by_email: true,
      webhook_url: null,
      webhook_secret: null,
    });
  });

  it('changes field by field, and a threshold of 0 is none', async () => {
    const [id, other] = [await fixture.account(), await fixture.account()];
    expect(await fixture.change(id, { balance_threshold: 100 })).toMatchObject({
      balance_threshold: 100,
      notify_by_email: true,
    });
    await fixture.change(id, { notify_by_email: false, notify_on_expiry: false });
    await fixture.change(id, { notify_on_payment: false });
    const expected = { notify_by_email: false, notify_on_expiry: false, notify_on_payment: false };
    expect(await fixture.notices.show(id)).toMatchObject({ ...expected, balance_threshold: 100 });
    expect(await fixture.change(id, { balance_threshold: 0 })).toMatchObject({
      ...expected,
      balance_threshold: null,
    });
    expect(await fixture.notices.show(other)).toMatchObject({
      notify_by_email: true,
      notify_on_expiry: true,
    });
  });

  it('has a secret for its webhook, which stays while there is one', async () => {
    const id = await fixture.account();
    const { webhook_secret, webhook_url } = await fixture.change(id, { webhook_url: fixture.receiver.url });
    expect(webhook_url).toBe(fixture.receiver.url);
    expect(webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await fixture.change(id, { webhook_url: `${fixture.receiver.url}2` })).toMatchObject({
      webhook_secret,
    });
    expect(await fixture.change(id, { notify_by_email: true })).toMatchObject({ webhook_secret });
    expect(await fixture.change(id, { webhook_url: '' })).toMatchObject({
      webhook_url: null,
      webhook_secret: null,
    });
    const renewed = await fixture.change(id, { webhook_url: fixture.receiver.url });
    expect(renewed.webhook_secret).not.toBe(webhook_secret);
  });

  it.each(['http://hooks.example/', 'https://127.0.0.1/', 'https://localhost/', 'nothing'])(
    'is never told to %s',
    async (webhook_url) => {
      const id = await fixture.account();
      // As it is deployed.
      const notices = (await fixture.ledger.anotherReplica()).get(NoticesService);
      await expect(notices.change({ account_id: id, webhook_url })).rejects.toMatchObject({
        code: 'invalid_request',
        details: { webhook_url: [expect.stringMatching(/^The webhook/)] },
      });
      expect(await fixture.notices.show(id)).toMatchObject({ webhook_url: null });
    },
  );

  it('is not found for an account that does not exist', async () => {
    const notFound = { code: 'not_found' };
    await expect(fixture.notices.show(unknown)).rejects.toMatchObject(notFound);
    await expect(fixture.change(unknown, { notify_by_email: false })).rejects.toMatchObject(notFound);
    await expect(fixture.notices.list(unknown)).rejects.toMatchObject(notFound);
    await expect(test(unknown)).rejects.toMatchObject(notFound);
  });
});

describe('another webhook', () => {
  it('is checked five times a minute, found or not; the stored one is not checked again', async () => {
    const id = await fixture.account();
    const url = (n: number) => `${fixture.receiver.url}/${n}`;
    const limited = { code: 'rate_limited' };
    for (let n = 0; n < 5; n += 1) await fixture.change(id, { webhook_url: url(n) });
    await expect(fixture.change(id, { webhook_url: url(5) })).rejects.toMatchObject(limited);
    await fixture.setClock(minute - 1);
    await expect(fixture.change(id, { webhook_url: url(5) })).rejects.toMatchObject(limited);
    for (let saved = 0; saved < 9; saved += 1) {
      await fixture.change(id, { webhook_url: url(4), notify_on_expiry: false });
    }
    await fixture.setClock(minute);
    expect(await fixture.change(id, { webhook_url: url(5) })).toMatchObject({ webhook_url: url(5) });
    const notices = (await fixture.ledger.anotherReplica()).get(NoticesService);
    const nowhere = { account_id: id, webhook_url: 'https://10.0.0.1/' };
    const refusals = [];
    for (let n = 0; n < 6; n += 1) refusals.push(await codeOf(notices.change(nowhere)));
    expect(refusals).toEqual([...Array<string>(4).fill('invalid_request'), 'rate_limited', 'rate_limited']);
  });
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
}

describe('a test notice', () => {
  it('needs a webhook', async () => {
    await expect(test(await fixture.account())).rejects.toMatchObject({ code: 'conflict' });
  });

  it('reaches the webhook once for its id, and no mailbox', async () => {
    const id = await fixture.account();
    await fixture.change(id, { webhook_url: fixture.receiver.url });
    const noticeId = uuidv7();
    await Promise.all([test(id, noticeId), test(id, noticeId)]);
    expect(await fixture.deliver()).toBe(1);
    await test(id, noticeId);
    expect(await fixture.deliver()).toBe(0);
    expect(fixture.receiver.received.map(({ body }) => JSON.parse(body) as object)).toEqual([
      { type: 'test', timestamp: '2026-03-01T12:00:00.000Z', data: { account_id: id } },
    ]);
    expect(fixture.inbox.attempts).toEqual([]);
    expect(await fixture.listed(id)).toEqual(['test webhook delivered']);
  });

  it('can be sent ten times in ten minutes', async () => {
    const id = await fixture.account();
    await fixture.change(id, { webhook_url: fixture.receiver.url });
    const sent = await Promise.allSettled(Array.from({ length: 12 }, () => test(id)));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(test(id)).rejects.toMatchObject({ code: 'rate_limited' });
    await fixture.setClock(10 * minute);
    await test(id);
  });
});

describe('the list of deliveries', () => {
  it("has the account's last 20, newest first, with what went wrong", async () => {
    const [id, other] = [await fixture.account(), await fixture.account()];
    for (const each of [id, other]) await fixture.change(each, { webhook_url: fixture.receiver.url });
    fixture.receiver.answer(500);
    for (let sent = 0; sent < 22; sent += 1) {
      await fixture.setClock(sent * 2 * minute);
      await test(id);
    }
    await fixture.deliver();
    const listed = await fixture.notices.list(id);
    expect(listed).toHaveLength(20);
    expect(listed[0]).toEqual({
      id: expect.any(String) as string,
      kind: 'test',
      channel: 'webhook',
      state: 'waiting',
      attempts: 1,
      at: '2026-03-01T12:42:00.000Z',
      problem: 'The webhook answered 500.',
    });
    expect(listed.map(({ at }) => at)).toEqual(
      listed
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    expect(await fixture.listed(other)).toEqual([]);
  });
});
