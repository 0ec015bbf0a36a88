import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Api } from './api/api.js';
import { type Session } from './books/objects.js';
import { type Payments } from './books/payments.js';
import { StandInError } from './books/stand-in-error.js';
import { control, type ControlTargets } from './controls.js';
import { dashboard } from './pages/dashboard.js';
import { chosenMethod, closedPage, payPage, receiptPage } from './pages/pay-page.js';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ReadRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

const bodyMax = 1_000_000;
const asHtml = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
const asJson = { 'content-type': 'application/json' };

/** Answers a request. Rejects when its connection is to be broken. */
export async function handle(
  targets: ControlTargets,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, body, headers } = await answerErrors(targets, {
    method: request.method ?? '',
    url: new URL(request.url ?? '/', 'http://localhost'),
    body: await readBody(request),
    headers: request.headers,
  });
  response.writeHead(status, headers);
  response.end(body);
}

async function answerErrors(targets: ControlTargets, request: ReadRequest): Promise<Answer> {
  try {
    return await answer(targets, request);
  } catch (error) {
    if (error instanceof StandInError) return json(error.status, error.body);
    throw error;
  }
}

async function answer(targets: ControlTargets, request: ReadRequest): Promise<Answer> {
  const { method, url } = request;
  if (url.pathname.startsWith('/v1/')) return answerApi(targets.api, request);
  const paying = /^\/c\/pay\/(\w+)$/.exec(url.pathname)?.[1];
  if (paying !== undefined) return answerBuyer(targets, paying, request);
  const charge = /^\/receipts\/(\w+)$/.exec(url.pathname)?.[1];
  if (charge !== undefined && method === 'GET') {
    return asPage(receiptPage(targets.records.charge(charge)));
  }
  if (url.pathname.startsWith('/_controls/') && method === 'POST') return answerControl(targets, request);
  if (url.pathname === '/' && method === 'GET') {
    return asPage(dashboard(targets.records, targets.webhooks));
  }
  throw new StandInError(404, `There is nothing at ${method} ${url.pathname}.`);
}

async function answerApi(api: Api, { method, url, body, headers }: ReadRequest): Promise<Answer> {
  const key = headers['idempotency-key'];
  const reply = await api.answer({
    method,
    path: url.pathname,
    query: url.search.slice(1),
    body,
    authorization: headers.authorization,
    idempotencyKey: typeof key === 'string' ? key : undefined,
  });
  return json(reply.status, reply.body, reply.headers);
}

/** What a buyer sees: the page, or where it leads. */
function answerBuyer({ records, payments }: ControlTargets, id: string, request: ReadRequest): Answer {
  payments.expireOld();
  const session = records.session(id);
  if (session.status !== 'open') return asPage(closedPage(session));
  payments.addTax(id);
  if (request.method !== 'POST') return asPage(payPage(session));
  const form = new URLSearchParams(request.body);
  if (form.get('method') === 'promotion code') return answerPromotionCode(payments, session, form);
  const chosen = chosenMethod(form, session.amount_total);
  if ('problem' in chosen) return asPage(payPage(session, chosen.problem), 402);
  payments.pay(id, chosen.method);
  if (session.status === 'open') return asPage(payPage(session, 'Your card was declined.'), 402);
  const location = (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', id);
  return { status: 303, headers: { location }, body: '' };
}

function answerPromotionCode(payments: Payments, session: Session, form: URLSearchParams): Answer {
  try {
    return asPage(payPage(payments.applyPromotionCode(session.id, form.get('code') ?? '')));
  } catch (error) {
    if (error instanceof StandInError) return asPage(payPage(session, error.message), error.status);
    throw error;
  }
}

function asPage(body: string, status = 200): Answer {
  return { status, headers: asHtml, body };
}

/** A form leads back to the dashboard; anything else gets what has changed. */
function answerControl(targets: ControlTargets, { url, body, headers }: ReadRequest): Answer {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const fields = isForm ? Object.fromEntries(new URLSearchParams(body)) : readJson(body);
  const changed = control(targets, { path: url.pathname.slice('/_controls'.length), fields });
  return isForm ? { status: 303, headers: { location: '/' }, body: '' } : json(200, changed);
}

function readJson(body: string): Record<string, string> {
  if (body === '') return {};
  try {
    const read = JSON.parse(body) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, String(value)]));
  } catch (error) {
    throw new StandInError(400, `The body is not JSON: ${String(error)}`);
  }
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    body: `${JSON.stringify(body, undefined, 2)}\n`,
    headers: { ...asJson, ...headers },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyMax) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
