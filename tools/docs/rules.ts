import { type JsonSchema } from '#contracts';

const formats: Readonly<Record<string, string | undefined>> = {
  date: '`YYYY-MM-DD`',
  'date-time': 'ISO 8601',
  uuid: 'UUID',
};

/** What a schema asks of a value besides its type, in words; empty when it asks nothing. */
export function rulesOf({ minimum, maximum, maxLength, maxItems, ...schema }: JsonSchema): string {
  const isBounded = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  return [
    isBounded ? `${minimum} to ${maximum}` : undefined,
    maxLength === undefined ? undefined : `up to ${maxLength} characters`,
    maxItems === undefined ? undefined : `up to ${maxItems}`,
    formats[schema.format ?? ''],
    typeof schema.default === 'number' ? `default ${schema.default}` : undefined,
  ]
    .filter((rule) => rule !== undefined)
    .join('; ');
}
