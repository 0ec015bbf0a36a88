import {
  erasedKinds,
  erasePerson,
  type ErasureReply,
  getPersonReport,
  listErasures,
  type MessageContract,
  type PersonReport,
  refundLot,
  repeatErasure,
  updateAccount,
} from '#contracts';
import { AdminFixture } from './admin.fixture.js';
import { account_id, accountView, at, email, lot_id, lotRefund, refundedLot } from './answers.fixture.js';

const admin = AdminFixture.forTests();

/** Calls an endpoint whose message is answered so; what the service was asked, and the reply. */
async function ask<Request, Answer>(
  call: string,
  body: object | undefined,
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

describe('people', () => {
  const erasure = { email_hash: 'a'.repeat(64), erased_at: at, close_accounts: false };
  const erased: ErasureReply = {
    erased: Object.fromEntries(erasedKinds.map((kind) => [kind, 1])) as ErasureReply['erased'],
    remains: [{ what: 'backups', count: null, why: 'Until they expire.' }],
  };
  const report: PersonReport = {
    email,
    person: null,
    ...{ accounts: [], memberships: [], identities: [], sessions: [], sign_ins: [], invitations: [] },
    ...{ invitations_sent: [], orders: [], keys: [], mails: [] },
  };

  it.each([{ email }, { email: ` ${email} `, close_accounts: true }])(
    'POST /people/erase %j',
    async (body) => {
      expect(await ask('POST /people/erase', body, [erasePerson, erased])).toEqual({
        status: 200,
        body: erased,
        asked: { ...body, email },
      });
    },
  );

  it('POST /people/report', async () => {
    expect(await ask('POST /people/report', { email }, [getPersonReport, report])).toEqual({
      status: 200,
      body: report,
      asked: { email },
    });
  });

  it('GET /people/erasures, and POST /people/erasures/repeat', async () => {
    const page = { items: [erasure], next_cursor: null };
    const call = `GET /people/erasures?limit=1&cursor=${erasure.email_hash}`;
    expect(await ask(call, undefined, [listErasures, page])).toEqual({
      status: 200,
      body: { erasures: [erasure], next_cursor: null },
      asked: { limit: 1, cursor: erasure.email_hash },
    });
    admin.reset();
    expect(await ask('POST /people/erasures/repeat', erasure, [repeatErasure, erased])).toEqual({
      status: 200,
      body: erased,
      asked: erasure,
    });
  });

  it.each<[string, object, string[]]>([
    ['POST /people/erase', { email: 'nobody', close_accounts: 'yes' }, ['close_accounts', 'email']],
    ['POST /people/report', {}, ['email']],
    ['POST /people/erasures/repeat', { email_hash: 'A' }, ['close_accounts', 'email_hash', 'erased_at']],
  ])('400 for %s %j', async (call, body, fields) => {
    const reply = await admin.call(call, body);
    const { details } = reply.body as { details: object };
    expect([reply.status, Object.keys(details).sort()]).toEqual([400, fields]);
    expect(admin.received).toEqual([]);
  });
});
