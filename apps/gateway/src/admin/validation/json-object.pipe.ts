import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ServiceError } from '@app/contracts';

/** Refuses a body that is not a JSON object, before its fields are validated. */
export class JsonObjectPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type !== 'body' || isObject(value)) return value;
    const problem = 'the body must be a JSON object';
    throw new ServiceError('invalid_request', `The request is not valid: ${problem}.`, {
      details: { body: [problem] },
    });
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
