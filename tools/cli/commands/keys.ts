import { type Command } from 'commander';
import { type CreatedKey, type KeyView } from '@app/contracts';
import { path } from '../admin-client.js';
import { formatTime } from '../output/format.js';
import { fields, table, type Column } from '../output/table.js';
import { type Session } from '../session.js';

const columns: Column<KeyView>[] = [
  { title: 'ID', value: (key) => key.id },
  { title: 'NAME', value: (key) => key.name },
  { title: 'KEY', value: (key) => `${key.prefix}...` },
  { title: 'ACTIVE', value: (key) => (key.active ? 'yes' : 'no') },
  { title: 'CREATED (UTC)', value: (key) => formatTime(key.created_at) },
  { title: 'LAST USED (UTC)', value: (key) => formatTime(key.last_used_at) },
];

/** `keys create | list | enable | disable | rename | delete`. */
export function addKeys(program: Command, session: Session): void {
  const keys = program.command('keys').description('API keys of an account, at most 5');

  keys
    .command('create')
    .description('create a key; it is shown only once')
    .argument('<account>', 'account id')
    .option('--name <name>', 'what the key is for', 'default')
    .action(async (account: string, { name }: { name: string }) => {
      const key = await session.client.create<CreatedKey>(path('accounts', account, 'keys'), { name });
      session.print(key, showCreated);
    });

  keys
    .command('list')
    .description('list the keys of an account')
    .argument('<account>', 'account id')
    .action(async (account: string) => {
      const call = { method: 'GET', path: path('accounts', account, 'keys') } as const;
      const list = await session.client.call<{ keys: KeyView[] }>(call);
      session.print(list, (shown) => table(columns, shown.keys));
    });

  addChange(keys, session, 'enable', 'switch a key on', { active: true });
  addChange(keys, session, 'disable', 'switch a key off: calls with it are refused within a second', {
    active: false,
  });
  addRename(keys, session);
  addDelete(keys, session);
}

function addChange(keys: Command, session: Session, name: string, help: string, change: object): void {
  keys
    .command(name)
    .description(help)
    .argument('<account>', 'account id')
    .argument('<key>', 'key id (not the key itself)')
    .action((account: string, key: string) => changeKey(session, account, key, change));
}

function addRename(keys: Command, session: Session): void {
  keys
    .command('rename')
    .description('rename a key')
    .argument('<account>', 'account id')
    .argument('<key>', 'key id')
    .argument('<name>', 'the new name')
    .action((account: string, key: string, name: string) => changeKey(session, account, key, { name }));
}

function addDelete(keys: Command, session: Session): void {
  keys
    .command('delete')
    .description('delete a key for good: calls with it are refused within a second')
    .argument('<account>', 'account id')
    .argument('<key>', 'key id')
    .action(async (account: string, key: string) => {
      const call = { method: 'DELETE', path: path('accounts', account, 'keys', key) } as const;
      session.print(await session.client.call<{ deleted: true }>(call), () => `Key ${key} is deleted.`);
    });
}

async function changeKey(session: Session, account: string, key: string, body: object): Promise<void> {
  const call = { method: 'PATCH', path: path('accounts', account, 'keys', key), body } as const;
  session.print(await session.client.call<KeyView>(call), (shown) => table(columns, [shown]));
}

function showCreated(key: CreatedKey): string {
  const facts = fields([
    ['id', key.id],
    ['name', key.name],
    ['key', key.key],
  ]);
  return `${facts}\n\nKeep the key now: it is not stored and can't be shown again.`;
}
