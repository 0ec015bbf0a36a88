import { ServiceError, slugLengthMax, slugPattern } from '#contracts';
import { createParamDecorator, type ExecutionContext, Param, type PipeTransform } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { idempotencyKeyOf } from '../requests/read-request.js';

/** The `account_id` of the path, in lower case. A malformed one is `not_found`, as are those of keys, lots and orders. */
export const AccountId = (): ParameterDecorator => Param('account_id', new ResourceIdPipe('account'));
export const KeyId = (): ParameterDecorator => Param('key_id', new ResourceIdPipe('key'));
export const ImportId = (): ParameterDecorator => Param('import_id', new ResourceIdPipe('import'));
export const LotId = (): ParameterDecorator => Param('lot_id', new ResourceIdPipe('lot'));
export const OrderId = (): ParameterDecorator => Param('order_id', new ResourceIdPipe('order'));
export const RemovalId = (): ParameterDecorator => Param('removal_id', new ResourceIdPipe('removal'));
export const TokenId = (): ParameterDecorator => Param('token_id', new ResourceIdPipe('token'));

/** The slug of a creator in the path. A malformed one is `not_found`. */
export const Slug = (): ParameterDecorator => Param('slug', SlugPipe);

/** The `Idempotency-Key` of a request that creates something; without the header, a unique generated one. */
export const IdempotencyKey = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string =>
    idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()) ?? uuidv7(),
);

class ResourceIdPipe implements PipeTransform<string, string> {
  constructor(private readonly noun: 'account' | 'import' | 'key' | 'lot' | 'order' | 'removal' | 'token') {}

  transform(value: string): string {
    if (isUuid(value)) return value.toLowerCase();
    throw new ServiceError('not_found', `There is no ${this.noun} with this id.`);
  }
}

class SlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (value.length <= slugLengthMax && slugPattern.test(value)) return value;
    throw new ServiceError('not_found', 'There is no creator with this slug.');
  }
}
