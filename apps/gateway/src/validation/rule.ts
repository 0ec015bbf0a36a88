import { ValidateBy } from 'class-validator';

/** Property decorator for a rule of one's own. A value that breaks it is told with the property's name and `sentence`. */
export function rule(
  name: string,
  sentence: string,
  validate: (value: unknown) => boolean,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: { validate, defaultMessage: (context) => `${context?.property ?? name} ${sentence}` },
  });
}
