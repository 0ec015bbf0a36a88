import { parseRedisUrl } from './redis-url.js';

const plain = { tls: false, credentials: {}, sentinelCredentials: {} };

describe('parseRedisUrl', () => {
  it.each([
    ['redis://localhost', { kind: 'server', hosts: [{ host: 'localhost', port: 6379 }], path: '' }],
    ['redis://[::1]:7000/3', { kind: 'server', hosts: [{ host: '::1', port: 7000 }], path: '3' }],
    [
      'redis+sentinel://a,b:7,[::1]:8/main',
      {
        kind: 'sentinel',
        hosts: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 7 },
          { host: '::1', port: 8 },
        ],
        path: 'main',
      },
    ],
    [
      'redis+cluster://a:7001,b',
      {
        kind: 'cluster',
        hosts: [
          { host: 'a', port: 7001 },
          { host: 'b', port: 6379 },
        ],
        path: '',
      },
    ],
  ])('reads %s', (url, expected) => {
    expect(parseRedisUrl(url)).toEqual({ ...plain, ...expected });
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
