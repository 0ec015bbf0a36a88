import { type ChargeReply, type ChargeRequest, type Settlement, type SettlementResult } from '@app/contracts';

/** One command to apply under the lock of one account. */
export type LedgerCommand =
  | { readonly kind: 'charge'; readonly request: ChargeRequest }
  | { readonly kind: 'settle'; readonly settlement: Settlement };

export type LedgerResult =
  | { readonly kind: 'charge'; readonly reply: ChargeReply }
  | { readonly kind: 'settle'; readonly result: SettlementResult };

export function accountOf(command: LedgerCommand): string {
  return command.kind === 'charge' ? command.request.account_id : command.settlement.account_id;
}

export function chargeIdOf(command: LedgerCommand): string {
  return command.kind === 'charge' ? command.request.charge_id : command.settlement.charge_id;
}
