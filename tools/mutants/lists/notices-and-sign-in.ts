import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const signIns = 'apps/billing/src/sign-in/sign-in.service.ts';
const byAttacks = ['apps/billing/src/sign-in/attacks.int-spec.ts'];
const byOutbox = ['apps/billing/src/notices/outbox/outbox.int-spec.ts'];

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
];
