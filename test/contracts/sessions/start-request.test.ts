import { parseStart, type ParsedStart } from '../../../contracts/sessions/start-request';

function issuesOf(input: unknown): { path: string; message: string }[] {
  const parsed: ParsedStart = parseStart(input);
  return parsed.kind === 'valid' ? [] : parsed.issues;
}

test('a request of plain sentences becomes a plan with every default', () => {
  const parsed = parseStart({ steps: ['  Open the shop  ', { instruction: 'Buy a bean', maxIterations: 2 }] });
  expect(parsed).toMatchObject({
    kind: 'valid',
    plan: {
      steps: [
        { instruction: 'Open the shop', options: { maxIterations: 8 } },
        { instruction: 'Buy a bean', options: { maxIterations: 2 } },
      ],
      config: { maxIterations: 8 },
      variables: {},
      warnings: [],
      metadata: {},
    },
  });
});

test('a parsed request parses again to the same plan, as a workflow does that continues as new', () => {
  const first = parseStart({ steps: [' a ', { instruction: 'b' }], config: { maxExecutionTime: 600_000 } });
  if (first.kind === 'invalid') throw new Error(JSON.stringify(first.issues));
  const second = parseStart(JSON.parse(JSON.stringify(first.request)));
  expect(second).toEqual(first);
});

test.each<[what: string, input: unknown, path: string, message: RegExp]>([
  ['no steps', { steps: [] }, 'steps', /at least one step/],
  ['no steps field', {}, 'steps', /expected a list of steps/],
  ['an empty step', { steps: ['a', '   '] }, 'steps[1]', /must say what to do/],
  ['a step of 1,001 characters', { steps: ['x'.repeat(1001)] }, 'steps[0]', /at most 1000 characters/],
  ['10,001 steps', { steps: Array.from({ length: 10_001 }, () => 'a') }, 'steps', /at most 10000 steps/],
  ['a number as a step', { steps: [7] }, 'steps[0]', /string/],
  ['an empty instruction', { steps: [{ instruction: '' }] }, 'steps[0].instruction', /must say what to do/],
  [
    'an instruction of 1,001 characters',
    { steps: ['a', { instruction: 'x'.repeat(1001), maxIterations: 3 }] },
    'steps[1].instruction',
    /at most 1000 characters/,
  ],
  ['an unknown field of a step', { steps: [{ instruction: 'a', limit: 1 }] }, 'steps[0].limit', /unknown field limit/],
  ['no iterations', { steps: [{ instruction: 'a', maxIterations: 0 }] }, 'steps[0].maxIterations', />=1/],
  ['101 iterations', { steps: [{ instruction: 'a', maxIterations: 101 }] }, 'steps[0].maxIterations', /<=100/],
  ['an unknown field', { steps: ['a'], step: 'b' }, 'step', /unknown field step/],
  ['an unknown config field', { steps: ['a'], config: { retries: 1 } }, 'config.retries', /unknown field retries/],
  [
    'an unknown field deep in the config',
    { steps: ['a'], config: { timeouts: { pageMs: 1 } } },
    'config.timeouts.pageMs',
    /unknown field pageMs/,
  ],
  ['an unknown browser', { steps: ['a'], config: { browserType: 'opera' } }, 'config.browserType', /chromium/],
  [
    'a variable name with a dash',
    { steps: ['a'], variables: { 'a-b': 'x' } },
    'variables.a-b',
    /letters, digits and _/,
  ],
  [
    'a variable name with a digit first',
    { steps: ['a'], variables: { '1a': 'x' } },
    'variables.1a',
    /starts with no digit/,
  ],
  ['a number as a variable', { steps: ['a'], variables: { a: 1 } }, 'variables.a', /string/],
  [
    'a bad name of an environment variable',
    { steps: ['a'], variables: { a: { env: 'A B' } } },
    'variables.a.env',
    /environment variable/,
  ],
  [
    'a step longer than its session',
    { steps: [{ instruction: 'a', timeoutMs: 1_800_001 }] },
    'steps[0].timeoutMs',
    /more than workflowTimeoutMs/,
  ],
  [
    'a step shorter than a model call of its own',
    { steps: [{ instruction: 'a', timeoutMs: 40_000, aiConfig: { timeoutMs: 40_001 } }] },
    'steps[0].aiConfig.timeoutMs',
    /more than the step's 40000/,
  ],
  [
    'a model call of a step longer than the steps of its session',
    { steps: [{ instruction: 'a', aiConfig: { timeoutMs: 300_001 } }] },
    'steps[0].aiConfig.timeoutMs',
    /more than the step's 300000/,
  ],
  ['text instead of a request', 'open the shop', '', /object/],
  ['nothing at all', undefined, '', /object/],
])('%s is refused with its path and a message', (_, input, path, message) => {
  const issues = issuesOf(input);
  expect(issues.map((issue) => issue.path)).toEqual([path]);
  expect(issues[0]?.message).toMatch(message);
});

