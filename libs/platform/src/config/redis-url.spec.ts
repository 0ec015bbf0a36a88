import { parseRedisUrl } from './redis-url.js';

const plain = { tls: false, credentials: {}, sentinelCredentials: {} };

describe('parseRedisUrl', () => {
  it.each([
    ['redis://localhost', 'server', ['localhost:6379'], ''],
    ['redis://[::1]:7000/3', 'server', ['::1:7000'], '3'],
    ['redis+sentinel://a,b:7,[::1]:8/main', 'sentinel', ['a:26379', 'b:7', '::1:8'], 'main'],
    ['redis+cluster://a:7001,b', 'cluster', ['a:7001', 'b:6379'], ''],
  ])('reads %s', (url, kind, places, path) => {
    const { hosts = [], ...rest } = parseRedisUrl(url) ?? {};
    expect(hosts.map(({ host, port }) => `${host}:${port}`)).toEqual(places);
    expect(rest).toEqual({ ...plain, kind, path });
  });

  it('reads names and passwords, escaped ones too, and TLS', () => {
    const url = 'rediss+sentinel://us%3Aer:p%40ss@a,b/main?sentinel_username=s&sentinel_password=%2Fq';
    expect(parseRedisUrl(url)).toMatchObject({
      tls: true,
      credentials: { username: 'us:er', password: 'p@ss' },
      sentinelCredentials: { username: 's', password: '/q' },
    });
    expect(parseRedisUrl('rediss://:p@h')?.credentials).toEqual({ password: 'p' });
    expect(parseRedisUrl('rediss+cluster://a,b')?.tls).toBe(true);
  });

  it.each([
    'http://h',
    'redis://a,b',
    'redis://h/name',
    'redis+sentinel://a,b',
    'redis+sentinel://a,/main',
    'redis+cluster://a/1',
    'redis://:%@h',
    'constructor://h',
  ])('refuses %s', (url) => {
    expect(parseRedisUrl(url)).toBeNull();
  });
});
