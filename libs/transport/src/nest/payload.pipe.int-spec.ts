import { broadcast, message, WithBytes } from '#contracts';
import { startRedis } from '#dev';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { context, Named, Numbered, TransportFixture } from '../fixtures/transport.fixture.js';
import { BytesPayloadPipe, MessageContext, type ServiceClient } from '../index.js';

const double = message<unknown, number>('catalog', 'double', Numbered);
const measure = message<unknown, unknown>('catalog', 'measure', Numbered);
const changed = broadcast<unknown>('test.changed', Named);

const ran: object[] = [];

@Controller()
class Handlers {
  @MessagePattern(double.pattern)
  double(@Payload() payload: Numbered, @Ctx() { requestId }: MessageContext): number {
    ran.push({ ...payload, requestId });
    return payload.n * 2;
  }

  @MessagePattern(measure.pattern)
  measure(@Payload(new BytesPayloadPipe(Numbered)) { value, bytes }: WithBytes<Numbered>): object {
    return { ...value, length: bytes.length };
  }

  @EventPattern<Record<string, Named>>(changed.event)
  changed(@Payload() payload: Named): void {
    ran.push({ ...payload });
  }
}

let transport: TransportFixture;
let client: ServiceClient;

beforeAll(async () => {
  transport = new TransportFixture(await startRedis());
  client = await transport.client();
  await transport.service(Handlers);
});
afterAll(() => transport?.stop());
beforeEach(() => (ran.length = 0));

it('a payload reaches its handler without unknown fields', async () => {
  expect(await client.request(double, { n: 2, newer: true }, context)).toBe(4);
  expect(ran).toEqual([{ n: 2, requestId: 'request-1' }]);
  const chunk = new WithBytes({ n: 1, newer: true }, Buffer.from('{"a":1}\n'));
  expect(await client.request(measure, chunk, context)).toEqual({ n: 1, length: 8 });
});

it('a malformed payload runs nothing, and is answered with the invalid fields', async () => {
  const details = { n: ['n must be an integer between 0 and 9007199254740991'] };
  await expect(client.request(double, { n: '2' }, context)).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'The request is not valid: n must be an integer between 0 and 9007199254740991.',
    details,
  });
  expect(ran).toEqual([]);
});

it('a message without bytes refuses them, and one with bytes requires them', async () => {
  const bytes = Buffer.from('bytes');
  const calls = [
    client.request(double, new WithBytes({ n: 1 }, bytes), context),
    client.request(measure, { n: 1 }, context),
    client.request(measure, new WithBytes({ n: -1 }, bytes), context),
  ];
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'invalid_request' });
  expect(ran).toEqual([]);
});

it('a malformed broadcast runs nothing, and the next one arrives without unknown fields', async () => {
  await client.broadcast(changed, { id: 7 });
  await client.broadcast(changed, { id: 'x', newer: 1 });
  await client.request(double, { n: 1 }, context);
  expect(ran).toEqual([{ id: 'x' }, { n: 1, requestId: 'request-1' }]);
});
