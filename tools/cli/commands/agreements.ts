import { type Command } from 'commander';
import { type AgreementView } from '@app/contracts';
import { path } from '../admin-client.js';
import { parseDollars, parseInteger } from '../arguments.js';
import { formatInteger, formatMoney, formatTime } from '../output/format.js';
import { fields } from '../output/table.js';
import { type Session } from '../session.js';

interface AgreementOptions {
  readonly credits: number;
  readonly price: number;
  readonly startsAt?: string;
}

/** `agreements start | end`. */
export function addAgreements(program: Command, session: Session): void {
  const agreements = program
    .command('agreements')
    .description('Enterprise credits, granted every month on the same day');

  agreements
    .command('start')
    .description('start the monthly grant of an account')
    .argument('<account>', 'account id')
    .requiredOption('--credits <n>', 'credits per month, 10,000 or more', parseInteger)
    .requiredOption('--price <dollars>', 'price per month', parseDollars)
    .option(
      '--starts-at <time>',
      'time of the first grant; later ones follow on the same day of each month (default: now)',
    )
    .action(async (account: string, { credits, price, startsAt }: AgreementOptions) => {
      const body = { credits, price_cents: price, starts_at: startsAt };
      const call = { method: 'POST', path: path('accounts', account, 'agreement'), body } as const;
      session.print(await session.client.call<AgreementView>(call), showAgreement);
    });

  agreements
    .command('end')
    .description('stop the monthly grant; credits already granted stay')
    .argument('<account>', 'account id')
    .action(async (account: string) => {
      const call = { method: 'DELETE', path: path('accounts', account, 'agreement') } as const;
      session.print(await session.client.call<AgreementView>(call), showAgreement);
    });
}

function showAgreement(agreement: AgreementView): string {
  return fields([
    ['agreement', agreement.id],
    ['monthly', `${formatInteger(agreement.credits)} credits for ${formatMoney(agreement.price_cents)}`],
    ['started', `${formatTime(agreement.starts_at)} UTC`],
    ['next grant', formatTime(agreement.next_due_at)],
    ['ended', formatTime(agreement.ended_at)],
  ]);
}
