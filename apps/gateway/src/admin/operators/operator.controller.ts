import { type AdminRole } from '#contracts';
import { Controller, Get } from '@nestjs/common';
import { RouteMethods } from '../../edge/routes.js';
import { Call, CurrentCall } from '../../requests/call.js';
import { Area } from './roles.js';

interface Self {
  readonly token: string;
  readonly role: AdminRole;
  readonly routes: string[];
}

/** Whose token a request carries, and the routes of this version. */
@Area('self')
@Controller('me')
export class OperatorController {
  constructor(private readonly routes: RouteMethods) {}

  @Get()
  show(@CurrentCall() { operator }: Call): Self {
    if (!operator) throw new Error('a request to the admin API has an operator');
    return { token: operator.name, role: operator.role, routes: this.routes.list() };
  }
}
