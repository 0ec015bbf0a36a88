import { type SignInRules } from '@app/contracts';
import { type Command } from 'commander';
import { path } from '../admin-client.js';
import { parseInteger, parseList, parseSwitch } from '../arguments.js';
import { formatInteger } from '../output/format.js';
import { fields } from '../output/table.js';
import { type Session } from '../session.js';

interface RulesOptions {
  readonly joinDomains?: string[];
  readonly providerOnly?: boolean;
  readonly sessionHours?: number;
}

/** `sign-in rules | unlink`. */
export function addSignIn(program: Command, session: Session): void {
  const signIn = program.command('sign-in').description('how people sign in to accounts');

  signIn
    .command('rules')
    .description(
      'what an account asks of those who sign in, and who may join it; without options it is shown',
    )
    .argument('<account>', 'account id')
    .option('--join-domains <list>', 'people of these domains may join, with commas; "" for none', parseList)
    .option('--provider-only <on|off>', "only through the OpenID provider, and operators' links", parseSwitch)
    .option(
      '--session-hours <n>',
      'sign in again after so many hours; 0 for no bound of its own',
      parseInteger,
    )
    .action(async (account: string, options: RulesOptions) => {
      const at = path('accounts', account, 'sign-in-rules');
      const { joinDomains: join_domains, providerOnly: provider_only, sessionHours: session_hours } = options;
      const body = { join_domains, provider_only, session_hours };
      const isChange = Object.values(body).some((value) => value !== undefined);
      const call = isChange
        ? { method: 'PATCH' as const, path: at, body }
        : { method: 'GET' as const, path: at };
      session.print(await session.client.call<SignInRules>(call), showRules);
    });

  signIn
    .command('unlink')
    .description(
      'forget which identity of the OpenID provider a person has, and sign them out: the next one with their address is theirs',
    )
    .argument('<email>', 'address of the person')
    .action(async (email: string) => {
      const call = { method: 'POST', path: path('people', 'unlink'), body: { email } } as const;
      session.print(
        await session.client.call<{ forgotten: number }>(call),
        ({ forgotten }) => `${email}: ${formatInteger(forgotten)} forgotten, signed out everywhere.`,
      );
    });
}

function showRules(rules: SignInRules): string {
  const { join_domains: domains, provider_only: isProviderOnly, session_hours: hours } = rules;
  return fields([
    ['people who may join', domains.length === 0 ? 'none' : domains.join(', ')],
    ['sign-in', isProviderOnly ? 'only through the OpenID provider' : 'in any way'],
    ['again after', hours === null ? '30 days without a visit' : `${formatInteger(hours)} h`],
  ]);
}
