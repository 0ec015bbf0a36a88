import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CliRun, runCommand } from './cli.fixture.js';
import { warnedOrder } from './commands/orders/orders.fixture.js';

const { account, id: order } = warnedOrder;
const key = '0198c0de-0000-7000-8000-000000000002';

let server: Server;
let answers: { readonly status: number; readonly body: unknown }[];
let seen: { readonly call: string; readonly body: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ call: `${request.method} ${request.url?.replace('/admin/v1', '')}`, body });
      const answer = answers.shift() ?? { status: 500, body: {} };
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  answers = [];
  seen = [];
});
afterAll(() => server.close());

const cli = (...words: string[]): Promise<CliRun> => run('orders', ...words);

function run(...words: string[]): Promise<CliRun> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return runCommand(words, { environment: { ADMIN_URL: url, ADMIN_TOKEN: 'token' } });
}

it.each<[string, string, string]>([
  ['list', 'GET /orders', ''],
  [
    `list --attention --account ${account.id} --limit 2 --cursor abc`,
    `GET /orders?attention=true&account_id=${account.id}&limit=2&cursor=abc`,
    '',
  ],
  [`show ${order}`, `GET /orders/${order}`, ''],
  [`resolve ${order} --grant`, `POST /orders/${order}/resolve`, '{"resolution":"granted"}'],
  [`resolve ${order} --refunded`, `POST /orders/${order}/resolve`, '{"resolution":"refunded"}'],
  [`refund ${order}`, `POST /orders/${order}/refund`, '{}'],
  [`refund ${order} --reason fraudulent`, `POST /orders/${order}/refund`, '{"reason":"fraudulent"}'],
  [`accept ${order}`, `POST /orders/${order}/accept`, '{}'],
])('orders %s', async (command, call, body) => {
  answers = [{ status: 200, body: { ok: true } }];
  const run = await cli(...command.split(' '), '--json');
  expect(run).toEqual({ code: 0, stdout: '{\n  "ok": true\n}\n', stderr: '' });
  expect(seen).toEqual([{ call, body }]);
});

it.each([
  [[1_000, 4, 0], 'Events that are tried again: 1,004.\n'],
  [[0], 'Events that are tried again: 0.\n'],
])('payments retry-events asks until none is left: %j', async (counts, stdout) => {
  answers = counts.map((retried) => ({ status: 200, body: { retried } }));
  expect(await run('payments', 'retry-events')).toEqual({ code: 0, stdout, stderr: '' });
  expect(seen).toEqual(counts.map(() => ({ call: 'POST /payment-events/retry', body: '' })));
});

it('names the keys to switch off where a payment may be fraud', async () => {
  const keys = [
    { id: key, name: 'tool', active: true },
    { id: account.id, name: 'old', active: false },
  ];
  answers = [
    { status: 200, body: warnedOrder },
    { status: 200, body: { keys } },
  ];
  const { stdout } = await cli('show', order);
  expect(stdout).toContain(`npm run cli -- keys disable ${account.id} ${key}  switches off the key "tool"`);
  expect(stdout).not.toContain('"old"');
  expect(seen.map(({ call }) => call)).toEqual([`GET /orders/${order}`, `GET /accounts/${account.id}/keys`]);
});

it('asks for no keys where nothing warns of fraud', async () => {
  answers = [{ status: 200, body: { ...warnedOrder, concerns: [] } }];
  expect(await cli('show', order)).toMatchObject({ code: 0 });
  expect(seen).toHaveLength(1);
});

it('prints why Stripe does not refund, exit 1', async () => {
  const error =
    'The Stripe key may not refund: give it the permission "Charges: Write" in the Stripe Dashboard.';
  answers = [{ status: 409, body: { error } }];
  expect(await cli('refund', order)).toEqual({ code: 1, stdout: '', stderr: `Error: ${error}\n` });
});

it.each([
  [['resolve', order], 'give --grant or --refunded'],
  [['resolve', order, '--grant', '--refunded'], "cannot be used with option '--refunded'"],
  [['refund', order, '--reason', 'none'], 'Allowed choices are requested_by_customer'],
])('exits with 2 when orders %j is not valid', async (words, reason) => {
  const { code, stderr } = await cli(...words);
  expect({ code, told: stderr.includes(reason) }).toEqual({ code: 2, told: true });
  expect(seen).toEqual([]);
});
