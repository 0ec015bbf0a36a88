import { once } from 'node:events';
import { connect } from 'node:net';
import { listPacks } from '@app/contracts';
import { ResponseReader } from '@app/testing';
import { AdminFixture, authorization } from './admin.fixture.js';

let admin: AdminFixture;

beforeAll(async () => (admin = await AdminFixture.start()));
beforeEach(() => {
  admin.reset();
  admin.on(listPacks, () => ({ packs: [] }));
});
afterAll(() => admin.stop());

const common = `Host: a\r\nAuthorization: ${authorization.authorization}\r\n`;
const listing = `GET /admin/v1/packs HTTP/1.1\r\n${common}\r\n`;
const body = 'x'.repeat(16_000_000);
const chunk = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`;

it.each([
  ['of a known length', `Content-Length: ${body.length}\r\n\r\n${body}`],
  ['in chunks', `Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(160)}0\r\n\r\n`],
])(
  'a client that sends too large a body, %s, and reads only afterwards gets the 413 and can go on',
  async (_form, rest) => {
    const statuses: number[] = [];
    const socket = connect(admin.port, '127.0.0.1');
    await once(socket, 'connect');
    const creation = `POST /admin/v1/accounts HTTP/1.1\r\n${common}Content-Type: application/json\r\n${rest}`;
    await new Promise<void>((resolve, reject) =>
      socket.write(creation + listing, (error) => (error ? reject(error) : resolve())),
    );
    const answered = new Promise<void>((resolve) => {
      const reader = new ResponseReader({
        keepBodies: false,
        take: ({ status }) => {
          if (statuses.push(status) === 2) resolve();
        },
      });
      socket.on('data', (bytes) => reader.push(bytes));
    });
    await answered;
    expect(statuses).toEqual([413, 200]);
    socket.destroy();
  },
);
