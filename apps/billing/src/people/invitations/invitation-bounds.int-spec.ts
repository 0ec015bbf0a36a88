import { revokeInvitation } from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { address, day, refusal, start, usePeople } from '../people.fixture.js';
import { oldRowsStep } from '../../schedule/old-rows.fixture.js';
import { InvitationsService } from './invitations.service.js';

const people = usePeople();
const subject = 'Invitation to an account';

describe('limits on invitations', () => {
  it('allow an address one a day from an account, also revoked or written another way, and five from all', async () => {
    const local = uuidv7();
    const spellings = ['', '+a', '+b', '+c', '+d', '+e'].map((tag) => `${local}${tag}@acme.example`);
    const [email = ''] = spellings;
    const [acme, ...others] = await Promise.all([
      people.team(),
      ...spellings.slice(1).map(() => people.team()),
    ]);
    const { id } = await people.invite(acme, email);
    await people.send(revokeInvitation, { account_id: acme.id, invitation_id: id });
    for (const each of spellings) expect(await refusal(people.invite(acme, each))).toBe('rate_limited');
    const outcomes = others.map((each, n) => refusal(people.invite(each, spellings[n] ?? '')));
    expect((await Promise.all(outcomes)).sort()).toEqual([null, null, null, null, 'rate_limited'].sort());
    await people.setClock(day);
    expect(await refusal(people.invite(acme, email))).toBeNull();
    const mailed = spellings.flatMap((each) => people.inbox.mailsTo(each, subject));
    expect(mailed.length).toBeLessThanOrEqual(6);
  });

  it('allow an account 20 a day, also when the last ones are sent at once', async () => {
    const acme = await people.team();
    for (let sent = 0; sent < 19; sent += 1) await people.invite(acme, address());
    const outcomes = Array.from({ length: 6 }, () => refusal(people.invite(acme, address())));
    expect((await Promise.all(outcomes)).sort()).toEqual(
      [null, ...Array<string>(5).fill('rate_limited')].sort(),
    );
  });
});

describe('on a ledger alone', () => {
  const ledger = useAuditedLedger();

  it('an account has 50 members and open invitations, and old invitations are deleted', async () => {
    await ledger.factory.setClock(new Date(start));
    const account_id = await ledger.factory.account();
    const person_id = await ledger.factory.member(account_id, 'ops@acme.example', 'owner');
    for (let n = 0; n < 48; n += 1) await ledger.factory.member(account_id, `${n}@acme.example`);
    const invite = (email: string) => {
      const request = { account_id, email, role: 'member', invitation_id: uuidv7(), person_id } as const;
      return ledger.get(InvitationsService).invite(request);
    };
    const invited = await Promise.allSettled([invite('x@acme.example'), invite('y@acme.example')]);
    expect(invited.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(invite('z@acme.example')).rejects.toMatchObject({ code: 'conflict' });
    const step = oldRowsStep(ledger, 'old invitations');
    expect(await step.run(10)).toBe(0);
    await ledger.factory.setClock(new Date(start + 14 * day));
    expect(await step.run(10)).toBe(1);
  });
});
