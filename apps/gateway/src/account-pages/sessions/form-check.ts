import { ServiceError } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { readsOnly } from '../../http/requests/reads-only.js';
import { FormFields } from './form-fields.js';
import { SameOrigin } from './same-origin.js';
import { isFormToken } from './tokens.js';

/** The hidden field of every form. */
export const formTokenField = 'form_token';

/** Lets a form through only when one of our pages has given it to this very visitor. */
@Injectable()
export class FormCheck {
  constructor(private readonly sameOrigin: SameOrigin) {}

  /** Before anything is looked up for it. Throws `forbidden`. */
  assertOrigin(request: FastifyRequest): void {
    if (isForm(request)) this.sameOrigin.assert(request);
  }

  /** Throws `forbidden`. */
  assertToken(request: FastifyRequest, token: string): void {
    if (!isForm(request) || isFormToken(FormFields.of(request).text(formTokenField), token)) return;
    throw new ServiceError(
      'forbidden',
      'This form has expired. Nothing was changed: go back, load the page again and send it once more.',
    );
  }
}

function isForm(request: FastifyRequest): boolean {
  return !readsOnly(request);
}
