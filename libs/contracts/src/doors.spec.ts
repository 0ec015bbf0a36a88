import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from './index.js';
import { doors, maySend } from './doors.js';

const { charge, settle, adjust, purchase, startAgreement, refundLot, refundOrder, acceptOrder } = contracts;
const { createAdminToken, createSignInLink, erasePerson, putCreator, importChunk, createKey } = contracts;

const folder = 'apps/website/src';
const imports = /import \{([^}]*)\} from '#contracts'/g;

const messages = Object.entries(contracts).flatMap(([name, value]) =>
  typeof value === 'object' && 'pattern' in value ? [{ ...value, name }] : [],
);
const ofWebsite = messages.filter((message) => maySend('website', message));

it('each message may come through a door', () => {
  const shut = messages.filter((message) => !doors.some((door) => maySend(door, message)));
  expect(shut.map(({ name }) => name)).toEqual([]);
});

it('the website may send what its code sends, and nothing else', () => {
  const imported = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?!.*(spec|fixture)\.).*\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(imports)])
    .flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
  const sent = messages.filter(({ name }) => imported.includes(name));
  expect(ofWebsite.map(({ name }) => name)).toEqual(sent.map(({ name }) => name));
});

it('the website neither takes nor gives credits, makes no operator, and changes no creator', () => {
  const forbidden = [
    ...[charge, settle, adjust, purchase, startAgreement, refundLot, refundOrder, acceptOrder],
    ...[createAdminToken, createSignInLink, erasePerson, putCreator, importChunk],
  ];
  expect(forbidden.filter((message) => maySend('website', message))).toEqual([]);
});

it('the website speaks for no operator', () => {
  const operator = { id: 'operator', name: 'Ada' };
  const inHerName = doors.filter((door) => maySend(door, { ...createKey, operator }));
  expect(inHerName).toEqual(['gateway']);
});

it('its requests are never settlements, which no service takes from its queues', () => {
  expect(ofWebsite.filter(({ queue }) => queue !== 'requests')).toEqual([]);
});
