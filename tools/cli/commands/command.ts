import { Option, type Command } from 'commander';
import { parseCount } from '../arguments.js';
import { type Session } from '../session.js';

type Action = Parameters<Command['action']>[0];

/** A command: its words, its help and what it does are declared once. */
export interface CommandSpec {
  /** Name and arguments: `rename <account> <key> <name>`. */
  readonly usage: string;
  readonly help: string;
  readonly options?: readonly Option[];
  /** Shown below the options. */
  readonly more?: string;
  /** Gets the arguments in their order, then the options. */
  readonly run: (session: Session) => Action;
}

export interface CommandGroup {
  readonly group: string;
  readonly help: string;
  readonly commands: readonly CommandSpec[];
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
  slug: 'slug, as in the profile URL',
  file: 'file to read; - reads standard input',
  dump: 'file to read; - reads standard input',
  email: 'email address of the person',
};

export function addCommands(
  parent: Command,
  session: Session,
  specs: readonly (CommandSpec | CommandGroup)[],
): void {
  for (const spec of specs) {
    if ('group' in spec) {
      addCommands(parent.command(spec.group).description(spec.help), session, spec.commands);
      continue;
    }
    const command = parent.command(spec.usage).description(spec.help).action(spec.run(session));
    for (const argument of command.registeredArguments) {
      argument.description = argumentHelp[argument.name()] ?? '';
    }
    for (const option of spec.options ?? []) command.addOption(option);
    if (spec.more) command.addHelpText('after', spec.more);
  }
}

export function option<Value>(flags: string, help: string, parse?: (text: string) => Value): Option {
  const declared = new Option(flags, help);
  return parse ? declared.argParser(parse) : declared;
}

export function required<Value>(flags: string, help: string, parse?: (text: string) => Value): Option {
  return option(flags, help, parse).makeOptionMandatory();
}

export interface PageOptions {
  readonly limit?: string;
  readonly cursor?: string;
}

/** `--limit` and `--cursor` of a list. */
export function pageOptions(items: string): Option[] {
  return [
    option('--limit <n>', `${items} per page (default: 50)`, parseCount),
    option('--cursor <cursor>', 'cursor from the previous page'),
  ];
}
