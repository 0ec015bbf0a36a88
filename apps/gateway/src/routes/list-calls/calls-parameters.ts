import { callStates, isDay, isId, operations, rule } from '@app/contracts';
import { IsIn, IsOptional } from 'class-validator';
import { IsWholeNumber } from '../../validation/whole-number.js';

export const pageSizeMax = 100;
const cursorPattern = /^[A-Za-z0-9_-]{1,500}$/;

/** The query parameters of a page of calls, as trimmed strings, with their rules. */
export class PageParameters {
  @IsOptional()
  @IsWholeNumber(1, pageSizeMax)
  limit?: string;

  /** From the `Link` header of the previous page; billing decodes it. */
  @IsOptional()
  @IsCursor()
  cursor?: string;
}

/** Those of a list of calls. */
export class CallsParameters extends PageParameters {
  @IsOptional()
  @IsDayParameter()
  from?: string;

  @IsOptional()
  @IsDayParameter()
  to?: string;

  @IsOptional()
  @IsKeyId()
  key_id?: string;

  @IsOptional()
  @IsIn(operations, { message: `operation must be one of ${operations.join(', ')}` })
  operation?: string;

  @IsOptional()
  @IsIn(callStates, { message: `state must be one of ${callStates.join(', ')}` })
  state?: string;
}

export const pageParameterNames = ['limit', 'cursor'] as const satisfies readonly (keyof PageParameters)[];

export const callsParameterNames = [
  'from',
  'to',
  'key_id',
  'operation',
  'state',
  ...pageParameterNames,
] as const satisfies readonly (keyof CallsParameters)[];

function IsCursor(): PropertyDecorator {
  const isCursor = (value: unknown): boolean => typeof value === 'string' && cursorPattern.test(value);
  return rule('isCursor', 'must be taken as it is from the Link header of a list of calls', isCursor);
}

function IsDayParameter(): PropertyDecorator {
  return rule('isDayParameter', 'must be a day, for example 2026-01-31', isDay);
}

function IsKeyId(): PropertyDecorator {
  return rule('isKeyId', 'must be the id of a key, a UUID in lower case', isId);
}
