import { type ErrorDetails } from '../errors.js';
import { type Decorator, field, type FieldOptions, none, type None } from './field.js';

interface AnyTextOptions extends FieldOptions {
  /** The known texts, for documents: the service that answers says what is wrong with others. */
  readonly known?: readonly string[];
}

const isString = (value: unknown): boolean => typeof value === 'string';

/** A string of any form: in an answer, or in a request where the receiver validates it. */
export function AnyText<const Options extends AnyTextOptions = None>(
  options: Options = none as Options,
): Decorator<string, Options> {
  const { known } = options as AnyTextOptions;
  const schema = { type: 'string', ...(known ? { enum: [...known] } : {}) };
  return field<string, Options>({ schema, sentence: 'must be a string', isValid: isString }, options);
}

/** A list of strings of any form, in an answer. */
export function AnyTexts<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<readonly string[], Options> {
  return field<readonly string[], Options>(
    {
      schema: { type: 'array', items: { type: 'string' } },
      sentence: 'must be a list of strings',
      isValid: (value) => Array.isArray(value) && value.every(isString),
    },
    options,
  );
}

/** What is wrong, by field: sentences. */
export function Details<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<ErrorDetails, Options> {
  return field<ErrorDetails, Options>(
    {
      schema: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      sentence: 'must be an object of lists of strings',
      isValid: (value) => typeof value === 'object' && value !== null,
    },
    options,
  );
}
