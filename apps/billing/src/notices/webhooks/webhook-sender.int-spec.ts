import { type ServerResponse } from 'node:http';
import { WebhookReceiver } from '#testing';
import { Webhook } from 'standardwebhooks';
import { WebhookSender } from './webhook-sender.js';
import { UnreachableWebhookError } from './webhook-target.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
const body = '{"type":"test","note":"Zoë"}';
const local = [{ address: '127.0.0.1', family: 4 }];
const elsewhere = [{ address: '1.1.1.1', family: 4 }];

let receiver: WebhookReceiver;
beforeAll(async () => (receiver = await WebhookReceiver.start()));
beforeEach(() => receiver.reset());
afterAll(() => receiver.close());

/** A sender for which every name resolves to this machine, which is allowed. */
function sender(options: ConstructorParameters<typeof WebhookSender>[0] = {}): WebhookSender {
  const trusting = { resolve: () => Promise.resolve(local), isAllowed: () => true, ca: receiver.certificate };
  return new WebhookSender({ ...trusting, ...options });
}

const message = () => ({ url: receiver.url, secrets: [secret], id: 'msg_1', body });

/** Why a message was not delivered. */
async function problemOf(sent: Promise<unknown>): Promise<string> {
  try {
    await sent;
    return 'delivered';
  } catch (error) {
    if (error instanceof UnreachableWebhookError) return error.message;
    throw error;
  }
}

describe('a webhook', () => {
  it('gets the message, signed as Standard Webhooks specifies', async () => {
    await sender().send(message());
    const [got] = receiver.received;
    expect(got).toMatchObject({
      body,
      headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json; charset=utf-8' },
    });
    const headers = got?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(got?.body ?? '', headers)).toEqual(JSON.parse(body));
    const other = `whsec_${Buffer.from('another secret of thirty-two byte').toString('base64')}`;
    expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
    await sender().send({ ...message(), secrets: [secret, other] });
    const both = receiver.received[1]?.headers as Record<string, string>;
    for (const each of [secret, other]) new Webhook(each).verify(body, both);
  });

  it.each<[string, number | ((response: ServerResponse) => unknown), string]>([
    ['with 299', 299, 'delivered'],
    ['with 400', 400, 'The webhook answered 400.'],
    ['with 410', 410, 'The webhook answered 410, and was removed.'],
    [
      'with a redirect',
      (response) => response.writeHead(308, { location: `${receiver.url}/other` }).end(),
      'The webhook answered 308; redirects are not followed.',
    ],
    ['without an end', (response) => void response.writeHead(200).write('x'), 'delivered'],
    ['too late', () => undefined, 'The webhook did not answer within 0.2 seconds.'],
  ])('that answers %s', async (_how, answer, outcome) => {
    receiver.answer(answer);
    expect(await problemOf(sender({ timeoutMs: 200 }).send(message()))).toBe(outcome);
    expect(receiver.received).toHaveLength(1);
  });

  it('with an untrusted certificate gets nothing', async () => {
    const trusting = new WebhookSender({ resolve: () => Promise.resolve(local), isAllowed: () => true });
    expect(await problemOf(trusting.send(message()))).toMatch(/^The certificate of the webhook is not valid/);
    const wrongName = message().url.replace('hooks.example', 'other.example');
    expect(await problemOf(sender().send({ ...message(), url: wrongName }))).toMatch(
      /^The certificate of the webhook/,
    );
    expect(receiver.received).toEqual([]);
  });

  it('that is unreachable gets an explanation that reveals nothing about our network', async () => {
    const gone = await WebhookReceiver.start();
    const { url } = gone;
    await gone.close();
    expect(await problemOf(sender().send({ ...message(), url }))).toBe('The webhook refused the connection.');
    const nowhere = () => Promise.reject(new Error('getaddrinfo ENOTFOUND of 10.0.0.2'));
    expect(await problemOf(sender({ resolve: nowhere }).check(url))).toBe(
      'The host of the webhook was not found.',
    );
    expect(await problemOf(sender({ resolve: () => Promise.resolve([]) }).check(url))).toContain(
      'has no address',
    );
  });
});

describe('a webhook on a private address', () => {
  const isPrivate = 'The webhook points to a private address.';
  const careful = (resolve: ConstructorParameters<typeof WebhookSender>[0] = {}) =>
    new WebhookSender({ ca: receiver.certificate, ...resolve });

  it.each(['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:7f00:1]', '169.254.169.254', 'localhost'])(
    '%s is refused',
    async (host) => {
      const url = `https://${host}:${receiver.port}/hook`;
      expect(await problemOf(careful().check(url))).toBe(isPrivate);
      expect(await problemOf(careful().send({ ...message(), url }))).toBe(isPrivate);
      expect(receiver.connections).toBe(0);
    },
  );

  it('is refused under any name, also when it resolved to another address a moment ago (DNS rebinding)', async () => {
    const answers = [elsewhere, local, [...elsewhere, ...local]];
    const webhooks = careful({ resolve: () => Promise.resolve(answers.shift() ?? []) });
    expect((await webhooks.check(receiver.url)).href).toBe(receiver.url);
    // Also when only one of its addresses is private.
    for (let times = 0; times < 2; times += 1) {
      expect(await problemOf(webhooks.send(message()))).toBe(isPrivate);
    }
    expect([answers, receiver.connections]).toEqual([[], 0]);
  });

  it('is not reached by resolving the name again: the connection uses the checked address', async () => {
    const answers = [local, elsewhere];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    expect(await problemOf(sender({ resolve }).send(message()))).toBe('delivered');
    expect(answers).toEqual([elsewhere]);
  });
});

it.each([
  'http://hooks.example/',
  'ftp://hooks.example/',
  'hooks.example',
  '',
  'https://user:password@hooks.example/',
  'javascript:alert(1)',
])('%j is no webhook', async (url) => {
  expect(await problemOf(sender().check(url))).toMatch(/^The webhook (is not a URL|must)/);
});
