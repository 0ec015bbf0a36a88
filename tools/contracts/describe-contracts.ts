import * as contracts from '#contracts';
import {
  type BroadcastContract,
  errorCodes,
  type JsonSchema,
  type MessageContract,
  messageRevision,
  objectSchema,
  type ShapeClass,
} from '#contracts';
import { type ContractsSnapshot, type DescribedMessage } from './snapshot.js';
import { ContractTypes } from './type-schema.js';

type AnyMessage = MessageContract<unknown, unknown>;
type AnyBroadcast = BroadcastContract<unknown>;

const exported: readonly (readonly [string, unknown])[] = Object.entries(contracts);

/** Every message and broadcast as libs/contracts declares it. */
export function describeContracts(): ContractsSnapshot {
  const types = new ContractTypes();
  const messages = exported.filter((entry): entry is [string, AnyMessage] => has(entry[1], 'pattern'));
  const broadcasts = exported.filter((entry): entry is [string, AnyBroadcast] => has(entry[1], 'event'));
  return {
    revision: messageRevision,
    errors: [...errorCodes].toSorted(),
    messages: byName(messages.map(([name, one]) => [one.pattern, describe(name, one, types)])),
    broadcasts: byName(broadcasts.map(([, { event, payload }]) => [event, { payload: rulesOf(payload) }])),
  };
}

function has(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && name in value;
}

function byName<Value>(entries: [string, Value][]): Record<string, Value> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function describe(name: string, contract: AnyMessage, types: ContractTypes): DescribedMessage {
  const { request, reply } = types.messageTypes(name);
  const { properties, ...rules } = rulesOf(contract.payload);
  const complete = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([field, schema]) => {
    const isOpen = schema.type === 'array' && schema.items === undefined;
    return [field, isOpen ? { ...schema, items: types.itemsOf(request, field) } : schema];
  });
  return {
    queue: contract.queue,
    deadline_ms: contract.deadlineMs,
    resend_after_ms: contract.resendAfterMs,
    payload: { ...rules, properties: Object.fromEntries(complete) as Record<string, JsonSchema> },
    reply: types.schemaOf(reply),
  };
}

/** The schema of a payload, without what only people read. */
function rulesOf(Class: ShapeClass): JsonSchema {
  const write = (shape: ShapeClass): JsonSchema => objectSchema(shape, write);
  return withoutText(write(Class)) as JsonSchema;
}

/** A property may be called `description`, too: it is an object there. */
function withoutText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutText);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => !(key === 'description' && typeof inner === 'string') && !/^examples?$/.test(key),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutText(inner)]));
}
