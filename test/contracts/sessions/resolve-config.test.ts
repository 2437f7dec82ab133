import { resolveConfig, type ResolvedConfig } from '../../../contracts/sessions/resolve-config';
import { DEFAULT_TIMEOUT_CONFIG, timeoutValidator } from '../../../contracts/sessions/timeouts';
import type { StartConfig } from '../../../contracts/sessions/config';

function accepted(config?: StartConfig): Extract<ResolvedConfig, { kind: 'valid' }> {
  const resolved = resolveConfig(config);
  if (resolved.kind === 'invalid') throw new Error(`expected a valid config, got ${JSON.stringify(resolved.issues)}`);
  return resolved;
}

function refusedAt(config: StartConfig): string[] {
  const resolved = resolveConfig(config);
  return resolved.kind === 'valid' ? [] : resolved.issues.map((issue) => issue.path);
}

test('[S1.A2] nothing given means every default of the contract', () => {
  const expected = {
    kind: 'valid',
    warnings: [],
    config: {
      ai: { connectionId: 'default', model: 'default', temperature: 0.1, maxTokens: 4000, timeoutMs: 30_000 },
      executor: { browserType: 'chromium', headless: true, timeoutMs: 30_000, screenshotsEnabled: true },
      stream: { bufferSize: 1000, maxHistorySize: 10_000, compressionEnabled: true },
      timeouts: DEFAULT_TIMEOUT_CONFIG,
      maxIterations: 8,
      enableStreaming: true,
      validationMode: 'strict',
      observation: { maxCharacters: 10_000, picture: 'none' },
      enableReflection: true,
      retryOnFailure: false,
      maxRetries: 3,
      investigation: 'when-due',
      agent: {
        executor: 'playwright',
        approvalMode: 'default',
        maxSteps: 50,
        stayOpen: false,
        waitForBrowserMs: 300_000,
        maxHistorySize: 400,
        maxHistoryTokens: 100_000,
      },
    },
  };
  expect(resolveConfig()).toEqual(expected);
  expect(resolveConfig({})).toEqual(expected);
});

test('[S1.A2] what is given wins, member by member, and undefined is as not given', () => {
  const { config } = accepted({
    aiConfig: { model: 'vertexai/x', temperature: undefined },
    executorConfig: { headless: false },
    streamConfig: { bufferSize: 5 },
    timeouts: { retryDelayMs: 5 },
    maxIterations: 3,
  });
  expect(config.ai).toMatchObject({ model: 'vertexai/x', temperature: 0.1, maxTokens: 4000 });
  expect(config.executor).toMatchObject({ headless: false, screenshotsEnabled: true });
  expect(config.stream).toEqual({ bufferSize: 5, maxHistorySize: 10_000, compressionEnabled: true });
  expect(config.timeouts).toEqual({ ...DEFAULT_TIMEOUT_CONFIG, retryDelayMs: 5 });
  expect(config.maxIterations).toBe(3);
});

test('[S1.A25] parallelExecution has the steps run at once; false is as not given', () => {
  expect(accepted({ parallelExecution: false })).toEqual(accepted({}));
  expect(accepted({ parallelExecution: true }).config.parallelExecution).toBe(true);
});

test('[S1.A2, S1.A24] the switches of a ProcessingConfig are taken as they are given', () => {
  const given = { enableReflection: false, retryOnFailure: true, maxRetries: 1, investigation: 'always' } as const;
  expect(accepted(given).config).toMatchObject(given);
});

test('[S1.A39] either name of the AI connection fills the other', () => {
  expect(accepted({ aiConnectionId: 'a' }).config.ai.connectionId).toBe('a');
  expect(accepted({ aiConfig: { connectionId: 'b' } }).config.ai.connectionId).toBe('b');
  expect(accepted({ aiConnectionId: 'c', aiConfig: { connectionId: 'c' } }).config.ai.connectionId).toBe('c');
});

