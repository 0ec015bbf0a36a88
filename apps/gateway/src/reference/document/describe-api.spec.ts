import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { PublicApiModule } from '../../public-api/public-api.module.js';
import { RateLimited } from '../../rate-limit/rate-limit.guard.js';
import { describeApi } from './describe-api.js';
import { readExamples } from './examples.js';
import { publicOperations } from './public-operations.js';

const document = describeApi(readExamples());

interface Route {
  readonly method: string;
  readonly path: string;
  readonly rateLimit: string | undefined;
}

/** The routes of a controller, with their paths as OpenAPI writes them. */
function routesOf(controller: Type): Route[] {
  const prototype = controller.prototype as Record<string, object>;
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const handlers = Object.getOwnPropertyNames(prototype).flatMap((name) => prototype[name] ?? []);
  return handlers.flatMap((handler) => {
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`;
    return {
      method: (RequestMethod[method] ?? '').toLowerCase(),
      path: path
        .replace(/\/+/g, '/')
        .replace(/(.)\/$/, '$1')
        .replace(/:(\w+)/g, '{$1}'),
      rateLimit: Reflect.getMetadata(RateLimited.KEY, controller) as string | undefined,
    };
  });
}

const byAddress = (one: Route, other: Route): number =>
  `${one.path} ${one.method}`.localeCompare(`${other.path} ${other.method}`);

describe('the OpenAPI document', () => {
  it('describes every route of the public API and no other, each with the limit that it has', () => {
    const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, PublicApiModule) as Type[];
    const routes = controllers.flatMap(routesOf);
    const described = publicOperations.map(({ method, path, rateLimit }) => ({ method, path, rateLimit }));
    expect(described.sort(byAddress)).toEqual(routes.sort(byAddress));
    expect(routes.length).toBeGreaterThanOrEqual(4);
  });

  it('has a body for each example', () => {
    const holes: string[] = [];
    const search = (value: unknown, place: string): void => {
      if (value === undefined) holes.push(place);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, part] of Object.entries(value)) search(part, `${place}/${name}`);
    };
    search(document, '#');
    expect(holes).toEqual([]);
  });
});
