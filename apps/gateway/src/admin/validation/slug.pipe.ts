import { type PipeTransform } from '@nestjs/common';
import { ServiceError, slugLengthMax, slugPattern } from '@app/contracts';

/** A path parameter that is a creator's slug. A malformed slug is `not_found`. */
export class SlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (value.length <= slugLengthMax && slugPattern.test(value)) return value;
    throw new ServiceError('not_found', 'There is no creator with this slug.');
  }
}
