import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort, isAnswered, ServerProcess } from '#dev';
import { findMonitoringProgram, MailInbox, type MonitoringProgram, until } from '#testing';
import { type CliRun, runCommand } from '../cli.fixture.js';

// Alertmanager is started for each test, and waits half a minute for alerts of one name to come together.
jest.setTimeout(90_000);

const operators = "ops@creators.example, o'neil@creators.example";
const missing =
  'Alerts are not sent: install Alertmanager (Debian: apt-get install prometheus-alertmanager).';

let program: MonitoringProgram | null;
let inbox: MailInbox;
let hooks: Server;
let received: { path: string; body: string }[] = [];
let running: ServerProcess | undefined;
let url: string;

beforeAll(async () => {
  program = await findMonitoringProgram('prometheus-alertmanager');
  if (program === null) throw new Error(missing);
  inbox = await MailInbox.start();
  hooks = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', body });
      response.writeHead(200).end();
    });
  });
  await once(hooks.listen(0, '127.0.0.1'), 'listening');
}, 300_000);

afterEach(async () => {
  await running?.stop();
  inbox.reset();
  received = [];
});
afterAll(async () => {
  await inbox?.close();
  hooks?.close();
});

const hook = (path: string) => `http://127.0.0.1:${(hooks.address() as AddressInfo).port}${path}`;

/** Starts Alertmanager as the containers do, with these settings. */
async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'alertmanager-'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  running = new ServerProcess({
    name: 'Alertmanager',
    command: 'deploy/kubernetes/components/monitoring/alertmanager.sh',
    parameters: [
      `--storage.path=${directory}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    environment: {
      ...program?.environment,
      ALERTMANAGER: program?.path,
      ALERTMANAGER_CONFIG: join(directory, 'alertmanager.yml'),
      MAIL_URL: inbox.url,
      MAIL_FROM: 'Creator Search <no-reply@creators.example>',
      ...settings,
    },
    logFile: join(directory, 'log'),
    stopSignal: 'TERM',
    temporaryDirectory: directory,
    isReady: () => isAnswered(`${url}/-/ready`),
  });
  await running.waitUntilReady();
}

function test(): Promise<CliRun> {
  return runCommand(['alerts', 'test'], { environment: { ALERTMANAGER_URL: url } });
}

/** Sends an alert as Prometheus does. */
async function fire(alertname: string, severity: string): Promise<void> {
  const body = JSON.stringify([{ labels: { alertname, severity } }]);
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/api/v2/alerts`, { method: 'POST', headers, body });
}

it('a test alert arrives by mail and at the webhook, and the command says where', async () => {
  await start({ ALERTS_TO: operators, ALERTS_WEBHOOK_URL: hook('/secret') });
  const { code, stdout, stderr } = await test();
  expect([code, stdout]).toEqual([0, 'Delivered.\n']);
  const { port } = hooks.address() as AddressInfo;
  expect(stderr).toContain(`mail to ${operators}; webhook at 127.0.0.1:${port}.`);
  for (const address of operators.split(', ')) {
    const { subject, text: body } = await inbox.mailTo(address);
    expect([subject, body]).toEqual([
      'Alert (ticket): TestAlert',
      expect.stringContaining('A test: alerts reach you. Nothing is wrong.') as string,
    ]);
  }
  expect(received).toEqual([{ path: '/secret', body: expect.stringContaining('TestAlert') as string }]);
});

it('a mail server that refuses it is an error', async () => {
  await start({ ALERTS_TO: operators });
  inbox.refuse(() => ({ code: 550, text: 'unknown' }));
  expect(await test()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Not delivered by email') as string,
  });
});

it('alerts without a receiver are an error, and so is an Alertmanager that does not answer', async () => {
  await start({});
  expect((await test()).stderr).toBe(
    'Error: Alerts have no receiver: set ALERTS_TO or ALERTS_WEBHOOK_URL of Alertmanager.\n',
  );
  await running?.stop();
  expect((await test()).stderr).toContain(`No Alertmanager answers at ${url}.`);
});

it('alerts of each severity arrive by mail and at the webhook', async () => {
  await start({ ALERTS_TO: 'ops@creators.example', ALERTS_WEBHOOK_URL: hook('/alerts') });
  const severities = ['info', 'page', 'ticket'];
  for (const severity of severities) await fire(`An-${severity}`, severity);
  await until(() => Math.min(received.length, inbox.mails.length) >= 3, 60_000);
  const atHook = received.map(({ body }) => /"alertname":"An-(\w+)"/.exec(body)?.[1]);
  const inMails = inbox.mails.map(({ subject }) => /An-(\w+)$/.exec(subject)?.[1]);
  expect([atHook.sort(), inMails.sort()]).toEqual([severities, severities]);
});

it('the watchdog goes to its own address only', async () => {
  await start({ ALERTS_TO: operators, WATCHDOG_URL: hook('/watchdog') });
  await fire('Watchdog', 'none');
  await until(() => received.length > 0);
  expect([received.map(({ path }) => path), inbox.mails]).toEqual([['/watchdog'], []]);
});
