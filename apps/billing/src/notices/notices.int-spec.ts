import { v7 as uuidv7 } from 'uuid';
import { refusal, refusals, tally } from '../people/people.fixture.js';
import { NoticesService } from './notices.service.js';
import { minuteMs as minute } from '../durations.js';
import { useNotices } from './notices.fixture.js';

const fixture = useNotices();

const test = (account_id: string, notice_id: string = uuidv7()): Promise<void> =>
  fixture.notices.test({ account_id, notice_id });

describe('the settings of an account', () => {
  it('are expiries and payments by mail at first, are stored, and have a secret while there is a webhook', async () => {
    const [id, webhook_url] = [await fixture.account(), fixture.receiver.url];
    const defaults = {
      balance_threshold: null,
      notify_on_expiry: true,
      notify_on_payment: true,
      notify_by_email: true,
      webhook_url: null,
      webhook_secret: null,
      previous_secret_until: null,
    };
    expect(await fixture.notices.show(id)).toEqual(defaults);
    const change = { balance_threshold: 100, notify_on_payment: false, webhook_url };
    const { webhook_secret } = await fixture.change(id, change);
    expect(webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await fixture.notices.show(id)).toEqual({ ...defaults, ...change, webhook_secret });
    await fixture.change(id, { balance_threshold: 0, notify_on_payment: true, webhook_url: '' });
    expect(await fixture.notices.show(id)).toEqual(defaults);
  });
});

describe('a new webhook', () => {
  it('is checked five times a minute, found or not; the stored one is not checked again', async () => {
    const id = await fixture.account();
    const save = (n: number) => fixture.change(id, { webhook_url: `${fixture.receiver.url}/${n}` });
    for (let n = 0; n < 5; n += 1) await save(n);
    expect(await refusal(save(5))).toBe('rate_limited');
    await fixture.setClock(minute - 1);
    expect(await refusal(save(5))).toBe('rate_limited');
    for (let saved = 0; saved < 9; saved += 1) await save(4);
    await fixture.setClock(minute);
    expect(await save(5)).toMatchObject({ webhook_url: `${fixture.receiver.url}/5` });
    const notices = (await fixture.ledger.anotherReplica()).get(NoticesService);
    const nowhere = { account_id: id, webhook_url: 'https://10.0.0.1/' };
    for (let n = 0; n < 4; n += 1) expect(await refusal(notices.change(nowhere))).toBe('invalid_request');
    expect(await refusal(notices.change(nowhere))).toBe('rate_limited');
  });
});

describe('a test notice', () => {
  it('needs a webhook, reaches it once for its id, and no mailbox', async () => {
    const id = await fixture.account();
    expect(await refusals(test(id), test(uuidv7()))).toEqual(['conflict', 'not_found']);
    await fixture.change(id, { webhook_url: fixture.receiver.url });
    const noticeId = uuidv7();
    await Promise.all([test(id, noticeId), test(id, noticeId)]);
    expect(await fixture.deliver()).toBe(1);
    const sent = { type: 'test', timestamp: '2026-03-01T12:00:00.000Z', data: { account_id: id } };
    expect(JSON.parse(fixture.receiver.received[0]?.body ?? '')).toEqual(sent);
    expect(fixture.inbox.attempts).toEqual([]);
  });

  it('can be sent ten times in ten minutes; the last 20 are listed, newest first, with their problems', async () => {
    const [id, other] = [await fixture.account(), await fixture.account()];
    for (const each of [id, other]) await fixture.change(each, { webhook_url: fixture.receiver.url });
    fixture.receiver.answer(500);
    for (const minutes of [0, 10, 20]) {
      await fixture.setClock(minutes * minute);
      const sent = Array.from({ length: 12 }, () => test(id));
      expect(await tally(sent)).toEqual({ ok: 10, rate_limited: 2 });
    }
    await fixture.deliver();
    const listed = await fixture.notices.list(id);
    expect(listed).toHaveLength(20);
    const last = { kind: 'test', channel: 'webhook', state: 'waiting', at: '2026-03-01T12:20:00.000Z' };
    expect(listed[0]).toMatchObject({ ...last, attempts: 1, problem: 'The webhook answered 500.' });
    const times = listed.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    expect(await fixture.listed(other)).toEqual([]);
  });
});
