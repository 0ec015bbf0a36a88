import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const signIns = 'apps/billing/src/sign-in/sign-in.service.ts';
const byAttacks = ['apps/billing/src/sign-in/attacks.int-spec.ts'];
const byOutbox = ['apps/billing/src/notices/outbox/outbox.int-spec.ts'];

const identities = 'apps/billing/src/sign-in/identity-sign-in.service.ts';
const byIdentities = ['apps/billing/src/sign-in/identities.int-spec.ts'];
const memberships = 'apps/billing/src/invitations/own-memberships.service.ts';
const byJoining = ['apps/billing/src/sign-in-rules/join-domains.int-spec.ts'];
const byRules = ['apps/billing/src/sign-in-rules/sign-in-rules.int-spec.ts'];

export const noticesAndSignIn: readonly Mutant[] = [
  {
    name: 'a notice that was written before is written again',
    file: 'apps/billing/src/notices/outbox/outbox.ts',
    fault: inFunction('Outbox.write').remove('if (!$ISNEW) return;'),
    killedBy: byOutbox,
  },
  {
    name: 'a notice is sent by every replica',
    file: 'apps/billing/src/notices/outbox/deliveries.repository.ts',
    fault: inSql('next_attempt_at = $4::timestamptz').replaceWith('problem = $4::timestamptz::text'),
    killedBy: byOutbox,
  },
  {
    name: 'settings that are saved forget that a low balance was told',
    file: 'apps/billing/src/notices/notice-settings.repository.ts',
    fault: inFunction('getLocked').replace('({ where: $WHERE, lock })', '{ where: $WHERE }'),
    killedBy: ['apps/billing/src/notices/checks/checks.int-spec.ts'],
  },
  {
    name: 'a code is stored as it is in the mail',
    file: 'apps/billing/src/sign-in/sign-in-secrets.ts',
    fault: inFunction('hashCode').replace("createHmac($$$).update($$$).digest('hex')", 'code'),
    killedBy: byAttacks,
  },
  {
    name: 'a link signs in twice',
    file: signIns,
    fault: inFunction('byLink').replace('signIn.usedAt || $ISOLD', '$ISOLD'),
    killedBy: byAttacks,
  },
  {
    name: 'codes that are tried at once are counted as one',
    file: signIns,
    fault: inFunction('SignInService.locked').remove('await this.signIns.lockAddress($$$);'),
    killedBy: byAttacks,
  },
  {
    name: 'an identity is bound to a person who has another one of the issuer',
    file: identities,
    fault: inFunction('bind').replace('person && (await this.identities.isBound($$$))', 'person && false'),
    killedBy: byIdentities,
  },
  {
    name: 'an identity with another address than the person is taken for their address',
    file: identities,
    fault: inFunction('openBound').replace('emailFolded === givenFolded', 'true'),
    killedBy: byIdentities,
  },
  {
    name: 'the sessions of a person whose identities are forgotten go on',
    file: identities,
    fault: inFunction('forget').remove('await this.sessions.endOfPerson($$$);'),
    killedBy: byIdentities,
  },
  {
    name: 'invitations are counted for a person who may not own the address any more',
    file: 'apps/billing/src/sessions/sessions.repository.ts',
    fault: inSql('sessions.is_address_proven AND invitations.email_folded').replaceWith(
      'invitations.email_folded',
    ),
    killedBy: byIdentities,
  },
  {
    name: 'a member whom an account asks for another sign-in counts as seen in it',
    file: 'apps/billing/src/sessions/sessions.repository.ts',
    fault: inSql('WHERE $3 AND members.account_id').replaceWith('WHERE ($3 OR true) AND members.account_id'),
    killedBy: byRules,
  },
  {
    name: 'an account that asks for another sign-in is left without it',
    file: 'apps/billing/src/members/members.service.ts',
    fault: inFunction('MembersService.leave').remove('this.ownSessions.assertMayShow($$$);'),
    killedBy: byRules,
  },
  {
    name: 'who switches "provider only" on locks themselves out',
    file: 'apps/billing/src/sign-in-rules/sign-in-rules.service.ts',
    fault: inFunction('SignInRulesService.change').remove(
      "if (isSwitchedOn && session.method !== 'provider') throw notThroughProvider();",
    ),
    killedBy: byRules,
  },
  {
    name: 'people who join at once are more than an account may have',
    file: memberships,
    fault: inFunction('OwnMembershipsService.join').replace('[accountId]', '[]'),
    killedBy: byJoining,
  },
  {
    name: 'people of a domain join long after they have shown that the address is theirs',
    file: memberships,
    fault: inFunction('OwnMembershipsService.join').remove('if ($OLD) throw signedInLongAgo();'),
    killedBy: byJoining,
  },
];
