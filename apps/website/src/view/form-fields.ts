import { createHmac } from 'node:crypto';
import { isReadOnly } from '#http';
import {
  emailProblem,
  type Field,
  fieldsOf,
  isId,
  isRecord,
  ServiceError,
  type ShapeClass,
} from '#contracts';
import { isSameSecret } from '#platform';
import { type FastifyRequest } from 'fastify';

/** The hidden field of every form that changes something. */
export const formTokenField = 'form_token';

/** The fields of a form or the parameters of an address, as a browser sends them; of a name that is given twice, the first. */
export class FormFields {
  /** `action`: the path that it was sent to, which tells the forms of a page apart. */
  constructor(
    readonly action: string,
    private readonly fields: Readonly<Record<string, unknown>>,
  ) {}

  /** Throws `unsupported_media_type` for a body that is not a form. */
  static of(request: FastifyRequest): FormFields {
    const fields = isReadOnly(request) ? request.query : request.body;
    // Another type was not parsed.
    if (!isRecord(fields) || Buffer.isBuffer(fields)) {
      throw new ServiceError(
        'unsupported_media_type',
        'This address only accepts forms of the account pages.',
      );
    }
    const [path = ''] = request.url.split('?', 1);
    return new FormFields(path, fields);
  }

  /** Whether it is of a page that was made for the session, or the guest, with this token; compares in constant time. */
  hasToken(token: string): boolean {
    const [sent = ''] = this.text(formTokenField).split('.');
    return isSameSecret(sent, formTokenOf(token));
  }

  /** The member whose page it is from, as `MemberRequest.formOwner`; `undefined` for a guest's. */
  get owner(): string | undefined {
    return this.text(formTokenField).split('.')[1];
  }

  /** Its fields as JSON, without secrets. */
  toJSON(): Readonly<Record<string, unknown>> {
    const secrets = ['code', formTokenField];
    return Object.fromEntries(Object.entries(this.fields).filter(([name]) => !secrets.includes(name)));
  }

  /** The typed text, trimmed and without control characters; empty for a missing field. */
  text(name: string): string {
    const [value = ''] = [this.fields[name]].flat();
    return String(value)
      .replace(/\p{Cc}/gu, ' ')
      .trim();
  }

  isTicked(name: string): boolean {
    return name in this.fields;
  }

  /** The value of a field that is one of `choices`, if it is. */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name);
    return choices.find((choice) => choice === text);
  }

  /** Throws `not_found` for what is no id, as for one that does not exist. */
  id(name: string): string {
    return readId(this.text(name));
  }

  /** The address in the field `email`. Throws `invalid_request` with what is wrong with it. */
  email(): string {
    const email = this.text('email');
    const problem = emailProblem(email);
    if (problem !== null) throw fieldProblem('email', problem);
    return email;
  }

  /**
   * Fields that are those of a message's payload, by its rules. `problems`: for each, what to tell people whose input breaks
   * them. Throws `invalid_request` with these sentences.
   */
  read<Payload extends object, const Name extends keyof Payload & string>(
    Class: ShapeClass<Payload>,
    problems: Readonly<Record<Name, string>>,
  ): Required<Pick<Payload, Name>> {
    const values: Record<string, unknown> = {};
    for (const [name, problem] of Object.entries<string>(problems)) {
      const field = fieldsOf(Class).get(name);
      if (!field) throw new Error(`${Class.name} has no field ${name}`);
      values[name] = this.valueOf(name, field);
      if (field.problem(values[name]) !== null) throw fieldProblem(name, problem);
    }
    return values as Required<Pick<Payload, Name>>;
  }

  /** A number that is left out is 0. */
  private valueOf(name: string, { schema, parse, clean }: Field): unknown {
    if (schema.type === 'boolean') return this.isTicked(name);
    const text = this.text(name) || (schema.type === 'integer' ? '0' : '');
    const value = parse ? parse(text) : text;
    return clean ? clean(value) : value;
  }
}

/** The token of every form: only pages sent to the browser with this session token know it. */
export function formTokenOf(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url');
}

/** An id in a form or an address. What cannot be one is answered as one that does not exist. */
export function readId(text: string): string {
  if (isId(text)) return text;
  throw new ServiceError('not_found', 'Not found in this account.');
}

/** A problem of one field. */
export function fieldProblem(field: string, problem: string): ServiceError {
  return new ServiceError('invalid_request', problem, { details: { [field]: [problem] } });
}
