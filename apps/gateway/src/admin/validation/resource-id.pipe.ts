import { type PipeTransform } from '@nestjs/common';
import { ServiceError } from '@app/contracts';
import { validate as isUuid } from 'uuid';

/** A path parameter that is the id of an account, a key or an order. A malformed id is `not_found`. */
export class ResourceIdPipe implements PipeTransform<string, string> {
  constructor(private readonly noun: 'account' | 'key' | 'order') {}

  transform(value: string): string {
    if (isUuid(value)) return value.toLowerCase();
    throw new ServiceError('not_found', `There is no ${this.noun} with this id.`);
  }
}

export const accountId = new ResourceIdPipe('account');
export const keyId = new ResourceIdPipe('key');
export const orderId = new ResourceIdPipe('order');
