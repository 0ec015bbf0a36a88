import { type KeyChanged, keyChanged } from '@app/contracts';
import { hashApiKey } from '@app/platform';
import { connectRedis, createRedis, ServiceClient } from '@app/transport';
import { Logger } from '@nestjs/common';
import { useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { type ApiKeysService } from './api-keys.service.js';
import { apiKeysOf, logger, makeKey, useAnnouncements } from './key-requests.fixture.js';

describe('API keys', () => {
  const ledger = useAuditedLedger();
  const announcements = useAnnouncements();
  const keys = (): ApiKeysService => apiKeysOf(ledger, announcements.client);

  it('are stored only as a hash', async () => {
    const accountId = await ledger.factory.account();
    const created = await makeKey(keys(), accountId, 'server');
    expect(await keys().authenticate([hashApiKey(created.key)])).toEqual([
      { key_id: created.id, account_id: accountId, prefix: created.prefix, credits_remaining: 0 },
    ]);
    const [{ row } = { row: '' }] = await ledger.query<{ row: string }>(
      'SELECT api_keys::text AS row FROM api_keys WHERE id = $1',
      [created.id],
    );
    expect(row).not.toContain(created.key);
    expect(JSON.stringify(await keys().list(accountId))).not.toContain(created.key);
  });

  it('are found with the balances of their accounts', async () => {
    const accountIds = [await ledger.factory.account(), await ledger.factory.account()] as const;
    const [rich, poor] = await Promise.all(accountIds.map((id) => makeKey(keys(), id, 'server')));
    await ledger.factory.lot({ accountId: accountIds[0], credits: 50 });
    const hashes = [rich, poor, rich].map((key) => hashApiKey(key?.key ?? ''));
    expect(await keys().authenticate([...hashes, hashApiKey('unknown')])).toMatchObject([
      { account_id: accountIds[0], credits_remaining: 50 },
      { account_id: accountIds[1], credits_remaining: 0 },
      { account_id: accountIds[0], credits_remaining: 50 },
      null,
    ]);
  });

  it('are limited to five, even when 12 are requested at once', async () => {
    const accountId = await ledger.factory.account();
    const service = keys();
    const asked = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => makeKey(service, accountId, `key ${index}`)),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const refused = asked.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'conflict' } });
    expect(await service.list(accountId)).toHaveLength(5);
  });

  it('count towards the limit when switched off, and no longer when deleted', async () => {
    const accountId = await ledger.factory.account();
    const service = keys();
    const created = [];
    for (let index = 0; index < 5; index += 1) {
      created.push(await makeKey(service, accountId, `key ${index}`));
    }
    const path = { account_id: accountId, key_id: created[2]?.id ?? '' };
    await service.update({ ...path, active: false });
    await expect(makeKey(service, accountId, 'sixth')).rejects.toMatchObject({ code: 'conflict' });
    await service.remove(path);
    await expect(service.remove(path)).rejects.toMatchObject({ code: 'not_found' });
    expect(await makeKey(service, accountId, 'sixth')).toMatchObject({ name: 'sixth' });
    await expect(service.show(path)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are announced to every gateway when they change', async () => {
    const accountId = await ledger.factory.account();
    const created = await makeKey(keys(), accountId, 'server');
    const listener = createRedis(announcements.redisUrl, logger);
    await connectRedis(listener, logger);
    const heard: unknown[] = [];
    const end = { key_id: 'the end', key_hash: 'of the test' };
    const ended = new Promise<void>((resolve) => {
      listener.on('smessage', (_channel, text: string) => {
        const payload = JSON.parse(text) as KeyChanged;
        if (payload.key_id === end.key_id) resolve();
        else heard.push(payload);
      });
    });
    await listener.ssubscribe('rpc:broadcast:billing.key_changed');
    const path = { account_id: accountId, key_id: created.id };
    await keys().update({ ...path, name: 'renamed' });
    await keys().update({ ...path, active: false });
    expect(await keys().authenticate([hashApiKey(created.key)])).toEqual([null]);
    await keys().update({ ...path, active: true });
    await keys().remove(path);
    await announcements.client.broadcast(keyChanged, end);
    await ended;
    expect(heard).toEqual(Array(3).fill({ key_id: created.id, key_hash: hashApiKey(created.key) }));
    listener.disconnect();
  });

  it("are switched off and deleted even when gateways can't be notified", async () => {
    Logger.overrideLogger(false);
    const accountId = await ledger.factory.account();
    const offline = new ServiceClient({ redisUrl: announcements.redisUrl, logger });
    const service = apiKeysOf(ledger, offline);
    const [off, gone] = [await makeKey(service, accountId, 'off'), await makeKey(service, accountId, 'gone')];
    await service.update({ account_id: accountId, key_id: off.id, active: false });
    await service.remove({ account_id: accountId, key_id: gone.id });
    for (const { key } of [off, gone]) {
      expect(await service.authenticate([hashApiKey(key)])).toEqual([null]);
    }
    await offline.close();
  });

  it('that are deleted can be neither listed nor changed', async () => {
    const accountId = await ledger.factory.account();
    const created = await makeKey(keys(), accountId, 'server');
    const path = { account_id: accountId, key_id: created.id };
    await keys().remove(path);
    expect(await keys().list(accountId)).toEqual([]);
    await expect(keys().update({ ...path, active: true })).rejects.toMatchObject({ code: 'not_found' });
    expect(await keys().authenticate([hashApiKey(created.key)])).toEqual([null]);
  });

  it('show when they were last used', async () => {
    const customer = await ledger.customer(5);
    const before = await keys().list(customer.accountId);
    expect(before).toMatchObject([{ last_used_at: null }]);
    await customer.charge(ledger.replicas[0], 0);
    const [key] = await keys().list(customer.accountId);
    expect(Date.now() - Date.parse(key?.last_used_at ?? '')).toBeLessThan(60_000);
  });

  it('of another account are not found', async () => {
    const owner = await ledger.factory.account();
    const stranger = await ledger.factory.account();
    const created = await makeKey(keys(), owner, 'server');
    const path = { account_id: stranger, key_id: created.id };
    await expect(keys().show(path)).rejects.toMatchObject({ code: 'not_found' });
    await expect(keys().update({ ...path, active: false })).rejects.toMatchObject({ code: 'not_found' });
    await expect(keys().remove(path)).rejects.toMatchObject({ code: 'not_found' });
    expect(await keys().authenticate([hashApiKey(created.key)])).toMatchObject([{ key_id: created.id }]);
  });
});
