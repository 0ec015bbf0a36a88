import { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Api, type ReadRequest } from './api/api.js';
import { type Session } from './books/objects.js';
import { StandInError } from './books/stand-in-error.js';
import { type Books } from './books/returns.js';
import { control, type ControlFields } from './controls.js';
import { chosenMethod, closedPage, detailsOf, invoicePage, payPage, receiptPage } from './pages/pay-page.js';

/** What requests act on. */
export interface Targets extends Books {
  readonly api: Api;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request. Rejects when its connection is to be broken. */
export async function handle(
  targets: Targets,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', headers: given } = request;
  const url = new URL(request.url ?? '/', 'http://localhost');
  const read = { method, url, body: await text(request), headers: given };
  const { status, body, headers } = await answer(targets, read).catch((error: unknown) => {
    if (error instanceof StandInError) return asJson(error.status, error.body);
    throw error;
  });
  response.writeHead(status, headers);
  response.end(body);
}

async function answer(targets: Targets, request: ReadRequest): Promise<Answer> {
  const { method, body } = request;
  const { pathname } = request.url;
  const [, page, id = ''] = /^\/(c\/pay|receipts|invoices)\/(\w+)$/.exec(pathname) ?? [];
  if (pathname.startsWith('/v1/')) {
    const reply = await targets.api.answer(request);
    return asJson(reply.status, reply.body, reply.headers);
  }
  if (page === 'c/pay') return answerBuyer(targets, id, request);
  if (page === 'receipts') return asPage(receiptPage(targets.records.charge(id)));
  if (page === 'invoices') return asPage(invoicePage(targets.records.invoice(id)));
  const [, controlPath] = /^\/_controls(\/.*)$/.exec(pathname) ?? [];
  if (controlPath !== undefined && method === 'POST') {
    return asJson(200, control(targets, controlPath, JSON.parse(body || '{}') as ControlFields));
  }
  throw new StandInError(404, `No such path: ${method} ${pathname}`);
}

/** What a buyer sees: the page, or where it leads. A problem is a sentence for them. */
function answerBuyer(targets: Targets, id: string, { method, body }: ReadRequest): Answer {
  const { payments, records } = targets;
  const session = records.session(id);
  if (session.status !== 'open') return asPage(closedPage(session));
  payments.price(id);
  try {
    if (method === 'POST') pay(targets, session, new URLSearchParams(body));
  } catch (error) {
    if (!(error instanceof StandInError)) throw error;
    return asPage(payPage(session, error.message), 402);
  }
  if (records.session(id).status === 'open') return asPage(payPage(session));
  const location = (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', id);
  return { status: 303, headers: { location }, body: '' };
}

function pay({ invoicing, payments }: Targets, { id, amount_total }: Session, form: URLSearchParams): void {
  invoicing.enterDetails(id, detailsOf(form));
  if (payments.pay(id, chosenMethod(form, amount_total)).status === 'open') {
    throw new StandInError(402, 'Your card was declined.');
  }
}

function asPage(body: string, status = 200): Answer {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body };
}

function asJson(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    body: `${JSON.stringify(body, undefined, 2)}\n`,
    headers: { 'content-type': 'application/json', ...headers },
  };
}
