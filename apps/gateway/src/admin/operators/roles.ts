import { isReadOnly } from '#http';
import { type AdminRole, ServiceError } from '#contracts';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyRequest } from 'fastify';

/** What routes are about, as far as roles differ. */
type AdminArea = 'accounts' | 'creators' | 'log' | 'self' | 'tokens';

/** Says what the routes of a controller are about. Each controller of the admin API needs it: without, its routes are closed. */
export const Area = Reflector.createDecorator<AdminArea>();

/** A route that needs the role `all`, whatever other roles may change in its area: it gives credits or lets people in without a bound. */
export const OnlyForAll = Reflector.createDecorator<true>();

const permissions: Record<
  AdminRole,
  { readonly reads: readonly AdminArea[]; readonly changes: readonly AdminArea[] }
> = {
  all: {
    reads: ['accounts', 'creators', 'log', 'self', 'tokens'],
    changes: ['accounts', 'creators', 'tokens'],
  },
  support: { reads: ['accounts', 'creators', 'log', 'self'], changes: ['accounts'] },
  import: { reads: ['creators', 'self'], changes: ['creators'] },
  read: { reads: ['accounts', 'creators', 'log', 'self'], changes: [] },
};

/** Refuses what the role of the operator's token does not include: `forbidden`. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const area = this.reflector.get(Area, context.getClass());
    const { operator } = request.call;
    if (!operator || !area) throw new Error('a route of the admin API needs an operator and an area');
    if (operator.role !== 'all' && this.reflector.get(OnlyForAll, context.getHandler())) {
      throw new ServiceError(
        'forbidden',
        `A token with the role ${operator.role} may not do this; one with the role all may.`,
      );
    }
    const { reads, changes } = permissions[operator.role];
    if ((isReadOnly(request) ? reads : changes).includes(area)) return true;
    const verb = isReadOnly(request) ? 'read' : 'change';
    throw new ServiceError(
      'forbidden',
      `A token with the role ${operator.role} may not ${verb} ${area === 'log' ? 'the log' : area}.`,
    );
  }
}
