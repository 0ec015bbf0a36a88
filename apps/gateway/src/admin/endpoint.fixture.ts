import { type MessageContract } from '#contracts';
import { account_id, key_id, order_id } from './answers.fixture.js';

const inPath = { account_id, key_id, order_id, slug: 'ada' };

/** One that the gateway makes for the request. */
export const anId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/) as string;

interface Expected<Answer> {
  readonly body?: object;
  /** What the service receives besides the parameters of the path; default: the body. */
  readonly asks?: object;
  readonly answer: Answer;
  readonly status?: number;
  /** The body of the reply, when it is not the answer itself. */
  readonly shows?: object;
}

/** An endpoint, its parameters by name as in `/accounts/:account_id`, and the message that it sends. */
export function endpoint<Request, Answer>(
  call: string,
  contract: MessageContract<Request, Answer>,
  { body, asks = body ?? {}, answer, status = 200, shows }: Expected<Answer>,
) {
  const names = [...call.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof inPath);
  const path = Object.fromEntries(names.map((name) => [name, inPath[name]]));
  const sent = call.replaceAll(/:(\w+)/g, (_all, name: keyof typeof inPath) => inPath[name]);
  const message: MessageContract<unknown, unknown> = contract;
  return { call: sent, body, message, asks: { ...path, ...asks }, answer, status, shows: shows ?? answer };
}
