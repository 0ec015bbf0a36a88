import { publicOperations } from '#contracts';
import { type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA } from '@nestjs/common/constants.js';
import { PublicApiModule } from '../public-api/public-app.module.js';
import { DeclaredOperation } from '../charging/paid.interceptor.js';

it('every declared operation has one handler, and every handler of the public API is declared', () => {
  const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, PublicApiModule) as Type[];
  const handlers = controllers.flatMap((controller) =>
    Object.values(Object.getOwnPropertyDescriptors(controller.prototype)).map(({ value }) => value as object),
  );
  const routes = handlers.filter((handler) => Reflect.getMetadata(METHOD_METADATA, handler) !== undefined);
  const served = routes.map((handler): unknown => Reflect.getMetadata(DeclaredOperation.KEY, handler));
  expect(new Set(served)).toEqual(new Set(publicOperations));
  expect(served).toHaveLength(publicOperations.length);
});
