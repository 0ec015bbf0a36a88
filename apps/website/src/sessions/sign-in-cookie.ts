import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Cookies, isToken } from './cookies.js';

/** A sign-in in progress in this browser. */
interface PendingSignIn {
  /** A code counts only with this secret. */
  readonly token: string;
  /** The address to which the code was sent. */
  readonly email?: string;
}

const maxAgeSeconds = 3_600;

/** Keeps a sign-in in the browser in which it began: the website keeps nothing. */
@Injectable()
export class SignInCookie {
  constructor(private readonly cookies: Cookies) {}

  read(request: FastifyRequest): PendingSignIn | undefined {
    const [token = '', email] = (this.cookies.read(request, 'sign-in') ?? '').split('.');
    if (!isToken(token)) return undefined;
    return { token, ...(email ? { email: Buffer.from(email, 'base64url').toString('utf8') } : {}) };
  }

  set(reply: FastifyReply, { token, email }: PendingSignIn): void {
    const value = email === undefined ? token : `${token}.${Buffer.from(email).toString('base64url')}`;
    this.cookies.set(reply, 'sign-in', value, maxAgeSeconds);
  }

  clear(reply: FastifyReply): void {
    this.cookies.clear(reply, 'sign-in');
  }
}
