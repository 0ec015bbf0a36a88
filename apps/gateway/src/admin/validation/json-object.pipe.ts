import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { isRecord } from '@app/contracts';
import { invalidRequest } from '../../http/requests/invalid-request.js';

/** Refuses a body that is not a JSON object, before its fields are validated. */
export class JsonObjectPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type !== 'body' || isRecord(value)) return value;
    throw invalidRequest({ body: ['the body must be a JSON object'] });
  }
}
