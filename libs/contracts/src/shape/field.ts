import { addField, type Field, type JsonSchema } from './shape.js';

/** The options of every field, in addition to its rule. */
export interface FieldOptions {
  /** Markdown; a sentence. */
  readonly description?: string;
  readonly example?: unknown;
  /** The field may be absent. */
  readonly optional?: boolean;
  /** `null` is a value, too. */
  readonly nullable?: boolean;
  /** What an absent field becomes. */
  readonly default?: unknown;
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type ValueOf<Value, Options> = Options extends { readonly nullable: true } ? Value | null : Value;
type IsOptional<Options> = Options extends { readonly optional: true } ? true : false;

/** A decorator that compiles only on a property of the same type, optional where the field is. */
type Typed<Value, Optional extends boolean> = <
  Name extends string,
  Target extends { readonly [Property in Name]?: unknown },
>(
  target: Target &
    (Same<Exclude<Target[Name], undefined>, Value> extends true
      ? undefined extends Target[Name]
        ? Optional extends true
          ? unknown
          : { 'the property is optional': 'its decorator is not' }
        : Optional extends true
          ? { 'the decorator is optional': 'its property is not' }
          : unknown
      : { 'the decorator says': Value }),
  name: Name,
) => void;

export type Decorator<Value, Options> = Typed<ValueOf<Value, Options>, IsOptional<Options>>;

export type None = Readonly<Record<never, never>>;
export const none: None = {};

export interface Rule extends Partial<Pick<Field, 'parse' | 'clean' | 'shape' | 'itemRule'>> {
  readonly schema: JsonSchema;
  /** Follows the name of the field. */
  readonly sentence: string | ((value: unknown) => string);
  readonly isValid: (value: unknown) => boolean;
}

/** Builds a decorator from a rule: the one place that knows both the options and the field. */
export function field<Value, const Options extends FieldOptions>(
  rule: Rule,
  options: Options,
): Decorator<Value, Options> & AnyDecorator {
  const { description, example, optional = false, nullable = false, default: standard } = options;
  const { schema, sentence, isValid, ...more } = rule;
  const described: Field = {
    schema: {
      ...(nullable ? orNull(schema) : schema),
      ...(description === undefined ? {} : { description }),
      ...(standard === undefined ? {} : { default: standard }),
      ...(example === undefined ? {} : { example }),
    },
    optional: optional || standard !== undefined,
    ...(standard === undefined ? {} : { default: standard }),
    problem: (value) => {
      if ((nullable && value === null) || isValid(value)) return null;
      return typeof sentence === 'string' ? sentence : sentence(value);
    },
    ...more,
  };
  return (target: object, name: string) => addField(target, name, described);
}

/** A decorator of fields whose rule follows from their options; without any where each of them can be left out. */
export function fieldFrom<Value, Given extends FieldOptions>(ruleOf: (options: Given) => Rule) {
  return <const Options extends Given = None & Given>(
    ...[options = none as Options]: None extends Given ? [options?: Options] : [options: Options]
  ): Decorator<Value, Options> => field<Value, Options>(ruleOf(options), options);
}

/** A decorator of fields that all have the same rule. */
export const fieldWith = <Value>(rule: Rule) => fieldFrom<Value, FieldOptions>(() => rule);

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(choices ? { enum: [...choices, null] } : {}),
  };
}

/** A decorator of a value without a type to compare with the property's. */
export type AnyDecorator = (target: object, name: string) => void;
