import { once } from 'node:events';
import { type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { charge, getProfile, settle, WithBytes } from '#contracts';
import { hasLeft, ResettingReader } from './resetting-reader.fixture.js';
import { acknowledged, metric, PublicApiFixture } from '../../fixtures/public-api.fixture.js';
import { type Certificate, gate, makeCertificate, until } from '#testing';

const plain: Record<string, string> = { HAND_OVER_MS: '1500' };
const tls = { ...plain };
let certificate: Certificate;
beforeAll(async () => {
  certificate = await makeCertificate();
  Object.assign(tls, { TLS_CERT_FILE: certificate.certificateFile, TLS_KEY_FILE: certificate.keyFile });
});
afterAll(() => certificate.remove());
/** More than the buffers of both kernels hold: it leaves the process only as it is read. */
const beyondBuffers = 16_000_000;

describe.each(['plain', 'tls'] as const)('connections, %s', (wire) => {
  const api = PublicApiFixture.forSuite(wire === 'tls' ? tls : plain);
  afterEach(() => expect(api.settlements.waiting).toBe(0));

  const requestFor = (slug: string): string => api.written(`/creators/${slug}`);

  async function open(): Promise<Socket> {
    if (wire === 'plain') return api.open({ allowHalfOpen: true });
    const place = { port: api.port, host: '127.0.0.1', allowHalfOpen: true };
    const socket = connectTls({ ...place, rejectUnauthorized: false }).on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  }

  /** The peer's side of the next connection, which is to be opened after the call. */
  async function serverSide(): Promise<Socket> {
    const [socket] = (await once(api.server, wire === 'tls' ? 'secureConnection' : 'connection')) as [Socket];
    return socket;
  }

  function answerWith(sizes: Readonly<Record<string, number>>): void {
    api.services.on(getProfile, ({ slug }) => {
      const bytes = Buffer.alloc(sizes[slug] ?? 20, 'x');
      bytes.write('{"slug":"');
      bytes.write('"}', bytes.length - 2);
      return new WithBytes({ found: true }, bytes);
    });
  }

  const slugsAsked = (): string[] => api.services.payloadsOf(getProfile).map(({ slug }) => slug);

  it('pipelined calls are taken one after the other, and answered in order', async () => {
    const [begun, finish] = [gate(), gate()];
    api.services.on(charge, async ({ credits }) => {
      if (api.services.payloadsOf(charge).length === 1) {
        begun.open();
        await finish.opened;
      }
      return { outcome: 'charged' as const, credits_used: credits, credits_remaining: 9 };
    });
    const socket = await open();
    socket.write(['one', 'two', 'three'].map(requestFor).join(''));
    await begun.opened;
    // Whole calls of others are answered while the first one is in progress.
    for (let count = 0; count < 3; count++) expect(await statusOfOne()).toBe(200);
    expect(slugsAsked()).toEqual(['one', 'luna', 'luna', 'luna']);
    finish.open();
    expect(await api.answers(socket, 3)).toHaveLength(3);
    expect(slugsAsked().slice(-2)).toEqual(['two', 'three']);
    expect(await api.outcomes(6)).toEqual(Array<string>(6).fill('posted'));
  });

  it('a client that has closed the connection before the answer pays nothing', async () => {
    const gone = serverSide();
    const socket = await open();
    api.services.on(charge, async ({ credits }) => {
      socket.destroy();
      const side = await gone;
      if (!side.readableEnded) await once(side, 'end');
      return { outcome: 'charged' as const, credits_used: credits, credits_remaining: 9 };
    });
    socket.write(['one', 'two'].map(requestFor).join(''));
    expect(await api.outcomes(1)).toEqual(['voided']);
    expect(api.services.payloadsOf(charge)).toHaveLength(1);
  });

  it('a client that leaves when a part of its answer has arrived has abandoned it, however it leaves', async () => {
    answerWith({ large: beyondBuffers });
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      const socket = await open();
      socket.write(requestFor('large'));
      await once(socket, 'data');
      if (wire === 'plain') socket[leave]();
      else socket.destroy();
      expect(await api.outcomes(1)).toEqual(['abandoned']);
    }
  });

  // Over TLS the same code runs on another socket: the ways in which they differ are above.
  if (wire === 'tls') return;

  it('a client that has closed its side after its calls gets the answers, and pays for them', async () => {
    const socket = await open();
    socket.end(['one', 'two'].map(requestFor).join(''));
    const received = await api.answers(socket, 3);
    expect(received.map((answer) => answer.slice(0, 3))).toEqual(['200', '200']);
    expect(received.every((answer) => answer.endsWith('"credits_remaining":99}'))).toBe(true);
    expect(await api.outcomes(2)).toEqual(['posted', 'posted']);
  });

  it.each(['sends nonsense', 'sends half a request and closes its side'])(
    'a client that %s after its calls gets their answers first, and pays for them',
    async (manner) => {
      const socket = await open();
      const calls = ['one', 'two'].map(requestFor).join('');
      if (manner === 'sends nonsense') socket.write(`${calls}\0\r\n\r\n`);
      else socket.end(`${calls}GET /half`);
      const received = await api.answers(socket, 4);
      expect(received.map((answer) => answer.slice(0, 3))).toEqual(['200', '200', '400']);
      expect(received[1]).toMatch(/"credits_remaining":99\}$/);
      expect(await api.outcomes(2)).toEqual(['posted', 'posted']);
    },
  );

  it.each(['POST', 'GET'])('a %s with a body that is not HTTP is answered once', async (method) => {
    const socket = await open();
    socket.write(
      `${method} /api/public/v1/search HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    );
    let received = '';
    for await (const chunk of socket) received += String(chunk);
    expect(received.split('HTTP/1.1 ')).toHaveLength(2);
    expect(received).toMatch(/^HTTP\/1.1 4/);
  });

  it('a client that resets the connection while it is being charged has its credits back at once', async () => {
    const answer = gate();
    const socket = await open();
    api.answerCharges({}, answer.opened);
    socket.write(['one', 'two'].map(requestFor).join(''));
    await until(() => api.services.payloadsOf(charge).length > 0);
    socket.resetAndDestroy();
    expect(await api.outcomes(1)).toEqual(['voided']);
    answer.open();
    expect(await statusOfOne()).toBe(200);
    expect(await api.outcomes(1)).toEqual(['posted']);
    expect(slugsAsked()).not.toContain('two');
    // Sooner than the charge would be given up because billing does not answer.
  }, 4_000);

  it('a client that resets the connection as soon as it has read its whole answer pays for it, however busy the gateway is', async () => {
    const size = 6_000_000;
    answerWith({ large: size });
    const peer = serverSide();
    const client = new ResettingReader({ port: api.port, request: requestFor('large'), bytes: size });
    const side = await peer;
    // From the moment when the kernel has all of it, this process learns nothing until the client has gone.
    while (!hasLeft(side, size)) await new Promise((resolve) => setImmediate(resolve));
    client.waitUntilGone();
    expect(await api.outcomes(1)).toEqual(['posted']);
    await client.end();
  });

  it.each([50_000, 1_000_000, 4_000_000, beyondBuffers])(
    'a client that leaves without reading an answer of %i bytes has abandoned it unless all of it had left',
    async (size) => {
      answerWith({ large: size });
      const peer = serverSide();
      const socket = await open();
      socket.pause();
      socket.write(requestFor('large'));
      const side = await peer;
      const left = new Promise<boolean>((resolve) => {
        const look = (before: number): void => {
          const { bytesWritten, writableLength } = side;
          // It has been written as far as it goes when nothing has moved for a tenth of a second.
          if (bytesWritten < size || writableLength !== before) setTimeout(look, 100, writableLength);
          else resolve(writableLength === 0);
        };
        look(-1);
      });
      const hasLeft = await left;
      if (size === beyondBuffers) expect(hasLeft).toBe(false);
      if (size === 50_000) expect(hasLeft).toBe(true);
      socket.destroy();
      expect(await api.outcomes(1)).toEqual([hasLeft ? 'posted' : 'abandoned']);
    },
  );

  it('a client that does not read its answer in time is cut off and has abandoned it; what is behind it is not charged', async () => {
    answerWith({ large: beyondBuffers });
    const socket = await open();
    socket.pause();
    socket.write(['large', 'one', 'two'].map(requestFor).join(''));
    expect(await api.outcomes(1)).toEqual(['abandoned']);
    expect(api.services.payloadsOf(charge)).toHaveLength(1);
    socket.resume();
    let received = 0;
    for await (const chunk of socket) received += (chunk as Buffer).length;
    expect(received).toBeLessThan(beyondBuffers);
  });

  it.each(['closed', 'half-closed', 'left open', 'reset'])(
    'hundreds of pipelined calls on connections that are then %s leave nothing behind',
    async (ending) => {
      api.services.on(settle, ({ settlements }) => acknowledged(settlements));
      const keyless = 'GET /api/public/v1/creators/luna HTTP/1.1\r\nHost: a\r\n\r\n';
      const unknownPath = 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n';
      const sockets = await Promise.all(
        Array.from({ length: 12 }, async (_, number) => {
          const socket = await open();
          socket.resume();
          const request = [keyless, unknownPath, requestFor('luna')][number % 3] ?? '';
          await new Promise((written) => socket.write(request.repeat(number < 6 ? 100 : 400), written));
          if (ending === 'reset') socket.resetAndDestroy();
          else if (ending === 'half-closed') socket.end();
          else if (ending !== 'left open') socket.destroy();
          return socket;
        }),
      );
      const statuses = await Promise.all(Array.from({ length: 12 }, () => statusOfOne()));
      expect(statuses).toEqual(Array<number>(12).fill(200));
      for (const socket of sockets) socket.destroy();
      await until(async () => (await metric('http_requests_in_flight{api="public"')) === 0);
      expect(await statusOfOne()).toBe(200);
    },
    30_000,
  );

  async function statusOfOne(): Promise<number> {
    const socket = await open();
    socket.write(requestFor('luna'));
    const [answer = ''] = await api.answers(socket, 1);
    socket.destroy();
    return Number(answer.slice(0, 3));
  }
});
