import {
  type AnyDecorator,
  type Decorator,
  field,
  fieldFrom,
  type FieldOptions,
  none,
  type None,
  type Rule,
} from './field.js';
import { shown } from './fields.js';
import { isPlainText, isRecord } from './formats.js';
import { type ShapeClass } from './shape.js';

/** Some of the choices, each at most once. */
export function Choices<const Name extends string, const Options extends FieldOptions = None>(
  choices: readonly Name[],
  options: Options = none as Options,
): Decorator<readonly Name[], Options> {
  const known = new Set<unknown>(choices);
  return field<readonly Name[], Options>(
    {
      schema: { type: 'array', items: { type: 'string', enum: [...choices] } },
      sentence: `must be a list of some of ${choices.join(', ')}`,
      isValid: (value) =>
        isList(value, choices.length) &&
        value.every((item) => known.has(item)) &&
        new Set(value).size === value.length,
    },
    options,
  );
}

/** An object of another shape. */
export function One<Item extends object, const Options extends FieldOptions = None>(
  shape: () => ShapeClass<Item>,
  options: Options = none as Options,
): Decorator<Item, Options> {
  return field<Item, Options>(
    { schema: {}, sentence: 'must be an object', isValid: isRecord, shape },
    options,
  );
}

interface ListOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
}

interface ManyOptions extends ListOptions {
  /** What they are, for errors; default: objects. */
  readonly what?: string;
  /** What each item must be: one that is no object is then named by its own path, as `accounts[3]`. */
  readonly itemRule?: string;
}

/** A list of objects of another shape. */
export function Many<Item extends object, const Options extends ManyOptions = None>(
  shape: () => ShapeClass<Item>,
  options: Options = none as Options,
): Decorator<readonly Item[], Options> {
  const { what = 'objects', itemRule } = options as ManyOptions;
  const rule = listRule(options, what, itemRule === undefined ? isRecord : () => true);
  return field<readonly Item[], Options>(
    { ...rule, shape, ...(itemRule === undefined ? {} : { itemRule }) },
    options,
  );
}

interface TextsOptions extends ListOptions {
  /** Characters of each, once trimmed. */
  readonly length: number;
}

/** A list of strings of 1 to `length` characters, each as a `Text`. */
export const Texts = fieldFrom<readonly string[], TextsOptions>(({ length, ...list }) => {
  const what = `strings of 1 to ${length} characters without control characters`;
  const rule = listRule(list, what, (item) => isPlainText(item, 1, length, false));
  return {
    ...rule,
    schema: { ...rule.schema, items: { type: 'string', minLength: 1, maxLength: length } },
    clean: (value) => (Array.isArray(value) ? value.map(shown) : value),
  };
});

function listRule(
  { min = 0, max = Number.MAX_SAFE_INTEGER }: ListOptions,
  what: string,
  isItem: (item: unknown) => boolean,
): Rule {
  const count = max === Number.MAX_SAFE_INTEGER ? '' : min > 0 ? `${min} to ${max} ` : `at most ${max} `;
  return {
    schema: {
      type: 'array',
      ...(min > 0 ? { minItems: min } : {}),
      ...(count === '' ? {} : { maxItems: max }),
    },
    sentence: (value) => {
      const invalid = isList(value, max) ? value.findIndex((item) => !isItem(item)) : -1;
      return `must be a list of ${count}${what}${invalid === -1 ? '' : `; item [${invalid}] is not`}`;
    },
    isValid: (value) => isList(value, max) && value.length >= min && value.every(isItem),
  };
}

/** A list of which the receiver reads the items one by one: an invalid one does not fail the others. */
export function Items(options: FieldOptions & { readonly max: number }): AnyDecorator {
  const { max } = options;
  return field(
    {
      schema: { type: 'array', maxItems: max },
      sentence: `must be a list of at most ${max} items`,
      isValid: (value) => isList(value, max),
    },
    options,
  );
}

function isList(value: unknown, max: number): value is unknown[] {
  return Array.isArray(value) && value.length <= max;
}
