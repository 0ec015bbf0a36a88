import { type MemberRole, type MemberView } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { AccountsService } from '../../accounts/accounts.service.js';
import { useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { refusal, refusals } from '../people.fixture.js';
import { MembersService } from './members.service.js';

const ledger = useAuditedLedger();
const members = (): MembersService => ledger.get(MembersService);

/** Creates an account as an operator does; returns its id. */
async function account(email: string): Promise<string> {
  const request = { account_id: uuidv7(), name: 'Acme', email, idempotency_key: uuidv7() };
  return (await ledger.get(AccountsService).create(request)).account.id;
}

/** Adds a member as an accepted invitation does; returns the id of the person. */
function add(accountId: string, email: string, role?: MemberRole): Promise<string> {
  return ledger.factory.member(accountId, email, role);
}

async function list(accountId: string): Promise<MemberView[]> {
  return (await members().list(accountId)).members;
}

async function rolesOf(accountId: string): Promise<string[]> {
  return (await list(accountId)).map(({ email, role }) => `${email} ${role}`);
}

describe('the members of an account', () => {
  it('begin with its address as the owner: one person, however it is written and in however many accounts', async () => {
    const start = new Date('2026-03-01T12:00:00.000Z');
    await ledger.factory.setClock(start);
    const [[owner], [other]] = [
      await list(await account('Ops@Acme.example')),
      await list(await account('OPS@acme.example')),
    ];
    expect(owner).toEqual({
      person_id: other?.person_id,
      email: 'ops@acme.example',
      role: 'owner',
      added_at: start.toISOString(),
      last_seen_at: null,
    });
    const refused = ['call +31 20 1234567', 'ｏps@acme.example', 'ops@acme。example.com'].map(account);
    expect(await refusals(...refused)).toEqual(['invalid_request']);
  });

  it('keep an owner when two owners leave at once', async () => {
    const id = await account('a@acme.example');
    await add(id, 'b@acme.example', 'owner');
    const paths = (await list(id)).map(({ person_id }) => ({ account_id: id, person_id }));
    const outcomes = await Promise.all(paths.map((path) => refusal(members().remove(path))));
    expect(outcomes.sort()).toEqual(['conflict', null]);
    expect(await rolesOf(id)).toHaveLength(1);
  });
});
