import { type CallView } from '@app/contracts';

export const callColumns = [
  'at',
  'request_id',
  'key_id',
  'key',
  'operation',
  'filters',
  'total',
  'credits',
  'credits_returned',
  'state',
  'reason',
  'repeat_of',
] as const;

/** A call as a line of a file. */
export function valuesOfCall(call: CallView): (string | number | null)[] {
  return [
    call.at,
    call.request_id,
    call.key.id,
    call.key.name,
    call.operation,
    call.filters?.join(' ') ?? null,
    call.total,
    call.credits,
    call.credits_returned,
    call.state,
    call.reason,
    call.repeat_of,
  ];
}