test.each<[object, string]>([
  [{ config: { agent: { stayOpen: true } } }, 'config.agent.stayOpen'],
  [{ config: { agent: { executor: 'relay', browserSessionId: 'b' } } }, 'config.agent.executor'],
  [{ config: { budget: { maxTokens: 7 } } }, 'config.budget'],
  [{ config: { once: { key: 'all' } } }, 'config.once'],
  [{ profile: 'acme' }, 'profile'],
  [{ result: { schema: { type: 'object' } } }, 'result'],
  [{ secrets: { a: { value: 'hunter2', origins: ['https://a.example'] } } }, 'secrets.a.value'],
])(
  '[S1.A25] parallel steps do without %j, which belongs to one session',
  ({ config, ...more }: { config?: object }, path) => {
    const request = { steps: ['Open https://a.example'], ...more };
    expect(issuesOf({ ...request, config })).toEqual([]);
    const issues = issuesOf({ ...request, config: { ...config, parallelExecution: true } });
    expect(issues.map((issue) => issue.path)).toEqual([path]);
  },
);

test('[S1.R15] a short step ends its longer calls and commands, and a warning says so', () => {
  const parsed = parseStart({
    steps: ['b', { instruction: 'a', timeoutMs: 20_000 }],
    config: { executorConfig: { timeoutMs: 15_000 } },
  });
  expect(parsed).toMatchObject({
    plan: {
      steps: [
        { options: { aiConfig: { timeoutMs: 30_000 } } },
        { options: { timeoutMs: 20_000, aiConfig: { timeoutMs: 20_000 } } },
      ],
      warnings: ['steps[1].timeoutMs is 20000, so aiConfig.timeoutMs (30000) ends with the step.'],
    },
  });
});

test('the largest request that is allowed is allowed', () => {
  expect(issuesOf({ steps: Array.from({ length: 100 }, () => 'x'.repeat(1000)) })).toEqual([]);
});

test('a value of an environment variable of the workers stays a name in the plan', () => {
  const parsed = parseStart({ steps: ['a'], variables: { user: 'ada', password: { env: 'SHOP_PASSWORD' } } });
  expect(parsed).toMatchObject({ plan: { variables: { user: 'ada', password: { env: 'SHOP_PASSWORD' } } } });
});

test('[S1.A39] a config that contradicts itself is refused with the request', () => {
  const config = { browserType: 'chromium', executorConfig: { browserType: 'webkit' } };
  expect(issuesOf({ steps: ['a'], config }).map((issue) => issue.path)).toEqual(['config.browserType']);
});

test('[S1.A23, S1.A39] the options of a step are decided in the plan: its own before those of the session', () => {
  const parsed = parseStart({
    steps: ['a', { instruction: 'b', maxRetries: 1, timeoutMs: 60_000, aiConfig: { temperature: 0.9 } }],
    config: { retryOnFailure: true, maxRetries: 2, enableReflection: false, aiConfig: { model: 'rules' } },
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  const ofSession = {
    maxIterations: 8,
    reflectionEnabled: false,
    validationMode: 'strict',
    timeoutMs: 300_000,
    retryOnFailure: true,
    maxRetries: 2,
    aiConfig: { connectionId: 'default', model: 'rules', temperature: 0.1, maxTokens: 4000, timeoutMs: 30_000 },
  };
  const ownAi = { ...ofSession.aiConfig, temperature: 0.9 };
  expect(parsed.plan.steps.map(({ options }) => options)).toEqual([
    ofSession,
    { ...ofSession, maxRetries: 1, timeoutMs: 60_000, aiConfig: ownAi },
  ]);
});