test('[S1.A3, S1.A39] maxExecutionTime is another name of workflowTimeoutMs', () => {
  expect(accepted({ maxExecutionTime: 600_000 }).config.timeouts.workflowTimeoutMs).toBe(600_000);
  const both = { maxExecutionTime: 600_000, timeouts: { workflowTimeoutMs: 600_000 } };
  expect(accepted(both).config.timeouts.workflowTimeoutMs).toBe(600_000);
});

test('[S1.A39] requestTimeoutMs applies to model calls and commands unless they have a limit of their own', () => {
  const { config } = accepted({ timeouts: { requestTimeoutMs: 20_000 }, aiConfig: { timeoutMs: 60_000 } });
  expect(config.ai.timeoutMs).toBe(60_000);
  expect(config.executor.timeoutMs).toBe(20_000);
});

test.each<[path: string, config: StartConfig]>([
  ['config.aiConnectionId', { aiConnectionId: 'a', aiConfig: { connectionId: 'b' } }],
  ['config.browserType', { browserType: 'chromium', executorConfig: { browserType: 'firefox' } }],
  ['config.maxExecutionTime', { maxExecutionTime: 600_000, timeouts: { workflowTimeoutMs: 700_000 } }],
])('[S1.A39] two different values are refused at %s', (path, config) => {
  const resolved = resolveConfig(config);
  expect(resolved).toMatchObject({
    kind: 'invalid',
    issues: [{ path, message: expect.stringContaining('or the same value twice') }],
  });
});

test.each<StartConfig>([
  { browserType: 'firefox' },
  { browserType: 'webkit' },
  { executorConfig: { browserType: 'firefox' } },
  { executorConfig: { browserType: 'webkit' } },
])('S1.3.2: a browser that Playwright launches is taken, and it is said what it can not have: %j', (given) => {
  const type = given.browserType ?? given.executorConfig?.browserType;
  const { config, warnings } = accepted({ ...given, agent: { approvalMode: 'yolo' } });
  expect(config.executor.browserType).toBe(type);
  expect(warnings).toEqual([expect.stringContaining(`runs in ${type}`)]);
  expect(warnings[0]).toContain('restored from the last checkpoint');
});

