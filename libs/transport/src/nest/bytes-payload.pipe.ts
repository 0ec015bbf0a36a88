import { InvalidPayloadError, type PayloadClass, readPayload, WithBytes } from '@app/contracts';
import { type PipeTransform } from '@nestjs/common';

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
