import { type FastifyRequest } from 'fastify';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '@app/contracts';
import { type SentForm } from '../view/sent-form.js';

const formType = 'application/x-www-form-urlencoded';

/** The fields of a form or the parameters of an address, as a browser sends them. */
export class FormFields implements SentForm {
  private constructor(
    readonly action: string,
    private readonly fields: URLSearchParams,
  ) {}

  /** Throws `unsupported_media_type` for anything but a form. */
  static of({ url, headers, body }: FastifyRequest): FormFields {
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== formType) {
      throw new ServiceError(
        'unsupported_media_type',
        'This address takes forms of the account pages alone.',
      );
    }
    const fields = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
    return new FormFields(pathOf(url), fields);
  }

  static ofAddress({ url }: FastifyRequest): FormFields {
    const question = url.indexOf('?');
    return new FormFields(pathOf(url), new URLSearchParams(question === -1 ? '' : url.slice(question)));
  }

  /** What was typed, trimmed and without control characters; empty for a field that is not there. */
  text(name: string): string {
    const value = this.fields.get(name) ?? '';
    return value.replace(/\p{Cc}/gu, ' ').trim();
  }

  /** Whether a box was ticked. */
  isTicked(name: string): boolean {
    return this.fields.has(name);
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/** The form in a request. */
export const Form = createParamDecorator((_data: unknown, context: ExecutionContext): FormFields =>
  FormFields.of(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The parameters in the address of a request; of one that is given twice, the first. */
export const Parameters = createParamDecorator((_data: unknown, context: ExecutionContext): FormFields =>
  FormFields.ofAddress(context.switchToHttp().getRequest<FastifyRequest>()),
);
