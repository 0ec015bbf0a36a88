import { type MessageContract, refundLot, updateAccount } from '@app/contracts';
import { AdminFixture } from './admin.fixture.js';
import { account_id, accountView, email, lot_id, lotRefund, refundedLot } from './answers.fixture.js';

const admin = AdminFixture.forTests();

/** Calls an endpoint whose message is answered so; what the service was asked, and the reply. */
async function ask<Request, Answer>(
  call: string,
  body: object,
  [message, answer]: readonly [MessageContract<Request, Answer>, Answer],
): Promise<{ status: number; body: unknown; asked: unknown }> {
  admin.on(message, () => answer);
  const { status, body: shown } = await admin.call(call, body);
  const [received] = admin.received;
  expect(received?.pattern).toBe(message.pattern);
  return { status, body: shown, asked: received?.payload };
}

describe('POST /accounts/{id}/lots/{lot_id}/refund', () => {
  const call = `POST /accounts/${account_id}/lots/${lot_id}/refund`;

  it.each([
    [true, 201],
    [false, 200],
  ])('a refund that is new (%s) is a %d with the lot', async (created, status) => {
    expect(await ask(call, lotRefund, [refundLot, { created, lot: refundedLot }])).toEqual({
      status,
      body: refundedLot,
      asked: { account_id, lot_id, ...lotRefund },
    });
  });

  it('a malformed id of a lot is a 404', async () => {
    const reply = await admin.call(`POST /accounts/${account_id}/lots/5/refund`, lotRefund);
    expect(reply.status).toBe(404);
    expect(admin.received).toEqual([]);
  });
});

it.each([{ name: 'Acme' }, { email }, { name: 'Acme', email }])(
  'PATCH /accounts/{id} %j changes what is given, and shows the account',
  async (body) => {
    expect(await ask(`PATCH /accounts/${account_id}`, body, [updateAccount, accountView])).toEqual({
      status: 200,
      body: accountView,
      asked: { account_id, ...body },
    });
  },
);
