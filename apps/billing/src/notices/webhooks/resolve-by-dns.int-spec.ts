import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { until } from '#testing';
import { resolveByDns, UnreachableWebhookError } from './webhook-target.js';
import { WebhookSender } from './webhook-sender.js';

let server: Socket;
let servers: string[];
let questions: string[];
let answer: ((question: Buffer) => Buffer | null) | null;
const ended: AbortController[] = [];

/** A name server on this machine, which does not respond until `answer` is set. */
beforeEach(async () => {
  questions = [];
  answer = null;
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    questions.push(nameIn(question));
    const reply = answer?.(question);
    if (reply) server.send(reply, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});
afterEach(() => {
  for (const each of ended.splice(0)) each.abort();
  server.close();
});

const headBytes = 12;
const typeA = 1;

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = headBytes; question[at]; at += (question[at] ?? 0) + 1) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  }
  return labels.join('.');
}

/** The reply to a question: these addresses for A, none for AAAA. */
function reply(question: Buffer, addresses: readonly string[]): Buffer {
  const end = question.indexOf(0, headBytes) + 5;
  const found = question.readUInt16BE(end - 4) === typeA ? addresses : [];
  const head = Buffer.from(question.subarray(0, headBytes));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(found.length, 6);
  head.writeUInt32BE(0, 8);
  const records = found.map((address) =>
    Buffer.from([0xc0, headBytes, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, question.subarray(headBytes, end), ...records]);
}

function newSignal(): AbortSignal {
  const controller = new AbortController();
  ended.push(controller);
  return controller.signal;
}

it('a name has all the addresses that its server returns', async () => {
  answer = (question) => reply(question, ['1.1.1.1', '10.0.0.1']);
  expect(await resolveByDns(servers)('hooks.example', newSignal())).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ]);
});

it('many webhooks with silent name servers, each asked once for each family, delay no other look-up of the process', async () => {
  let settled = 0;
  const hanging = Array.from({ length: 16 }, (_, n) =>
    resolveByDns(servers)(`${n}.silent.example`, newSignal()).finally(() => (settled += 1)),
  );
  const results = Promise.allSettled(hanging);
  await until(() => questions.length === 32);
  // As PostgreSQL, Redis and Stripe are found by their names.
  await Promise.all(Array.from({ length: 16 }, () => lookup('localhost')));
  expect(settled).toBe(0);
  for (const each of ended) each.abort();
  expect((await results).filter(({ status }) => status === 'rejected')).toHaveLength(16);
});

it('a look-up counts towards the time limit of a delivery', async () => {
  const sender = new WebhookSender({ resolve: resolveByDns(servers), timeoutMs: 100 });
  const message = { url: 'https://silent.example/', secrets: ['whsec_AAAA'], id: 'msg_1', body: '{}' };
  const begun = performance.now();
  await expect(sender.send(message)).rejects.toThrow(UnreachableWebhookError);
  expect(performance.now() - begun).toBeLessThan(1_900);
});
