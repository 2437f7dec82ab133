import { BaseModuleConfigSchema } from '../../contracts/modules/module-config';
import { readModuleSettings } from '../../runtime/module-settings';

const ENV = { DATABASE_URL: 'postgres://127.0.0.1/none', TEMPORAL_ADDRESS: '127.0.0.1:1' };

/** The processes whose main functions read their settings here. */
const MODULES = ['engine-worker', 'browser-worker', 'keeper', 'api'];

test.each(MODULES)('[S1.R27] the configuration of %s extends BaseModuleConfig', (moduleId) => {
  const { version, enabled, logging, performance, timeouts, ...rest } = readModuleSettings(moduleId, ENV);
  const base = { moduleId: rest.moduleId, version, enabled, logging, performance, timeouts };
  expect(BaseModuleConfigSchema.parse(base)).toEqual({
    moduleId,
    version: '1.0.0',
    enabled: true,
    logging: expect.objectContaining({ level: 'INFO', prefix: `[${moduleId}]` }),
    performance: { maxConcurrentOperations: 100, cacheEnabled: true, cacheTTLMs: 300, metricsEnabled: false },
    timeouts: expect.objectContaining({ workflowTimeoutMs: 1_800_000 }),
  });
  expect(rest.temporal.address).toBe('127.0.0.1:1');
});

test('tasks wait 10 s for the worker that has their workflow where Temporal is far away, unless it is set', () => {
  const stickyMs = (more: NodeJS.ProcessEnv) =>
    readModuleSettings('engine-worker', { ...ENV, ...more }).performance.cacheTTLMs;
  expect(stickyMs({ TEMPORAL_API_KEY: 'the-key' })).toBe(10_000);
  expect(stickyMs({ TEMPORAL_TLS: 'true' })).toBe(10_000);
  expect(stickyMs({ TEMPORAL_API_KEY: 'the-key', SUREFOOT_WORKFLOW_CACHE_MS: '700' })).toBe(700);
});

test('what the environment says of a module is what it is configured with', () => {
  const { logging, performance, metricsAddress } = readModuleSettings('engine-worker', {
    ...ENV,
    LOG_LEVEL: 'error',
    SUREFOOT_MAX_OPERATIONS: '7',
    SUREFOOT_WORKFLOW_CACHE: 'off',
    SUREFOOT_WORKFLOW_CACHE_MS: '1000',
    SUREFOOT_METRICS: '127.0.0.1:9464',
  });
  expect(logging.level).toBe('ERROR');
  expect(performance).toEqual({
    maxConcurrentOperations: 7,
    cacheEnabled: false,
    cacheTTLMs: 1000,
    metricsEnabled: true,
  });
  expect(metricsAddress).toBe('127.0.0.1:9464');
});

test.each([
  ['SUREFOOT_MAX_OPERATIONS', '0'],
  ['SUREFOOT_WORKFLOW_CACHE', 'maybe'],
  ['SUREFOOT_WORKFLOW_CACHE_MS', 'soon'],
  ['SUREFOOT_METRICS', 'here'],
])('%s that is %s is refused by its name', (name, value) => {
  expect(() => readModuleSettings('engine-worker', { ...ENV, [name]: value })).toThrow(
    `variable ${name} is not usable`,
  );
});
