import { type Command } from 'commander';
import { type AdjustmentReply } from '@app/contracts';
import { path } from '../admin-client.js';
import { parseInteger } from '../arguments.js';
import { formatInteger, formatTime } from '../output/format.js';
import { fields } from '../output/table.js';
import { type Session } from '../session.js';
import { referenceFor, referenceHelp } from './reference.js';

type Adjustment = AdjustmentReply['adjustment'] & { readonly credits_remaining: number };

interface AdjustmentOptions {
  readonly credits: number;
  readonly reason: string;
  readonly reference?: string;
}

/** `adjustments create`. */
export function addAdjustments(program: Command, session: Session): void {
  program
    .command('adjustments')
    .description('credits given as goodwill or taken back as a correction')
    .command('create')
    .description('add credits (30 days), or take some back with a negative number')
    .argument('<account>', 'account id')
    .requiredOption(
      '--credits <n>',
      'credits; a negative number takes them back, oldest lots first',
      parseInteger,
    )
    .requiredOption('--reason <text>', 'reason; kept in the ledger')
    .option('--reference <text>', referenceHelp)
    .action(async (account: string, { credits, reason, reference }: AdjustmentOptions) => {
      const body = { credits, reason, reference: referenceFor(session, reference) };
      const call = { method: 'POST', path: path('accounts', account, 'adjustments'), body } as const;
      const reply = await session.client.callWithStatus<Adjustment>(call);
      if (reply.status === 200) session.note('This reference was already used: nothing was changed.');
      session.print(reply.body, showAdjustment);
    });
}

function showAdjustment(adjustment: Adjustment): string {
  return fields([
    ['adjustment', adjustment.id],
    ['credits', (adjustment.credits > 0 ? '+' : '') + formatInteger(adjustment.credits)],
    ['reason', adjustment.reason],
    ['reference', adjustment.reference],
    ['at', `${formatTime(adjustment.at)} UTC`],
    ['balance', formatInteger(adjustment.credits_remaining)],
  ]);
}
