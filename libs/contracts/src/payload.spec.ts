import { examples, malformed } from './examples.fixture.js';
import * as contracts from './index.js';
import { fieldsOf, InvalidPayloadError, readPayload } from './index.js';

const declared = Object.values(contracts).flatMap((value) =>
  typeof value === 'object' && 'payload' in value ? [value] : [],
);

/** The problems of a payload by field. */
function problemsOf(Payload: contracts.PayloadClass, value: unknown): contracts.ErrorDetails | undefined {
  try {
    readPayload(Payload, value);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidPayloadError) return error.details;
    throw error;
  }
}

function isNullable({ payload }: contracts.MessageContract<unknown, unknown>, field: string): boolean {
  return [fieldsOf(payload).get(field)?.schema.type].flat().includes('null');
}

describe('payloads of the messages', () => {
  it('are all described', () => {
    const undescribed = declared.filter(
      ({ payload }) => fieldsOf(payload).size === 0 && payload !== contracts.NoPayload,
    );
    expect(undescribed).toEqual([]);
  });

  it.each(examples)('$pattern: what a gateway sends is read unchanged', ({ contract, payload }) => {
    expect({ ...readPayload(contract.payload, payload) }).toEqual(payload);
  });

  it.each(malformed)('$pattern: another type of $field is refused by its name', (example) => {
    const { contract, payload, field } = example;
    const sentence = expect.stringMatching(`^${field} must be `) as string;
    expect(problemsOf(contract.payload, payload)).toEqual({ [field]: [sentence] });
  });

  it.each(malformed)(
    '$pattern: $field can be null only when it is nullable, and missing only when it is optional',
    (example) => {
      const { contract, field } = example;
      const payload = examples.find(({ pattern }) => pattern === example.pattern)?.payload;
      const named = { [field]: [expect.any(String)] };
      const whenNull = problemsOf(contract.payload, { ...payload, [field]: null });
      expect(whenNull).toEqual(isNullable(contract, field) ? undefined : named);
      const without = problemsOf(contract.payload, { ...payload, [field]: undefined });
      expect([undefined, named]).toContainEqual(without);
    },
  );

  it.each(examples)('$pattern: an unknown field is left out', ({ contract, payload }) => {
    const more = JSON.parse(
      `{"newer": 1, "constructor": 2, "__proto__": {"polluted": 3}, ${JSON.stringify(payload).slice(1)}`.replace(
        ', }',
        '}',
      ),
    ) as unknown;
    const read = readPayload(contract.payload, more);
    expect(Object.keys(read).toSorted()).toEqual(Object.keys(payload).toSorted());
    expect(Object.getPrototypeOf(read)).toBe(contract.payload.prototype);
  });

  it.each([null, undefined, 'text', 7, true, []])("can't be %p", (value) => {
    expect(problemsOf(contracts.AccountPath, value)).toEqual({
      payload: ['the payload must be a JSON object'],
    });
  });
});
