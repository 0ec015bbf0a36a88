import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Cookies, isToken } from './cookies.js';

/** A sign-in that is under way in this browser. */
interface SignInUnderWay {
  /** A code counts only with this secret. */
  readonly token: string;
  /** Where the code was sent. */
  readonly email?: string;
}

const maxAgeSeconds = 3_600;

/** Keeps a sign-in in the browser in which it began: the website keeps nothing. */
@Injectable()
export class SignInCookie {
  constructor(private readonly cookies: Cookies) {}

  read(request: FastifyRequest): SignInUnderWay | undefined {
    const [token = '', email] = (this.cookies.read(request, 'sign-in') ?? '').split('.');
    if (!isToken(token)) return undefined;
    return { token, ...(email ? { email: Buffer.from(email, 'base64url').toString('utf8') } : {}) };
  }

  set(reply: FastifyReply, { token, email }: SignInUnderWay): void {
    const value = email === undefined ? token : `${token}.${Buffer.from(email).toString('base64url')}`;
    this.cookies.set(reply, 'sign-in', value, maxAgeSeconds);
  }

  clear(reply: FastifyReply): void {
    this.cookies.clear(reply, 'sign-in');
  }
}
