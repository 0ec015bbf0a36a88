import { randomUUID } from 'node:crypto';
import {
  adjust,
  auditLedger,
  charge,
  type ChargeReply,
  getAccount,
  getAgreement,
  listStatement,
  purchase,
  resumeAccount,
  settle,
  startAgreement,
  suspendAccount,
} from '#contracts';
import { address, refusal, refusals, type Team, usePeople } from '../people.fixture.js';

const people = usePeople();

interface Buyer extends Team {
  readonly keyId: string;
  readonly keyHash: string;
}

/** A team with a key and 50 credits. */
async function buyer(name = 'Acme'): Promise<Buyer> {
  const team = await people.team(name);
  await people.send(purchase, { account_id: team.id, pack: 'trial', reference: 'order' }, 'Eva');
  return { ...team, ...(await people.key(team)) };
}

function call({ id, keyId, keyHash }: Buyer, charge_id: string = randomUUID()): Promise<ChargeReply> {
  const key = { account_id: id, key_id: keyId, key_hash: keyHash };
  return people.send(charge, { charge_id, ...key, request_id: 'request', credits: 2, operation: 'search' });
}

async function post({ id }: Buyer, charge_id: string): Promise<string | undefined> {
  const { results } = await people.send(settle, {
    settlements: [{ charge_id, account_id: id, outcome: 'posted' }],
  });
  return results[0]?.result;
}

async function entries(account_id: string): Promise<unknown[]> {
  const { items } = await people.send(listStatement, { account_id, limit: 50 });
  return items.map(({ type, credits, reason }) => [type, credits, reason]).toReversed();
}

const discrepancies = async () => (await people.send(auditLedger, {}, 'Eva')).discrepancies;

describe('an account that its owner closes', () => {
  it('has no working key, credits, members, sessions, invitations or grants left, and its owner is erased', async () => {
    const team = await buyer();
    const member = address();
    await people.member(team.id, member);
    const colleague = await people.signedIn(member);
    await people.invite(team, address());
    const terms = { credits: 10_000, price_cents: 180_000, starts_at: '2026-03-02T00:00:00.000Z' };
    await people.send(startAgreement, { account_id: team.id, ...terms }, 'Eva');
    await people.order(team, 'open');
    const pending = randomUUID();
    await call(team, pending);

    expect(await team.owner.close(team.id, 'Acme')).toEqual({ closed: true });

    const mail = await people.inbox.mailTo(team.email, 1, 'Your account');
    expect(mail.text).toContain('"Acme"');
    expect(await call(team)).toEqual({ outcome: 'key_revoked' });
    expect(await post(team, pending)).toBe('posted');
    expect(await entries(team.id)).toEqual([
      ['purchase', 50, null],
      ['charge', -2, null],
      ['adjustment', -48, 'Account closed'],
    ]);
    expect(await discrepancies()).toEqual([]);
    const [at, erased] = ['2026-03-01T12:00:00.000Z', `Erased account ${team.id}`];
    const account = { closed_at: at, suspended_at: at, credits_remaining: 0, name: erased, email: erased };
    expect(await people.send(getAccount, { account_id: team.id })).toMatchObject(account);
    expect(await people.list(team.id)).toEqual({ members: [], invitations: [] });
    expect(await refusal(people.send(getAgreement, { account_id: team.id }))).toBe('not_found');
    expect(await refusals(team.owner.show(), colleague.show())).toEqual(['unauthorized']);
    const known = 'SELECT email_folded FROM people WHERE email_folded = ANY($1)';
    expect(await people.query(known, [[team.email, member]])).toEqual([{ email_folded: member }]);
    const operators = [
      people.send(resumeAccount, { account_id: team.id }, 'Eva'),
      people.send(purchase, { account_id: team.id, pack: 'trial', reference: 'another' }, 'Eva'),
      people.send(startAgreement, { account_id: team.id, ...terms }, 'Eva'),
      people.send(adjust, { account_id: team.id, credits: 5, reason: 'x', reference: 'x' }, 'Eva'),
    ];
    expect(await refusals(...operators)).toEqual(['conflict']);
  });

  it('is charged before or after, never in between: races leave a whole ledger without credits', async () => {
    const team = await buyer();
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const calls = ids.map((id) => call(team, id));
    await team.owner.close(team.id, 'Acme');
    for (const [index, { outcome }] of (await Promise.all(calls)).entries()) {
      if (outcome === 'charged') expect(await post(team, ids[index] ?? '')).toBe('posted');
      else expect(outcome).toBe('key_revoked');
    }
    const { items } = await people.send(listStatement, { account_id: team.id, limit: 50 });
    expect(items.reduce((sum, { credits }) => sum + credits, 0)).toBe(0);
    expect(await discrepancies()).toEqual([]);
  });

  it('leaves its owner their other accounts', async () => {
    const team = await buyer();
    const other = await people.team();
    await people.member(other.id, team.email, 'owner');
    await team.owner.close(team.id, 'Acme');
    const again = await people.signedIn(team.email);
    expect(await again.show()).toMatchObject({ person_id: team.personId, account: { id: other.id } });
  });

  it('is closed by its owner only, with its name, and not while a payment is in progress', async () => {
    const team = await buyer('Acme Ltd');
    const [email, stranger] = [address(), await people.team()];
    await people.member(team.id, email);
    const member = await people.signedIn(email);
    expect(await refusal(member.close(team.id, 'Acme Ltd'))).toBe('forbidden');
    expect(await refusal(stranger.owner.close(team.id, 'Acme Ltd'))).toBe('not_found');
    expect(await refusal(team.owner.close(team.id, 'acme ltd'))).toBe('invalid_request');
    for (const state of ['processing', 'in_review']) {
      await people.order(team, state);
      expect(await refusal(team.owner.close(team.id, 'Acme Ltd'))).toBe('conflict');
      await people.query('DELETE FROM orders WHERE account_id = $1', [team.id]);
    }
    await people.send(suspendAccount, { account_id: team.id, reason: 'x' }, 'Eva');
    expect(await refusal(team.owner.close(team.id, 'Acme Ltd'))).toBe('conflict');
  });
});
