import { revokeInvitation } from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { context } from '../../running-billing.fixture.js';
import { refusal, SigningIn } from '../sign-in/signing-in.fixture.js';
import { InvitationsService } from './invitations.service.js';
import { oldRowsStep } from '../../schedule/old-rows.fixture.js';
import { address, ask, day, start, subject, team } from './teams.fixture.js';

let open: SigningIn;
beforeAll(async () => {
  open = await SigningIn.start({ PUBLIC_URL: 'https://api.example', SWEEP_PERIOD_MS: '600000' });
});
beforeEach(() => setClock(0));
afterAll(() => open?.close());

const setClock = (ms: number): Promise<void> => open.factory.setClock(new Date(start + ms));

describe('bounds on invitations', () => {
  it('an address gets one a day from an account, also revoked and written another way, and five from all', async () => {
    const local = uuidv7();
    const spellings = ['', '+a', '+b', '+c', '+d', '+e'].map((tag) => `${local}${tag}@acme.example`);
    const teams = await Promise.all(spellings.map(() => team(open)));
    const [acme] = teams;
    if (!acme) throw new Error('no team');
    const { id } = await ask(acme, spellings[0] ?? '');
    await open.client.request(revokeInvitation, { account_id: acme.id, invitation_id: id }, context);
    for (const email of spellings) expect(await refusal(ask(acme, email))).toBe('rate_limited');
    const others = await Promise.all(teams.slice(1).map((each, n) => refusal(ask(each, spellings[n] ?? ''))));
    expect(others.sort()).toEqual([null, null, null, null, 'rate_limited'].sort());
    await setClock(day);
    expect(await refusal(ask(acme, spellings[0] ?? ''))).toBeNull();
    const mailed = spellings.flatMap((email) => open.inbox.mailsTo(email, subject));
    expect(mailed.length).toBeLessThanOrEqual(6);
  });

  it('an account sends 20 a day, also when the last ones are sent at once', async () => {
    const acme = await team(open);
    for (let sent = 0; sent < 19; sent += 1) await ask(acme, address());
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => refusal(ask(acme, address()))));
    expect(outcomes.filter((code) => code === null)).toHaveLength(1);
    expect(outcomes.filter((code) => code === 'rate_limited')).toHaveLength(5);
  });
});

describe('on a ledger alone', () => {
  const ledger = useAuditedLedger();

  it('an account has 50 members and open invitations, and old invitations are deleted', async () => {
    await ledger.factory.setClock(new Date(start));
    const id = await ledger.factory.account();
    const person_id = await ledger.factory.member(id, 'ops@acme.example', 'owner');
    for (let n = 0; n < 48; n += 1) await ledger.factory.member(id, `${n}@acme.example`);
    const ask = (email: string) =>
      ledger
        .get(InvitationsService)
        .invite({ account_id: id, email, role: 'member', invitation_id: uuidv7(), person_id });
    const asked = await Promise.allSettled([ask('x@acme.example'), ask('y@acme.example')]);
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(ask('z@acme.example')).rejects.toMatchObject({ code: 'conflict' });
    const step = oldRowsStep(ledger, 'old invitations');
    expect(await step.run(10)).toBe(0);
    await ledger.factory.setClock(new Date(start + 14 * day));
    expect(await step.run(10)).toBe(1);
  });
});
