import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { FormFields } from '../view/form-fields.js';
import { Cookies } from './cookies.js';
import { type MemberRequest } from './member-request.js';
import { SealedTexts } from './sealed-texts.js';

const maxAgeSeconds = 600;
/** Browsers drop longer cookies. */
const lengthMax = 3_500;

/**
 * Keeps what was typed into a form whose session has ended, for ten minutes and until the same person signs in to the same account:
 * in a cookie that is sealed for them. Without the token of that session, or without its cookie, nothing is kept.
 */
@Injectable()
export class KeptForms {
  constructor(private readonly cookies: Cookies) {}

  keep(request: FastifyRequest, reply: FastifyReply): void {
    const form = FormFields.of(request);
    const session = this.cookies.read(request, 'session');
    if (session === undefined || form.owner === undefined || !form.hasToken(session)) return;
    const { action, owner } = form;
    const sealed = sealedFor(owner).seal({ action, fields: JSON.stringify(form) });
    if (sealed.length <= lengthMax) this.cookies.set(reply, 'kept-form', sealed, maxAgeSeconds);
  }

  /** The form, once. */
  take({ request, reply, formOwner }: MemberRequest): FormFields | undefined {
    const cookie = this.cookies.read(request, 'kept-form');
    if (cookie === undefined) return undefined;
    this.cookies.clear(reply, 'kept-form');
    const kept = sealedFor(formOwner).open(cookie);
    return kept && new FormFields(kept.action, JSON.parse(kept.fields) as Record<string, unknown>);
  }
}

function sealedFor(owner: string): SealedTexts<'action' | 'fields'> {
  return new SealedTexts(owner, 'a form whose session has ended', maxAgeSeconds);
}
