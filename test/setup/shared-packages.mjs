import { createRequire, isBuiltin } from 'node:module';
import { compileFunction } from 'node:vm';

// Its declarations are those of a CommonJS module.
/** @type {typeof import('jest-runtime').default} */
const Runtime = createRequire(import.meta.url)('jest-runtime').default;

/** Packages loaded for each test file: this one keeps metrics, which every file expects to find at zero. */
const loadedPerFile = new Set(['prom-client']);

/** @param {string} name */
function isShared(name) {
  return !/^[./#]/.test(name) && !isBuiltin(name) && !loadedPerFile.has(name);
}

/**
 * Packages are loaded once per worker of jest, by Node.js, and not once per test file, by jest: Nest, TypeORM and what
 * they need take a second and a half, more than most files' tests. The code of this repository is loaded anew for each
 * file, so that no file sees what another has left. Needs the environment of one-realm.mjs.
 */
export default class SharedPackages extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} parameters */
  constructor(...parameters) {
    super(...parameters);
    const executor = Reflect.get(this, 'executor');
    const compile = (/** @type {string} */ source, /** @type {string} */ filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
    Object.assign(executor, { compile });
  }

  /**
   * @override
   * @param {string} from
   * @param {string} name
   */
  requireModuleOrMock(from, name) {
    return isShared(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
}
