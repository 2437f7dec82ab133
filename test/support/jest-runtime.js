// Jest compiles every module anew for every test file, packages with it: a third of the time that it takes to load one.
// Here a worker process compiles each file once, and runs it in the context of every test file that needs it.
const { createRequire } = require('node:module');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file: its text, as it was transformed, and what it was compiled to. */
const compiled = new Map();
/** The one whose test file runs: `import()` in a module belongs to whoever runs it. */
let current;

/**
 * What describes Temporal's messages, and takes a quarter of the time of loading a test file. It has no state and never
 * compares classes of JavaScript itself, so one copy, of the worker process, serves all of its test files.
 */
const SHARED = /^(@temporalio\/proto|protobufjs|long|proto3-json-serializer)(\/|$)/;

module.exports = class CompileOnce extends Runtime {
  constructor(...args) {
    super(...args);
    current = this;
    const { executor } = this;
    const compileAnew = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      if (context === null) return compileAnew(source, filename);
      if (compiled.get(filename)?.source !== source)
        compiled.set(filename, { source, script: scriptOf(source, filename, executor) });
      const { script } = compiled.get(filename);
      return script === undefined ? compileAnew(source, filename) : script.runInContext(context);
    };
  }

  requireModuleOrMock(from, moduleName) {
    return SHARED.test(moduleName) ? createRequire(from)(moduleName) : super.requireModuleOrMock(from, moduleName);
  }
};

/** Undefined for what is no CommonJS module: jest knows what to do with it. */
function scriptOf(source, filename, { injectedModuleParameters }) {
  const opening = `(function(${injectedModuleParameters.join(',')}){`;
  try {
    return new Script(`${opening}${source}\n})`, {
      filename,
      columnOffset: -opening.length,
      importModuleDynamically: (specifier, _script, attributes, phase) =>
        current.executor.dynamicImport(
          specifier,
          filename,
          current.executor.environment.getVmContext(),
          attributes,
          phase,
        ),
    });
  } catch {
    return undefined;
  }
}
