import {
  Balance,
  CallRecord,
  callReasons,
  Calls,
  CallsQuery,
  callStates,
  Creator,
  CreatorProfile,
  Credits,
  DatedPlatformAccount,
  DaysQuery,
  fieldsOf,
  Filters,
  type JsonSchema,
  LookUpAnswer,
  LookUpResult,
  LookUpsAnswer,
  operations,
  PageQuery,
  PlatformAccount,
  platforms,
  Profile,
  ProfileResult,
  ProfilesAnswer,
  profileStatuses,
  SearchAnswer,
  SearchFilters,
  searchFilters,
  SearchQuery,
  type ShapeClass,
  shapeOf,
  shapesWithin,
  Usage,
} from '#contracts';

/** What a caller sends: an optional field may be given as `undefined`, too. */
const parameters = new Map<ShapeClass, string>([
  [SearchFilters, 'SearchFilters'],
  [SearchQuery, 'SearchParameters'],
  [DaysQuery, 'UsageParameters'],
  [PageQuery, 'PageParameters'],
  [CallsQuery, 'CallsParameters'],
]);

/** The shapes that clients know by a name of their own. */
const names = new Map<ShapeClass, string>([
  ...parameters,
  [Credits, 'Charge'],
  [SearchAnswer, 'SearchBody'],
  [Creator, 'Creator'],
  [PlatformAccount, 'PlatformEntry'],
  [Profile, 'CreatorProfile'],
  [DatedPlatformAccount, 'ProfilePlatformEntry'],
  [CreatorProfile, 'ProfileBody'],
  [ProfileResult, 'ProfileEntry'],
  [ProfilesAnswer, 'ProfilesBody'],
  [Filters, 'FiltersBody'],
  [LookUpAnswer, 'LookupBody'],
  [LookUpResult, 'LookupEntry'],
  [LookUpsAnswer, 'LookupsBody'],
  [Balance, 'BalanceBody'],
  [Usage, 'UsageBody'],
  [CallRecord, 'CallRecord'],
  [Calls, 'CallsBody'],
]);

const choices: Readonly<Record<string, readonly string[]>> = {
  PlatformName: platforms,
  FilterName: searchFilters,
  Operation: operations,
  CallState: callStates,
  CallReason: callReasons,
  ProfileStatus: profileStatuses,
};

const commentWidth = 110;

/** The types of the client's parameters and answers, as TypeScript. */
export function clientTypes(): string {
  const shapes = new Set<ShapeClass>();
  for (const Class of names.keys()) shapesWithin(Class, shapes);
  const aliases = Object.entries(choices).map(([name, values]) => `export type ${name} = ${union(values)};`);
  const interfaces = [...shapes].map((Class) => interfaceOf(Class, shapes));
  return ['// Written by `npm run docs` from libs/contracts.', ...aliases, ...interfaces].join('\n\n');
}

function interfaceOf(Class: ShapeClass, shapes: ReadonlySet<ShapeClass>): string {
  const parents = [...shapes].filter((one) => isPart(one, Class));
  const bases = parents.filter((one) => !parents.some((other) => isPart(one, other)));
  const inherited = new Set(bases.flatMap((base) => [...fieldsOf(base).keys()]));
  const own = [...fieldsOf(Class)].filter(([name]) => !inherited.has(name));
  const orUndefined = parameters.has(Class) ? ' | undefined' : '';
  const fields = own.map(([name, { schema, optional, shape }]) => {
    const type = typeOf(schema, shape);
    const field = optional ? `${name}?: ${type}${orUndefined}` : `${name}: ${type}`;
    const rules = rulesOf(schema).replace(/^./, (letter) => letter.toUpperCase());
    const words = [schema.description, rules === '' ? '' : `${rules}.`].filter(Boolean).join(' ');
    return `${commentOf(words)}readonly ${field};\n`;
  });
  const heritage = bases.length === 0 ? '' : ` extends ${bases.map(nameOf).join(', ')}`;
  return `${commentOf(shapeOf(Class).description)}export interface ${nameOf(Class)}${heritage} {\n${fields.join('')}}`;
}

/** Whether all fields of a shape are fields of another one, which has more. */
function isPart(part: ShapeClass, whole: ShapeClass): boolean {
  const [fields, all] = [fieldsOf(part), fieldsOf(whole)];
  return fields.size < all.size && [...fields].every(([name, field]) => all.get(name) === field);
}

const nameOf = (Class: ShapeClass): string => names.get(Class) ?? shapeOf(Class).name;

function typeOf(schema: JsonSchema, shape?: () => ShapeClass): string {
  const types = [schema.type].flat().map((type) => {
    if (type === 'array') return `readonly ${shape ? nameOf(shape()) : typeOf(schema.items ?? {})}[]`;
    if (type === 'null') return 'null';
    if (schema.enum) return choiceOf(schema.enum.filter((value) => value !== null));
    if (shape) return nameOf(shape());
    return type === 'integer' ? 'number' : String(type);
  });
  return types.join(' | ');
}

const union = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(' | ');

function choiceOf(values: readonly string[]): string {
  const [name] = Object.entries(choices).find(([, all]) => all.join() === values.join()) ?? [];
  return name ?? union(values);
}

function commentOf(text: unknown): string {
  if (typeof text !== 'string' || text === '') return '';
  if (text.length < commentWidth) return `/** ${text} */\n`;
  const lines = text.match(new RegExp(`.{1,${commentWidth}}(?:\\s|$)`, 'g')) ?? [];
  return `/**\n${lines.map((line) => ` * ${line.trimEnd()}\n`).join('')} */\n`;
}

const formats: Readonly<Record<string, string | undefined>> = {
  date: '`YYYY-MM-DD`',
  'date-time': 'ISO 8601',
  uuid: 'UUID',
};

/** What a schema requires of a value besides its type, in words; empty when it requires nothing. */
function rulesOf({ minimum, maximum, maxLength, maxItems, ...schema }: JsonSchema): string {
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
