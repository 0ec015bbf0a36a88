import { fieldsOf, InvalidPayloadError, type PayloadClass, readPayload, WithBytes } from '#contracts';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';

/**
 * Validates a handler's payload against the class of its parameter and passes on the described fields. Throws
 * `invalid_request` with a sentence for each invalid field, before the handler runs. Unknown fields are dropped, not
 * refused: during a roll-out a newer gateway may send more than an older service knows.
 */
@Injectable()
export class PayloadPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    const Class = metatype as PayloadClass | undefined;
    return Class && fieldsOf(Class).size > 0 ? readPayload(Class, value) : value;
  }
}

/** For a payload with bytes, `@Payload(new BytesPayloadPipe(Chunk))`: validates its value and passes the bytes on. */
export class BytesPayloadPipe<Value extends object> implements PipeTransform<unknown, WithBytes<Value>> {
  constructor(private readonly value: PayloadClass<Value>) {}

  transform(payload: unknown): WithBytes<Value> {
    if (!(payload instanceof WithBytes)) {
      throw new InvalidPayloadError({ payload: ['the payload must come with bytes'] });
    }
    return new WithBytes(readPayload(this.value, payload.value), payload.bytes);
  }
}
