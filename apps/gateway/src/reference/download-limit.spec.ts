import { Socket } from 'node:net';
import { TokenBucket } from '../rate-limit/token-bucket.js';
import { Exchange } from '../edge/connections/exchange.js';
import { DownloadLimit } from './download-limit.js';

describe('downloads of large files', () => {
  let now: number;
  let limit: DownloadLimit;
  beforeEach(() => {
    now = 0;
    limit = new DownloadLimit(new TokenBucket(() => now));
  });

  function begin(network: string): Exchange {
    const exchange = new Exchange(new Socket());
    limit.begin(network, exchange);
    return exchange;
  }

  it('are refused to a network that loads more than 20 and one more each second, and to no other', () => {
    for (let count = 0; count < 20; count += 1) begin('192.0.2.1');
    expect(() => begin('192.0.2.1')).toThrow('busy');
    begin('192.0.2.2');
    now += 1_000;
    begin('192.0.2.1');
    expect(() => begin('192.0.2.1')).toThrow('busy');
  });

  it('are at most 100 at once, however slowly their clients read; one that ends makes room', () => {
    const underWay = Array.from({ length: 100 }, (_, index) => begin(`192.0.2.${index}`));
    expect(() => begin('198.51.100.1')).toThrow('busy');
    underWay[0]?.disconnected();
    begin('198.51.100.1');
    expect(() => begin('198.51.100.2')).toThrow('busy');
  });
});