test.each<[StartConfig, string]>([
  [{ agent: { approvalMode: 'default' } }, 'config.agent.approvalMode'],
  [{ agent: { approvalMode: 'always' } }, 'config.agent.approvalMode'],
  [{ agent: { executor: 'relay', browserSessionId: 'mine' } }, 'config.agent.executor'],
  [{ recording: true }, 'config.recording'],
  [
    { executorConfig: { idempotency: { header: 'Idempotency-Key', origins: ['https://shop.test'] } } },
    'config.executorConfig.idempotency',
  ],
])('a session in firefox is refused what it can not have: %j', (config, path) => {
  expect(accepted(config).warnings).toEqual([]);
  expect(resolveConfig({ ...config, browserType: 'firefox' })).toMatchObject({
    kind: 'invalid',
    issues: [
      { path, message: expect.stringMatching(/firefox can't have this, because .*; or use browserType chromium/) },
    ],
  });
});

test.each<[string, StartConfig, string]>([
  ['S1.R14', { timeouts: { workflowTimeoutMs: 1000, stepTimeoutMs: 2000 } }, 'workflowTimeoutMs (1000)'],
  ['S1.R14', { maxExecutionTime: 1000, timeouts: { stepTimeoutMs: 2000 } }, 'stepTimeoutMs (2000)'],
  ['S1.R15', { timeouts: { stepTimeoutMs: 1000, requestTimeoutMs: 2000 } }, 'stepTimeoutMs (1000)'],
  ['S1.R16', { timeouts: { requestTimeoutMs: 1000, connectionTimeoutMs: 2000 } }, 'requestTimeoutMs (1000)'],
  ['S1.R17', { timeouts: { connectionTimeoutMs: 0 } }, 'connectionTimeoutMs must be a positive number'],
])('[%s] limits that contradict each other are refused by name: %j', (_, config, named) => {
  const resolved = resolveConfig(config);
  expect(resolved).toMatchObject({ kind: 'invalid', issues: [{ path: 'config.timeouts' }] });
  expect(JSON.stringify(resolved)).toContain(named);
});

test.each<[StartConfig, string[]]>([
  [{ maxExecutionTime: 60_000 }, ['stepTimeoutMs is 60000 instead of its default 300000']],
  [
    { timeouts: { workflowTimeoutMs: 8000 } },
    ['stepTimeoutMs is 8000', 'requestTimeoutMs is 8000', 'connectionTimeoutMs is 8000'],
  ],
  [{ timeouts: { stepTimeoutMs: 20_000 } }, ['requestTimeoutMs is 20000']],
  [{ timeouts: { requestTimeoutMs: 5000 } }, ['connectionTimeoutMs is 5000']],
])('[S1.R14, S1.R15, S1.R16] defaults give way to a lower limit above them, with a warning: %j', (config, warned) => {
  const { warnings, config: resolved } = accepted(config);
  expect(warnings).toEqual(warned.map((start) => expect.stringContaining(start)));
  expect(timeoutValidator.validateTimeoutHierarchy(resolved.timeouts).errors).toEqual([]);
});

test('[S1.A39] a limit of a model call or command must stay inside a step', () => {
  expect(refusedAt({ aiConfig: { timeoutMs: 300_001 } })).toEqual(['config.aiConfig.timeoutMs']);
  expect(refusedAt({ executorConfig: { timeoutMs: 300_001 } })).toEqual(['config.executorConfig.timeoutMs']);
  expect(refusedAt({ executorConfig: { timeoutMs: 300_000 } })).toEqual([]);
});

test('[S1.R16, S1.A39] a model call or a command may not be shorter than a configured connectionTimeoutMs', () => {
  const timeouts = { connectionTimeoutMs: 6000 };
  for (const name of ['aiConfig', 'executorConfig'] as const) {
    expect(refusedAt({ timeouts, [name]: { timeoutMs: 5000 } })).toEqual([`config.${name}.timeoutMs`]);
    // The default gives way.
    expect(refusedAt({ [name]: { timeoutMs: 5000 } })).toEqual([]);
  }
});

test('[S1.R18] a retry delay that is too long is accepted with a warning', () => {
  expect(accepted({ timeouts: { retryDelayMs: 200_000 } }).warnings).toEqual([expect.stringMatching(/^retryDelayMs/)]);
});

test('every fault of a config is reported at once', () => {
  const config: StartConfig = {
    aiConnectionId: 'a',
    aiConfig: { connectionId: 'b' },
    browserType: 'webkit',
    agent: { approvalMode: 'always' },
    timeouts: { stepTimeoutMs: 1000, requestTimeoutMs: 2000 },
  };
  expect(refusedAt(config)).toEqual(['config.aiConnectionId', 'config.agent.approvalMode', 'config.timeouts']);
});

test.each([
  'rules',
  'default',
  'vertexai/gemini-2.5-pro',
  'vertexai/a, genai/b,rules',
  'ai:openai-compatible/org/model:8b',
])('the model %s can be asked for', (model) => expect(accepted({ aiConfig: { model } }).config.ai.model).toBe(model));

test.each([
  ['gpt-4', 'there is no model “gpt-4” here; there is: rules, genai/<model>, vertexai/<model>, ai:openai/<model>'],
  ['vertexai/', 'there is no model “vertexai/”'],
  ['rules,ai:acme/x', 'there is no model “ai:acme/x”'],
  [' , ', 'it names no model'],
])('the model “%s” is refused with what there is', (model, message) => {
  expect(resolveConfig({ aiConfig: { model } })).toMatchObject({
    kind: 'invalid',
    issues: [{ path: 'config.aiConfig.model', message: expect.stringContaining(message) }],
  });
});
