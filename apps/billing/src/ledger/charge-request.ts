import { ServiceError, type ChargeRequest, type Settlement } from '@app/contracts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const creditsMax = 2_147_483_647;
const settlementsMax = 500;
const requestIdLengthMax = 200;

/** Ids are compared as text, so they have one form: lower case. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value);
}

/** Throws `invalid_request` for what no gateway sends, before it can spoil the batch of others. */
export function checkChargeRequest(request: ChargeRequest): void {
  const { charge_id, account_id, key_id, request_id, operation, credits } = request;
  const problems: Record<string, string[]> = {};
  for (const [name, value] of Object.entries({ charge_id, account_id, key_id })) {
    if (!isId(value)) problems[name] = [`${name} must be a UUID in lower case`];
  }
  if (typeof request_id !== 'string' || request_id.length > requestIdLengthMax || request_id.includes('\0')) {
    problems.request_id = [`request_id must be text of at most ${requestIdLengthMax} characters`];
  }
  if (operation !== 'search' && operation !== 'profile') {
    problems.operation = ['operation must be search or profile'];
  }
  if (!Number.isInteger(credits) || credits < 0 || credits > creditsMax) {
    problems.credits = [`credits must be an integer from 0 to ${creditsMax}`];
  }
  if (Object.keys(problems).length > 0) {
    throw new ServiceError('invalid_request', 'The charge is not valid.', { details: problems });
  }
}

/** Throws `invalid_request` for more settlements than a message may carry. */
export function checkSettlements(settlements: unknown): asserts settlements is Settlement[] {
  if (Array.isArray(settlements) && settlements.length <= settlementsMax) return;
  throw new ServiceError('invalid_request', `A message carries at most ${settlementsMax} settlements.`);
}

/** A settlement that can't be meant for any charge; it is acknowledged, or it would be sent for ever. */
export function isSettlement(settlement: Settlement): boolean {
  const { charge_id, account_id, outcome } = settlement;
  return isId(charge_id) && isId(account_id) && (outcome === 'posted' || outcome === 'voided');
}
