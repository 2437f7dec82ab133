import { resolveConfig } from '../../../contracts/sessions/resolve-config';
import type { StartConfig } from '../../../contracts/sessions/config';

function issuesOf(config: StartConfig): string[] {
  const resolved = resolveConfig(config);
  return resolved.kind === 'valid' ? [] : resolved.issues.map(({ path, message }) => `${path}: ${message}`);
}

test('a session shares its Chrome only where it asks for it', () => {
  const isolationOf = (config: StartConfig) => {
    const resolved = resolveConfig(config);
    return resolved.kind === 'valid' ? resolved.config.executor.isolation : resolved.issues;
  };
  expect(isolationOf({})).toBeUndefined();
  expect(isolationOf({ isolation: 'process' })).toBeUndefined();
  expect(isolationOf({ isolation: 'context' })).toBe('context');
});

test('a session with a window or in another browser cannot share', () => {
  expect(issuesOf({ isolation: 'context', executorConfig: { headless: false } })).toEqual([
    "config.isolation: A session can't share its Chrome where it has a window of its own (executorConfig.headless false); use process, or leave it out",
  ]);
  expect(issuesOf({ isolation: 'context', browserType: 'firefox' })).toEqual([
    "config.isolation: A session in firefox can't have this, because sessions share Chromium alone; leave it out; or use browserType chromium",
  ]);
  expect(issuesOf({ isolation: 'process', browserType: 'firefox' })).toEqual([]);
});
