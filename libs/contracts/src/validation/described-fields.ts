import { getMetadataStorage, type ValidatorConstraintInterface, ValidationTypes } from 'class-validator';

type Condition = (payload: object, value: unknown) => boolean;

/** A field of a payload, with the rules that its decorators registered at class-validator. */
export interface DescribedField {
  readonly name: string;
  /** The rules apply only when all of these hold. */
  readonly conditions: readonly Condition[];
  readonly rules: readonly ValidatorConstraintInterface[];
}

/** Reads the decorators of a payload class; empty for a class without. */
export function describedFields(payloadClass: new () => object): DescribedField[] {
  const storage = getMetadataStorage();
  const fields = new Map<string, { conditions: Condition[]; rules: ValidatorConstraintInterface[] }>();
  for (const metadata of storage.getTargetValidationMetadatas(payloadClass, '', false, false)) {
    const field = fields.get(metadata.propertyName) ?? { conditions: [], rules: [] };
    fields.set(metadata.propertyName, field);
    if (metadata.type === ValidationTypes.CONDITIONAL_VALIDATION) {
      field.conditions.push(metadata.constraints[0] as Condition);
    } else if (metadata.type === ValidationTypes.CUSTOM_VALIDATION) {
      const constraints = storage.getTargetValidatorConstraints(metadata.constraintCls);
      field.rules.push(...constraints.map(({ instance }) => instance));
    }
  }
  return [...fields].map(([name, field]) => ({ name, ...field }));
}

/**
 * Whether every rule holds. class-validator would say the same, but spends ten times as long on errors that valid
 * payloads don't have.
 */
export function isValid(payload: object, fields: readonly DescribedField[]): boolean {
  return fields.every(({ name, conditions, rules }) => {
    const value: unknown = Reflect.get(payload, name);
    const applies = conditions.every((condition) => condition(payload, value));
    return !applies || rules.every((rule) => rule.validate(value) === true);
  });
}
