import { createAgentLoop, runAgentLoop } from '../../../../client/agent/agent-loop';
import { createClient } from '../../../../client/create-client';
import type { StartConfig } from '../../../../contracts/sessions/config';
import type {
  AgentLoopParams,
  RunAgentLoop,
  StepUpdate,
  BrowserToolResult,
} from '../../../../contracts/tasks/agent-loop';
import { calls, plays, says, startAgentStack, type AgentStack } from '../../../support/agent-stack';
import { geminiChunks, geminiLine, SSE_HEADERS } from '../../../support/model-server/gemini';
import { googleError } from '../../../support/model-server/references/gemini';
import { refuses, silent, type Play } from '../../../support/model-server/server';

let stack: AgentStack;
beforeAll(async () => {
  stack = await startAgentStack();
}, 240_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const PAGE = 'https://shop.test/';
const ok = (output: unknown): Promise<BrowserToolResult> => Promise.resolve({ success: true, output });

type CreateLoop = (config: StartConfig) => RunAgentLoop;
/** Its tools come over a task queue of Temporal, or over the relay of the API. */
const inCluster: CreateLoop = (config) => createAgentLoop(stack.connection, { config });
const overHttp: CreateLoop = (config) => (params) => createClient({ api: stack.api }).runAgentLoop(params, { config });
const WAYS = [
  ['in the cluster', inCluster],
  ['over HTTP', overHttp],
] as const;

/** Runs a loop and keeps everything it reports. */
async function runLoop(createLoop: CreateLoop, params: Partial<AgentLoopParams>) {
  const asked: [string, object][] = [];
  const steps: StepUpdate[] = [];
  const chunks: string[] = [];
  const { executeTool = () => ok('done') } = params;
  const result = await createLoop({ timeouts: { retryDelayMs: 50 } })({
    task: 'Look at the shop.',
    onStep: (step) => steps.push(step),
    onText: (chunk) => chunks.push(chunk),
    ...params,
    executeTool: (name, input) => {
      asked.push([name, input]);
      return executeTool(name, input);
    },
  });
  const reported = steps.map(({ step, status, toolName }) => [
    step,
    status,
    ...(toolName === undefined ? [] : [toolName]),
  ]);
  return { result, asked, steps, reported, chunks };
}
const sessionCount = async () => (await stack.client.list({ page: 1, pageSize: 1 })).total;

describe.each(WAYS)('[S0.6] runAgentLoop %s', (_way, createLoop) => {
  const run = (params: Partial<AgentLoopParams>) => runLoop(createLoop, params);

  it('[S0.R2, S0.R6, S0.R9, S0.R11, S0.A3, S0.A4] runs the tools of this process and reports every step', async () => {
    stack.model.play(...plays(calls(['navigate', { url: PAGE }], ['read_page', {}]), says('The shop sells shoes. 😀')));
    const { result, asked, reported, steps, chunks } = await run({
      url: PAGE,
      context: 'Size 42.',
      executeTool: (name) =>
        name === 'read_page'
          ? Promise.resolve({
              success: true,
              output: 'link "Shoes" [ref=e1]',
              screenshot: { data: 'AAAA', mediaType: 'image/png' },
            })
          : ok({ opened: PAGE }),
    });
    expect(asked).toEqual([
      ['navigate', { url: PAGE }],
      ['read_page', {}],
    ]);
    expect(reported).toEqual([
      [1, 'thinking'],
      [1, 'tool_use', 'navigate'],
      [1, 'tool_result', 'navigate'],
      [1, 'tool_use', 'read_page'],
      [1, 'tool_result', 'read_page'],
      [2, 'thinking'],
      [2, 'complete'],
    ]);
    expect(steps[1]).toMatchObject({ toolInput: { url: PAGE } });
    expect(steps.at(-1)!.text).toBe('The shop sells shoes. 😀');
    expect(chunks.join('')).toBe('I use a tool.The shop sells shoes. 😀');
    expect(result).toEqual({
      status: 'complete',
      answer: 'The shop sells shoes. 😀',
      steps: 2,
      usage: { inputTokens: 2400, outputTokens: 160, apiCalls: 2 },
      model: expect.stringContaining('gemini-2.5-flash'),
      turns: [
        {
          step: 1,
          tools: [
            {
              name: 'navigate',
              input: { url: PAGE },
              result: expect.stringContaining(PAGE),
              durationMs: expect.any(Number),
            },
            {
              name: 'read_page',
              input: {},
              result: expect.stringMatching(/Shoes.* \[\+screenshot\]$/s),
              durationMs: expect.any(Number),
            },
          ],
          ai_response: 'I use a tool.',
        },
        { step: 2, tools: [], ai_response: 'The shop sells shoes. 😀' },
      ],
    });
    const [first, second] = stack.model.heard.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('Size 42.');
    expect(first).toContain(`Navigate to ${PAGE} first`);
    expect(second).toContain('functionResponse');
  });

  it('[S0.A7] takes failing tools for results: what passes is tried twice, and none ends the loop', async () => {
    stack.model.play(
      ...plays(
        calls(['read_page', {}], ['find', { query: 'a' }]),
        calls(['find', { query: 'b' }], ['get_page_text', {}]),
        says('Well.'),
      ),
    );
    let finds = 0;
    const { result, asked } = await run({
      executeTool: (name, { query }) => {
        if (query === 'b') return Promise.reject(new Error('The extension is not connected'));
        if (name === 'read_page') return Promise.reject(new Error('The page is gone.'));
        if (name === 'get_page_text') return Promise.resolve({ success: false, error: 'No text.' });
        finds += 1;
        return finds === 1 ? Promise.reject(new Error('The request timed out')) : ok('a match');
      },
    });
    expect(asked.map(([name]) => name)).toEqual(['read_page', 'find', 'find', 'find', 'find', 'get_page_text']);
    expect(result.turns!.flatMap(({ tools }) => tools.map((tool) => tool.result))).toEqual([
      'Error: The page is gone.',
      'a match',
      'Error: The extension is not connected (after retry)',
      'Error: No text.',
    ]);
    expect(result.status).toBe('complete');
  });

  it('[S0.A8] forwards no unknown tool, and lists the known tools to the model', async () => {
    stack.model.play(...plays(calls(['delete_everything', { now: true }]), says('Sorry.')));
    const { result, asked } = await run({});
    expect(asked).toEqual([]);
    const [tool] = result.turns![0]!.tools;
    expect(tool).toMatchObject({ name: 'delete_everything', result: expect.stringContaining('not found in registry') });
    expect(tool!.result).toContain('read_page');
    expect(result.status).toBe('complete');
  });

  it('a model that always goes to the same address is stopped before the third time', async () => {
    stack.model.play(...plays(calls(['navigate', { url: PAGE }])));
    const { result, asked, reported } = await run({});
    expect(result.status).toBe('error');
    expect(result.answer).toContain(PAGE);
    expect(result.answer.toLowerCase()).toMatch(/loop|stuck/);
    expect(result.steps).toBeLessThanOrEqual(5);
    expect(asked).toHaveLength(2);
    expect(reported.filter(([, status]) => status === 'error')).toHaveLength(1);
  });

  it('[S0.R3, S0.R5, S0.A5] uses up its steps and says so', async () => {
    stack.model.play(...plays(calls(['read_page', {}]), calls(['get_page_text', {}])));
    const { result, reported } = await run({ maxSteps: 2 });
    expect(result).toMatchObject({ status: 'max_steps', steps: 2, answer: 'I use a tool.', usage: { apiCalls: 2 } });
    expect(reported.at(-1)).toEqual([2, 'error']);
    expect(reported.filter(([, status]) => status === 'error' || status === 'complete')).toHaveLength(1);
  });

  it('[S0.R10, S0.A1, S0.A2] that is aborted already asks no model and starts no session', async () => {
    stack.model.play(...plays(says('Never.')));
    const before = await sessionCount();
    const { result, reported } = await run({ signal: AbortSignal.abort() });
    expect(result).toEqual({
      status: 'error',
      answer: 'Task was cancelled.',
      steps: 0,
      usage: { inputTokens: 0, outputTokens: 0, apiCalls: 0 },
      turns: [],
    });
    expect(reported).toEqual([[0, 'error']]);
    expect(stack.model.heard).toEqual([]);
    expect(await sessionCount()).toBe(before);
  });

  it('[S0.R10, S0.A1, S0.A2] stops when its signal is aborted while a tool runs, and counts the turn', async () => {
    stack.model.play(...plays(calls(['read_page', {}]), says('Never.')));
    const stop = new AbortController();
    const { result, reported } = await run({
      signal: stop.signal,
      executeTool: () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    expect(result).toMatchObject({ status: 'error', answer: 'Task was cancelled.', steps: 1, usage: { apiCalls: 1 } });
    expect(reported.at(-1)).toEqual([1, 'error']);
    expect(stack.model.heard).toHaveLength(1);
  });

  it('[S0.R10, S0.A2] stops while the model thinks, and does not count that turn', async () => {
    stack.model.play(silent);
    const stop = new AbortController();
    const { result } = await run({
      signal: stop.signal,
      onStep: ({ status }) => status === 'thinking' && stop.abort(),
    });
    expect(result).toMatchObject({ status: 'error', answer: 'Task was cancelled.', steps: 0, turns: [] });
  });

  it('[S0.A11] reports a model that can not be called, and keeps the usage so far', async () => {
    const [first] = plays(calls(['read_page', {}]));
    stack.model.play(first!, refuses(400, googleError(400, 'INVALID_ARGUMENT', 'No such model.')));
    const { result, reported } = await run({});
    expect(result).toMatchObject({
      status: 'error',
      answer: expect.stringMatching(/^LLM call failed: /),
      usage: { inputTokens: 1200, apiCalls: 1 },
    });
    expect(reported.filter(([, status]) => status === 'error')).toHaveLength(1);
  });

  it('[S0.R8, S0.5.5] counts every billed call: of lost attempts, summaries, and failed turns', async () => {
    const breaks: Play = (response) => {
      response.writeHead(200, SSE_HEADERS);
      response.write(geminiLine(geminiChunks({ text: 'I use' })[0]!), () => response.destroy());
    };
    const config = { timeouts: { retryDelayMs: 50 }, agent: { maxHistorySize: 4 } };
    const loop = createLoop(config);
    const [first, second] = plays(calls(['read_page', {}]), calls(['find', { query: 'shoes' }]));
    const [summary, blocked] = plays(says('A page was read.'), { text: '', finishReason: 'PROHIBITED_CONTENT' });
    stack.model.play(first!, breaks, second!, summary!, blocked!);
    const steps: StepUpdate[] = [];
    const onStep = (step: StepUpdate): void => void steps.push(step);
    const result = await loop({ task: 'Look.', executeTool: () => ok('done'), onStep });
    expect(result).toMatchObject({ status: 'error', answer: expect.stringMatching(/^LLM call failed: /) });
    const { sessions } = await stack.client.list({ page: 1, pageSize: 1 });
    const { usage } = await stack.client.get(sessions[0]!.sessionId);
    expect(stack.model.heard).toHaveLength(5);
    const { inputTokens, outputTokens } = usage;
    expect(result.usage).toEqual({ inputTokens, outputTokens, apiCalls: 5 });
  });

  it('[S0.A5] has a fixed answer where the model ends without one, and no success without a word', async () => {
    stack.model.play(
      ...plays({ text: '' }, { parts: [{ functionCall: { name: 'done', args: { success: true, answer: '' } } }] }),
    );
    expect((await run({})).result).toMatchObject({ status: 'complete', answer: 'Task completed.', steps: 1 });
    stack.model.play(...plays({ text: '' }));
    expect((await run({})).result).toMatchObject({
      status: 'error',
      answer: expect.stringContaining('neither an answer'),
    });
  });

  it('callbacks that throw change nothing; an invalid request is reported as an error', async () => {
    stack.model.play(...plays(says('Done.')));
    const bang = (): never => {
      throw new Error('bang');
    };
    expect((await run({ onStep: bang, onText: bang })).result.status).toBe('complete');
    const wrong = await run({ maxSteps: 0 });
    expect(wrong.result).toMatchObject({ status: 'error', answer: expect.stringContaining('maxSteps') });
  });

  it('[S0.R1] also runs with the built-in model, from the pages that read_page of this process returns', async () => {
    const pages = {
      login: 'Sign in — https://shop.test/login\n[1] textbox "Username"\n[2] button "Sign in"',
      home: 'Shop — https://shop.test/\nWelcome, ada',
    };
    let page: keyof typeof pages = 'login';
    const typed: unknown[] = [];
    const loop = createLoop({ aiConfig: { model: 'rules' } });
    const result = await loop({
      task: 'Fill in the Username field with ada, click Sign in and expect "Welcome, ada".',
      executeTool: (name, input) => {
        if (name === 'form_input') typed.push(input);
        if (name === 'computer' && input['ref'] === '2') page = 'home';
        return ok(name === 'read_page' ? pages[page] : 'done');
      },
    });
    expect(result).toMatchObject({ status: 'complete', answer: expect.stringContaining('All that was asked is done') });
    expect(typed).toEqual([{ ref: '1', value: 'ada' }]);
  });
});

test('runAgentLoop is bound to the settings of the environment where no connection is given', async () => {
  stack.model.play(...plays(says('By the environment.')));
  const before = { ...process.env };
  Object.assign(process.env, {
    DATABASE_URL: stack.databaseUrl,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    SUREFOOT_HOME: stack.home,
  });
  try {
    const result = await runAgentLoop({ task: 'Say it.', executeTool: () => ok('') });
    expect(result).toMatchObject({ status: 'complete', answer: 'By the environment.' });
  } finally {
    process.env = before;
  }
});
