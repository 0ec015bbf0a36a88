import { applyDecorators, Controller, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { type GuestRequest } from '../sessions/member-request.js';
import { SessionGuard } from '../sessions/session.guard.js';
import { isAboutForm, refuse, type RefusalOptions } from '../view/forms.js';
import { type FormResult, SeeOther } from '../view/page.js';
import { PageInterceptor } from './page.interceptor.js';

/** A controller whose handlers return pages. */
export function Pages(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseInterceptors(PageInterceptor));
}

/** Pages for members who are signed in. */
export function MemberPages(path: string): ClassDecorator {
  return applyDecorators(Pages(path), UseGuards(SessionGuard));
}

interface FormOptions<PageName extends string> extends RefusalOptions {
  /** The method that makes the page with the form, shown again when the form is not accepted. */
  readonly page: PageName;
}

type Handler<Sender> = (sender: Sender) => Promise<FormResult>;
type PagesOf<Name extends string, Sender> = Readonly<
  Record<Name, (sender: Sender) => FormResult | Promise<FormResult>>
>;

/**
 * A handler of a form. An error about what was sent is shown in the form, which holds what was typed; any other error is
 * thrown.
 */
export function PostForm<const Name extends string>(
  path: string | string[],
  { page, ...options }: FormOptions<Name>,
) {
  return <Sender extends GuestRequest>(
    target: PagesOf<Name, Sender>,
    key: string,
    descriptor: TypedPropertyDescriptor<Handler<Sender>>,
  ): void => {
    const handle = descriptor.value;
    if (!handle) return;
    descriptor.value = async function (this: PagesOf<Name, Sender>, sender) {
      try {
        return await handle.call(this, sender);
      } catch (error) {
        if (!isAboutForm(error, options)) throw error;
        const shown = await this[page](sender);
        return shown instanceof SeeOther ? shown : refuse(shown, sender.fields, error, options);
      }
    };
    Post(path)(target, key, descriptor);
  };
}
