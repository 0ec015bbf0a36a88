import { type PayloadClass, readPayload, fieldsOf } from '@app/contracts';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';

/**
 * Gives a handler the described fields of its payload: what it takes as a parameter whose class has them. Throws
 * `invalid_request` with a sentence for each field that fails, before anything runs. A field that nobody described is left out
 * and refuses nothing: in a roll-out a newer gateway may send more than an older service knows.
 */
@Injectable()
export class PayloadPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    const Class = metatype as PayloadClass | undefined;
    return Class && fieldsOf(Class).length > 0 ? readPayload(Class, value) : value;
  }
}
