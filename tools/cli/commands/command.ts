import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { none, parseCount } from '../arguments.js';
import { type Method } from '../admin-client.js';
import { type Column, show } from '../output/show.js';
import { type Session } from '../session.js';

/** Adds a command, or a group of them, to its parent. */
export type Addition = (parent: Command, session: Session) => void;

interface Words {
  readonly options?: readonly Option[];
  /** Shown below the options. */
  readonly more?: string;
}

/**
 * One call of the admin API, whose answer is shown. Arguments and options are fields of the query or the body, unless the path names
 * them.
 */
interface Call<Answer> extends Words {
  /** `PATCH /accounts/:account`, below `/admin/v1`. */
  readonly call: `${Method} /${string}`;
  /** Fields of the body besides those that the user gives. */
  readonly sends?: object;
  /** How the request can be repeated: by an Idempotency-Key that is sent along, or by its `reference`. */
  readonly once?: 'key' | 'reference';
  /** The columns of a list in the answer; default: all of its fields. */
  readonly columns?: readonly Column<never>[];
  /** A sentence below the answer, for people. */
  readonly remark?: (answer: Answer, session: Session) => string | undefined;
}

/** Anything else that a command does. */
interface Run<Given> extends Words {
  readonly run: (session: Session, given: Given, command: Command) => Promise<void>;
}

/** What the arguments of all commands mean, by their names. */
const argumentHelp: Readonly<Record<string, string>> = {
  account: 'account id',
  key: 'key id (not the key itself)',
  name: 'the new name',
  lot: 'lot id',
  token: 'token id (not the token itself)',
  order: 'order id',
  removal: 'removal id',
  import: 'import id',
  slug: 'slug, as in the profile URL',
  from: 'slug of the record that goes',
  into: 'slug of the record that stays',
  file: 'file to read; - reads standard input',
  dump: 'file to read; - reads standard input',
  email: 'email address of the person',
};

/** A command by its name and arguments, such as `rename <account> <key> <name>`. */
export function command<Answer extends object, Given extends object = Record<string, string>>(
  usage: string,
  help: string,
  spec: Call<Answer> | Run<Given>,
): Addition {
  return (parent, session) => {
    const added = parent.command(usage).description(help);
    for (const argument of added.registeredArguments) {
      argument.description = argumentHelp[argument.name()] ?? '';
    }
    for (const option of spec.options ?? []) added.addOption(option);
    if (spec.more) added.addHelpText('after', spec.more);
    added.action(async () => {
      const names = added.registeredArguments.map((argument) => argument.name());
      const values = names.map((name, index) => [name, added.processedArgs[index] as unknown] as const);
      const words = [...values, ...Object.entries<unknown>(added.opts())];
      const given = Object.fromEntries(
        words.map(([name, value]) => [name, value === none ? null : value]),
      ) as Given;
      if ('run' in spec) await spec.run(session, given, added);
      else await send(session, spec, given);
    });
  };
}

export function group(name: string, help: string, commands: readonly Addition[]): Addition {
  return (parent, session) => {
    const added = parent.command(name).description(help);
    for (const add of commands) add(added, session);
  };
}

async function send<Answer extends object>(
  session: Session,
  { call, options = [], sends, once, columns, remark }: Call<Answer>,
  given: object,
): Promise<void> {
  const { client } = session;
  const rest = { ...given } as Record<string, unknown>;
  const [method, template = ''] = call.split(' ') as [Method, string?];
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const sent = { ...rest, ...sends };
  if (once === 'reference' && rest.reference === undefined) {
    const reference = randomUUID();
    session.note(`Reference: ${reference} (to try again: --reference ${reference})`);
    Object.assign(sent, { reference });
  }
  const hasBody = options.length > 0 || Object.keys(sent).length > 0;
  const request = { method, path, ...(method === 'GET' ? { query: sent } : hasBody && { body: sent }) };
  const { status, body } = await (once === 'key'
    ? client.create<Answer>(request)
    : client.call<Answer>(request));
  if (once === 'reference' && status === 200) {
    session.note('This reference was already used: nothing was changed.');
  }
  session.print(body, (answer) =>
    [show(answer, columns), remark?.(answer, session)].filter(Boolean).join('\n\n'),
  );
}

/** An option whose value is the field of the request with its name, or with another one. */
class FieldOption extends Option {
  private field?: string;

  as(field: string): this {
    this.field = field;
    return this;
  }

  override attributeName(): string {
    return this.field ?? this.name().replaceAll('-', '_');
  }
}

/** `before`: what an option that is given again had until then. */
type Parse<Value> = (text: string, before: Value | undefined) => Value;

export function option<Value>(flags: string, help: string, parse?: Parse<Value>): FieldOption {
  const declared = new FieldOption(flags, help);
  return parse ? declared.argParser(parse) : declared;
}

export function required<Value>(flags: string, help: string, parse?: Parse<Value>): FieldOption {
  return option(flags, help, parse).makeOptionMandatory();
}

export const pageOptions: readonly Option[] = [
  option('--limit <n>', 'how many per page (default: 50)', parseCount),
  option('--cursor <cursor>', 'cursor from the previous page'),
];
