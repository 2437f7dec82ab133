import { ToolScheduler, type ToolSchedulerConfig } from '../../../../client/agent/tools/tool-scheduler';
import type { ContentPart } from '../../../../contracts/tasks/chat';
import { ToolCallStatus, type ICompletedToolCall, type IToolCall } from '../../../../contracts/tools/tool-call';
import type { ITool } from '../../../../contracts/tools/tool';
import { ToolConfirmationOutcome } from '../../../../contracts/approvals/confirmation-outcome';
import { eventually } from '../../../support/eventually';
import { aCard, aRequest, aTool, never, type Args } from './scripted-tools';

const { ProceedOnce, ProceedAlways, ProceedAlwaysServer, ProceedAlwaysTool, ModifyWithEditor, Cancel } =
  ToolConfirmationOutcome;
const { Success, Cancelled, AwaitingApproval, Executing } = ToolCallStatus;
const open = () => new AbortController().signal;

function aScheduler(tools: ITool[], config: ToolSchedulerConfig = {}) {
  const updates: IToolCall[][] = [];
  const completions: ICompletedToolCall[][] = [];
  const errors: string[] = [];
  const quiet = () => {};
  const logger = { debug: quiet, info: quiet, warn: quiet, error: (message: string) => void errors.push(message) };
  const scheduler = new ToolScheduler({
    tools,
    onToolCallsUpdate: (calls) => void updates.push(calls),
    onAllToolCallsComplete: (calls) => void completions.push(calls),
    logger: logger as never,
    ...config,
  });
  const waiting = async (count = 1) =>
    await eventually(`${count} waiting calls`, () => {
      const found = scheduler.getCurrentToolCalls().filter(({ status }) => status === AwaitingApproval);
      return found.length === count ? found : undefined;
    });
  const statusesOf = (callId: string) =>
    updates
      .map((calls) => calls.find(({ request }) => request.callId === callId)?.status)
      .filter((status, index, all) => status !== undefined && status !== all[index - 1]);
  return { scheduler, updates, completions, errors, waiting, statusesOf };
}

const outputOf = ({ response }: ICompletedToolCall): { output?: string; error?: string } => {
  const [first] = response.responseParts as ContentPart[];
  return JSON.parse(first!.functionResponse!.result) as { output?: string; error?: string };
};

describe('registration', () => {
  it('[S2.R16] registers and removes tools at run time, and returns whether one was there', () => {
    const { scheduler } = aScheduler([aTool({ name: 'a' })]);
    const other = aTool({ name: 'b' });
    scheduler.registerTool(other);
    expect(scheduler.getToolList().map(({ name }) => name)).toEqual(['a', 'b']);
    expect(scheduler.getTool('b')).toBe(other);
    expect(scheduler.removeTool('b')).toBe(true);
    expect(scheduler.removeTool('b')).toBe(false);
    expect(scheduler.getTool('b')).toBeUndefined();
  });

  it('a tool of the same name takes the place of the one before', () => {
    const { scheduler } = aScheduler([aTool()]);
    const next = aTool();
    scheduler.registerTool(next);
    expect(scheduler.getToolList()).toEqual([next]);
  });
});

describe('a call', () => {
  it('[S2.R6, S2.R10] goes from validating over scheduled and executing to success', async () => {
    const tool = aTool();
    const { scheduler, completions, statusesOf } = aScheduler([tool]);
    const request = { ...aRequest(), functionId: 'fc_1' };
    await scheduler.schedule(request, open());
    expect(statusesOf(request.callId)).toEqual(['validating', 'scheduled', 'executing', 'success']);
    expect(tool.runs).toEqual([{ text: 'hello' }]);
    expect(completions).toHaveLength(1);
    const [call] = completions[0]!;
    expect(call).toMatchObject({ status: Success, request, tool, durationMs: expect.any(Number) });
    expect(call!.response.resultDisplay).toBe('ran');
    expect((call!.response.responseParts as ContentPart[])[0]!.functionResponse).toEqual({
      id: 'fc_1',
      call_id: request.callId,
      name: 'echo',
      result: JSON.stringify({ output: 'ran {"text":"hello"}' }),
    });
  });

  it('[S2.R22, S2.A15] gives text parts as text, and pictures beside it', async () => {
    const picture: ContentPart = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const llmContent: ContentPart[] = [{ type: 'text', text: 'a' }, picture, { type: 'text', text: 'b' }];
    const { scheduler, completions } = aScheduler([
      aTool({ execute: () => Promise.resolve({ llmContent, returnDisplay: '' }) }),
    ]);
    await scheduler.schedule(aRequest(), open());
    const [call] = completions[0]!;
    expect(outputOf(call!)).toEqual({ output: 'a\nb' });
    expect((call!.response.responseParts as ContentPart[]).slice(1)).toEqual([picture]);
  });

  it('[S2.A7] of an unknown tool ends in an error that lists the tools', async () => {
    const { scheduler, completions } = aScheduler([aTool({ name: 'a' }), aTool({ name: 'b' })]);
    await scheduler.schedule(aRequest('nowhere'), open());
    const [call] = completions[0]!;
    expect(call!.status).toBe(ToolCallStatus.Error);
    expect(call!.response.error?.message).toBe('Tool "nowhere" not found in registry. There are: a, b.');
    expect(call).not.toHaveProperty('tool');
  });

  it('[S2.A7, S2.R5] that fails validation is an error and never runs', async () => {
    const tool = aTool({ problem: () => 'text is missing', details: aCard().details });
    const { scheduler, completions } = aScheduler([tool]);
    await scheduler.schedule(aRequest(), open());
    expect(completions[0]![0]!.response.error?.message).toBe('Parameter validation failed for echo: text is missing');
    expect(tool.runs).toEqual([]);
  });

  it.each([
    ['text that is no JSON', '{"a":'],
    ['a list', [1]],
    ['null', null],
  ])('[S2.A17] with %s for arguments is an error, and the others of its batch run', async (_what, args) => {
    const tool = aTool();
    const { scheduler, completions } = aScheduler([tool]);
    await scheduler.schedule([aRequest('echo', args), aRequest()], open());
    expect(completions[0]!.map(({ status }) => status)).toEqual([ToolCallStatus.Error, Success]);
    expect(completions[0]![0]!.response.error?.message).toContain('validation failed');
    expect(tool.runs).toHaveLength(1);
  });

  it('whose validation throws is an error', async () => {
    const broken = aTool({
      problem: () => {
        throw new Error('out of order');
      },
    });
    const { scheduler, completions } = aScheduler([broken]);
    await scheduler.schedule(aRequest(), open());
    expect(completions[0]![0]!.response.error?.message).toBe('Parameter validation failed for echo: out of order');
  });

  it('whose tool throws is an error with the message for model and person', async () => {
    const { scheduler, completions } = aScheduler([aTool({ execute: () => Promise.reject(new Error('no disk')) })]);
    await scheduler.schedule(aRequest(), open());
    const [call] = completions[0]!;
    expect(call!.status).toBe(ToolCallStatus.Error);
    expect(call!.response).toMatchObject({ resultDisplay: 'no disk', error: new Error('no disk') });
    expect(outputOf(call!)).toEqual({ error: 'no disk' });
  });

  it('whose tool gives something that is no result is an error', async () => {
    const { scheduler, completions } = aScheduler([aTool({ execute: () => Promise.resolve({ text: 'x' } as never) })]);
    await scheduler.schedule(aRequest(), open());
    expect(completions[0]![0]!.response.error?.message).toBe(
      'Expected echo to give a result with llmContent and returnDisplay, got an object with text.',
    );
  });

  it('[S2.R12] publishes its output while it runs', async () => {
    const chunks: string[][] = [];
    const tool = aTool({
      execute: (_args, _signal, updateOutput) => {
        updateOutput?.('one ');
        updateOutput?.('two');
        return Promise.resolve({ llmContent: 'done', returnDisplay: 'done' });
      },
    });
    const { scheduler, updates } = aScheduler([tool], { outputUpdateHandler: (...update) => void chunks.push(update) });
    const request = aRequest();
    await scheduler.schedule(request, open());
    expect(chunks).toEqual([
      [request.callId, 'one '],
      [request.callId, 'two'],
    ]);
    const live = updates
      .flat()
      .filter((call) => call.status === Executing)
      .map((call) => call.liveOutput);
    expect(live).toEqual([undefined, 'one ', 'one two']);
  });

  it('whose tool can not update its output is not asked to', async () => {
    const given: unknown[] = [];
    const tool = aTool({
      canUpdateOutput: false,
      execute: (_args, _signal, updateOutput) => {
        given.push(updateOutput);
        return Promise.resolve({ llmContent: '', returnDisplay: '' });
      },
    });
    await aScheduler([tool]).scheduler.schedule(aRequest(), open());
    expect(given).toEqual([undefined]);
  });

  it('under an id that is under way already is refused', async () => {
    const tool = aTool();
    const { scheduler, completions } = aScheduler([tool]);
    const request = aRequest();
    await scheduler.schedule([request, request], open());
    expect(completions[0]!.map(({ status }) => status)).toEqual([Success, ToolCallStatus.Error]);
    expect(tool.runs).toHaveLength(1);
  });
});

describe('a batch', () => {
  it('[S2.A9] that is empty resolves at once and calls no handler', async () => {
    const { scheduler, updates, completions } = aScheduler([aTool()]);
    await scheduler.schedule([], open());
    expect([updates, completions]).toEqual([[], []]);
  });

  it('[S2.A8] runs what is approved in parallel', async () => {
    let arrived = 0;
    let meet = (): void => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    const tool = aTool({
      execute: async () => {
        arrived += 1;
        if (arrived === 2) meet();
        await both;
        return { llmContent: '', returnDisplay: '' };
      },
    });
    const { scheduler, completions } = aScheduler([tool]);
    await scheduler.schedule([aRequest(), aRequest()], open());
    expect(completions[0]!.map(({ status }) => status)).toEqual([Success, Success]);
  });

  it('runs nothing before all of it is confirmed, and ends once', async () => {
    const free = aTool({ name: 'free' });
    const asking = aTool({ name: 'asking', details: aCard().details });
    const { scheduler, completions, waiting } = aScheduler([free, asking]);
    const [one, two] = [aRequest('free'), aRequest('asking')];
    const done = scheduler.schedule([one, two], open());
    await waiting();
    expect(free.runs).toEqual([]);
    await scheduler.handleConfirmationResponse(two.callId, ProceedOnce);
    await done;
    expect(completions.map((calls) => calls.map(({ status }) => status))).toEqual([[Success, Success]]);
  });

  it('[S2.R11] reports the start of what runs and the end of everything, each once', async () => {
    const started: string[] = [];
    const ended: unknown[][] = [];
    const { scheduler } = aScheduler([aTool()]);
    const [good, unknown] = [aRequest(), aRequest('nowhere')];
    await scheduler.schedule([good, unknown], open(), {
      onExecutionStart: ({ callId }) => void started.push(callId),
      onExecutionDone: ({ callId }, { error }, duration) => void ended.push([callId, error?.message, duration]),
    });
    expect(started).toEqual([good.callId]);
    expect(ended).toEqual([
      [unknown.callId, expect.stringContaining('not found in registry'), undefined],
      [good.callId, undefined, expect.any(Number)],
    ]);
  });

  it('has calls of its own: two at once do not know of each other, and the list shows both', async () => {
    const asking = aTool({ details: aCard().details });
    const { scheduler, completions, waiting } = aScheduler([asking]);
    const [one, two] = [aRequest(), aRequest()];
    const first = scheduler.schedule(one, open());
    const second = scheduler.schedule(two, open());
    await waiting(2);
    await scheduler.handleConfirmationResponse(two.callId, ProceedOnce);
    await second;
    expect(scheduler.isRunning()).toBe(true);
    expect(completions.map(([call]) => call!.request.callId)).toEqual([two.callId]);
    await scheduler.handleConfirmationResponse(one.callId, Cancel);
    await first;
    expect(completions.map(([call]) => call!.status)).toEqual([Success, Cancelled]);
    expect(scheduler.isRunning()).toBe(false);
    await scheduler.schedule([aRequest('nowhere')], open());
    expect(scheduler.getCurrentToolCalls()).toHaveLength(1);
  });
});

describe('approval', () => {
  it('[S2.A16, S2.R9] is waited for, and proceed_once lets the call run', async () => {
    const card = aCard();
    const tool = aTool({ details: card.details });
    const { scheduler, completions, waiting, statusesOf } = aScheduler([tool]);
    const request = aRequest();
    const done = scheduler.schedule(request, open());
    const [call] = await waiting();
    expect(call).toMatchObject({ confirmationDetails: card.details, tool });
    expect(tool.runs).toEqual([]);
    await scheduler.handleConfirmationResponse(request.callId, ProceedOnce);
    await done;
    expect(statusesOf(request.callId)).toEqual([
      'validating',
      'awaiting_approval',
      'scheduled',
      'executing',
      'success',
    ]);
    expect(completions[0]![0]).toMatchObject({ status: Success, outcome: ProceedOnce });
    expect(card.answers).toEqual([[ProceedOnce]]);
  });

  it('that is refused cancels the call, which never runs', async () => {
    const card = aCard();
    const tool = aTool({ details: card.details });
    const { scheduler, completions, waiting } = aScheduler([tool]);
    const request = aRequest();
    const done = scheduler.schedule(request, open());
    await waiting();
    await scheduler.handleConfirmationResponse(request.callId, Cancel);
    await done;
    expect(completions[0]![0]).toMatchObject({ status: Cancelled, outcome: Cancel });
    expect(outputOf(completions[0]![0]!)).toEqual({ error: 'Rejected by the user.' });
    expect(tool.runs).toEqual([]);
    expect(card.answers).toEqual([[Cancel]]);
  });

  it('[S2.A3, S2.R7] with modified content replaces `content` and runs without asking again', async () => {
    const card = aCard('edit');
    const tool = aTool({ details: card.details });
    const { scheduler, completions, waiting } = aScheduler([tool]);
    const request = aRequest('echo', { path: 'a.txt', content: 'old' });
    const done = scheduler.schedule(request, open());
    await waiting();
    await scheduler.handleConfirmationResponse(request.callId, ModifyWithEditor, { newContent: 'new' });
    await done;
    expect(tool.runs).toEqual([{ path: 'a.txt', content: 'new' }]);
    expect(completions[0]![0]).toMatchObject({ status: Success, request: { args: { content: 'new' } } });
    expect(card.answers).toEqual([[ModifyWithEditor, { newContent: 'new' }]]);
    expect(request.args).toEqual({ path: 'a.txt', content: 'old' });
  });

  it('[S2.A3] with modified content that does not fit is an error', async () => {
    const tool = aTool({
      details: aCard('edit').details,
      problem: ({ content }) => (content === 'bad' ? 'bad content' : null),
    });
    const { scheduler, completions, waiting } = aScheduler([tool]);
    const request = aRequest('echo', { content: 'good' });
    const done = scheduler.schedule(request, open());
    await waiting();
    await scheduler.handleConfirmationResponse(request.callId, ModifyWithEditor, { newContent: 'bad' });
    await done;
    expect(completions[0]![0]!.response.error?.message).toContain('validation failed');
    expect(tool.runs).toEqual([]);
  });

  it('[S2.A3] to modify without content cancels the call', async () => {
    const tool = aTool({ details: aCard('edit').details });
    const { scheduler, completions, waiting } = aScheduler([tool]);
    const request = aRequest();
    const done = scheduler.schedule(request, open());
    await waiting();
    await scheduler.handleConfirmationResponse(request.callId, ModifyWithEditor);
    await done;
    expect(completions[0]![0]!.status).toBe(Cancelled);
    expect(outputOf(completions[0]![0]!)).toEqual({ error: 'No modification content provided' });
    expect(tool.runs).toEqual([]);
  });

  it('[S2.R7, S2.A16] gives the payload to the tool only where its kind takes one, and answers it once', async () => {
    const card = aCard('exec');
    const tool = aTool({ details: card.details });
    const { scheduler, waiting } = aScheduler([tool]);
    const request = aRequest();
    const done = scheduler.schedule(request, open());
    await waiting();
    await Promise.all([
      scheduler.handleConfirmationResponse(request.callId, ModifyWithEditor, { newContent: 'x' }),
      scheduler.handleConfirmationResponse(request.callId, Cancel),
    ]);
    await done;
    expect(card.answers).toEqual([[ModifyWithEditor]]);
    expect(tool.runs).toHaveLength(1);
  });

  it('for a call that waits for none, or is none, is ignored', async () => {
    const tool = aTool();
    const { scheduler, completions } = aScheduler([tool]);
    const request = aRequest();
    await scheduler.schedule(request, open());
    await scheduler.handleConfirmationResponse(request.callId, Cancel);
    await scheduler.handleConfirmationResponse('call_of_nobody', ProceedOnce);
    expect(completions).toHaveLength(1);
    expect(completions[0]![0]!.status).toBe(Success);
  });

  it('whose tool can not take the answer ends in an error, not in an execution', async () => {
    const card = aCard('info', {});
    card.details.onConfirm = () => Promise.reject(new Error('lost'));
    const tool = aTool({ details: card.details });
    const { scheduler, completions, waiting } = aScheduler([tool]);
    const request = aRequest();
    const done = scheduler.schedule(request, open());
    await waiting();
    await scheduler.handleConfirmationResponse(request.callId, ProceedOnce);
    await done;
    expect(completions[0]![0]!.response.error?.message).toBe('The decision could not be passed to the tool: lost');
    expect(tool.runs).toEqual([]);
  });

  it('whose details can not be read is an error', async () => {
    const tool = aTool({ details: () => Promise.reject(new Error('no diff')) });
    const { scheduler, completions } = aScheduler([tool]);
    await scheduler.schedule(aRequest(), open());
    expect(completions[0]![0]!.response.error?.message).toBe('The confirmation could not be requested: no diff');
    expect(tool.runs).toEqual([]);
  });

  it('[S2.A11] that does not come in time cancels the call, and never says that a person refused', async () => {
    const tool = aTool({ details: aCard().details });
    const { scheduler, completions } = aScheduler([tool], { approvalTimeoutMs: 5 });
    await scheduler.schedule(aRequest(), open());
    const [call] = completions[0]!;
    expect(call!.status).toBe(Cancelled);
    expect(outputOf(call!)).toEqual({ error: 'No answer came within 5 ms.' });
    expect(call!.outcome).toBeUndefined();
    expect(tool.runs).toEqual([]);
  });

  it('may come from a handler of confirmations', async () => {
    const tool = aTool({ details: aCard().details });
    const { scheduler, completions } = aScheduler([tool], {
      confirm: ({ request }) => Promise.resolve(request.args['text'] === 'yes' ? ProceedOnce : Cancel),
    });
    await scheduler.schedule([aRequest('echo', { text: 'yes' }), aRequest('echo', { text: 'no' })], open());
    expect(completions[0]!.map(({ status }) => status)).toEqual([Success, Cancelled]);
    expect(tool.runs).toEqual([{ text: 'yes' }]);
  });
});

describe('[S2.A1] the approval mode', () => {
  it('yolo approves everything and does not even ask the tool', async () => {
    const asked: Args[] = [];
    const tool = aTool({
      details: (args) => {
        asked.push(args);
        return Promise.resolve(aCard().details);
      },
    });
    const { scheduler, completions } = aScheduler([tool], { approvalMode: 'yolo' });
    await scheduler.schedule([aRequest(), aRequest()], open());
    expect(completions[0]!.map(({ status }) => status)).toEqual([Success, Success]);
    expect(asked).toEqual([]);
  });

  it('always asks for every call, with a card of its own where the tool has none', async () => {
    const tool = aTool();
    const { scheduler, waiting } = aScheduler([tool], { approvalMode: 'always' });
    const request = aRequest();
    const done = scheduler.schedule(request, open());
    const [call] = await waiting();
    expect(call).toMatchObject({ confirmationDetails: { type: 'info', title: 'Run echo?' } });
    await scheduler.handleConfirmationResponse(request.callId, ProceedOnce);
    await done;
    expect(tool.runs).toHaveLength(1);
  });

  it('default asks where the tool does', async () => {
    const [free, asking] = [aTool({ name: 'free' }), aTool({ name: 'asking', details: aCard().details })];
    const { scheduler, waiting } = aScheduler([free, asking]);
    await scheduler.schedule(aRequest('free'), open());
    expect(free.runs).toHaveLength(1);
    const request = aRequest('asking');
    const done = scheduler.schedule(request, open());
    await waiting();
    await scheduler.handleConfirmationResponse(request.callId, Cancel);
    await done;
    expect(asking.runs).toEqual([]);
  });
});

describe('[S2.A2, S2.R8] what is remembered of an answer', () => {
  const mcp = (tool: string, serverName: string) =>
    aTool({ name: tool, details: () => Promise.resolve(aCard('mcp', { serverName, toolName: tool }).details) });
  const exec = () =>
    aTool({
      name: 'shell',
      details: ({ command }) =>
        Promise.resolve(aCard('exec', { command, rootCommand: String(command).split(' ')[0] }).details),
    });
  const asks = async (
    { scheduler, waiting }: ReturnType<typeof aScheduler>,
    request: ReturnType<typeof aRequest>,
    answer: ToolConfirmationOutcome,
  ) => {
    const done = scheduler.schedule(request, open());
    await waiting();
    await scheduler.handleConfirmationResponse(request.callId, answer);
    await done;
  };
  const runsFreely = async ({ scheduler }: ReturnType<typeof aScheduler>, request: ReturnType<typeof aRequest>) => {
    await scheduler.schedule(request, open());
    return scheduler.getCurrentToolCalls().every(({ status }) => status === Success);
  };

  it('proceed_once: nothing', async () => {
    const parts = aScheduler([aTool({ details: aCard().details })]);
    await asks(parts, aRequest(), ProceedOnce);
    await asks(parts, aRequest(), Cancel);
    expect(parts.completions.map(([call]) => call!.status)).toEqual([Success, Cancelled]);
  });

  it('proceed_always: the same tool', async () => {
    const card = aCard();
    const parts = aScheduler([aTool({ details: card.details }), aTool({ name: 'other', details: card.details })]);
    await asks(parts, aRequest(), ProceedAlways);
    expect(await runsFreely(parts, aRequest('echo', { text: 'other words' }))).toBe(true);
    await asks(parts, aRequest('other'), Cancel);
    expect(card.answers).toEqual([[ProceedAlways], [Cancel]]);
  });

  it('proceed_always of a command: the same root command', async () => {
    const parts = aScheduler([exec()]);
    await asks(parts, aRequest('shell', { command: 'git status' }), ProceedAlways);
    expect(await runsFreely(parts, aRequest('shell', { command: 'git push' }))).toBe(true);
    await asks(parts, aRequest('shell', { command: 'rm -rf /' }), Cancel);
    expect(parts.completions.at(-1)![0]!.status).toBe(Cancelled);
  });

  it('proceed_always_tool: that tool of that server, and no other of it', async () => {
    const parts = aScheduler([mcp('read', 'files'), mcp('write', 'files')]);
    await asks(parts, aRequest('read'), ProceedAlwaysTool);
    expect(await runsFreely(parts, aRequest('read'))).toBe(true);
    await asks(parts, aRequest('write'), Cancel);
    expect(parts.completions.at(-1)![0]!.status).toBe(Cancelled);
  });

  it('proceed_always_server: all tools of that server', async () => {
    const parts = aScheduler([mcp('read', 'files'), mcp('write', 'files'), mcp('mail', 'post')]);
    await asks(parts, aRequest('read'), ProceedAlwaysServer);
    expect(await runsFreely(parts, aRequest('write'))).toBe(true);
    await asks(parts, aRequest('mail'), Cancel);
    expect(parts.completions.at(-1)![0]!.status).toBe(Cancelled);
  });

  it('lets those go on that wait for the same, and answers their tools', async () => {
    const card = aCard();
    const tool = aTool({ details: card.details });
    const { scheduler, waiting } = aScheduler([tool]);
    const requests = [aRequest(), aRequest(), aRequest()];
    const done = scheduler.schedule(requests, open());
    await waiting(3);
    await scheduler.handleConfirmationResponse(requests[1]!.callId, ProceedAlways);
    await done;
    expect(tool.runs).toHaveLength(3);
    expect(card.answers).toEqual([[ProceedAlways], [ProceedAlways], [ProceedAlways]]);
  });

  it('is known to no other scheduler', async () => {
    const tool = aTool({ details: aCard().details });
    await asks(aScheduler([tool]), aRequest(), ProceedAlways);
    const other = aScheduler([tool]);
    await asks(other, aRequest(), Cancel);
    expect(other.completions[0]![0]!.status).toBe(Cancelled);
  });
});

describe('cancellation', () => {
  it('[S2.A10] by a signal that is aborted already: known calls are cancelled, unknown ones errors', async () => {
    const tool = aTool({ details: aCard().details });
    const { scheduler, completions } = aScheduler([tool]);
    await scheduler.schedule([aRequest(), aRequest('nowhere'), aRequest()], AbortSignal.abort(new Error('too late')));
    expect(completions.map((calls) => calls.map(({ status }) => status))).toEqual([
      [Cancelled, ToolCallStatus.Error, Cancelled],
    ]);
    expect(outputOf(completions[0]![0]!)).toEqual({ error: 'too late' });
    expect(tool.runs).toEqual([]);
    expect(scheduler.isRunning()).toBe(false);
  });

  it('by the signal while tools run reaches the tools, and holds nobody up who does not heed it', async () => {
    const seen: unknown[] = [];
    const heeding = aTool({
      name: 'heeding',
      execute: (_args, signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            seen.push((signal.reason as Error).message);
            reject(signal.reason as Error);
          }),
        ),
    });
    const deaf = aTool({ name: 'deaf', execute: () => never() });
    const { scheduler, completions, updates } = aScheduler([heeding, deaf]);
    const stop = new AbortController();
    const done = scheduler.schedule([aRequest('heeding'), aRequest('deaf')], stop.signal);
    await eventually('both run', () => updates.at(-1)?.every(({ status }) => status === Executing));
    stop.abort();
    await done;
    expect(completions[0]!.map(({ status }) => status)).toEqual([Cancelled, Cancelled]);
    expect(seen).toEqual(['Cancelled before it was done.']);
  });

  it('while the tool is still asked for its details ends the wait', async () => {
    const tool = aTool({ details: () => never() });
    const { scheduler, completions } = aScheduler([tool]);
    const stop = new AbortController();
    const done = scheduler.schedule(aRequest(), stop.signal);
    stop.abort();
    await done;
    expect(completions[0]![0]!.status).toBe(Cancelled);
  });

  it('[S2.R13] of all: everything that has not ended, for the reason given, also in other batches', async () => {
    const asking = aTool({ name: 'asking', details: aCard().details });
    const slow = aTool({ name: 'slow', execute: () => never() });
    const { scheduler, completions, waiting, updates } = aScheduler([asking, slow]);
    const first = scheduler.schedule(aRequest('asking'), open());
    const second = scheduler.schedule(aRequest('slow'), open());
    await waiting();
    await eventually('the other runs', () => updates.at(-1)?.some(({ status }) => status === Executing));
    scheduler.cancelAll('The person has left.');
    await Promise.all([first, second]);
    expect(completions.flat().map(outputOf)).toEqual([
      { error: 'The person has left.' },
      { error: 'The person has left.' },
    ]);
    scheduler.cancelAll('Nothing is there.');
    expect(asking.runs).toEqual([]);
  });

  it('[S2.R6] of one call by its id leaves the others as they are, whatever state it is in', async () => {
    let stopped: string | undefined;
    const slow = aTool({
      name: 'slow',
      execute: (_args, signal) =>
        new Promise(() => signal.addEventListener('abort', () => (stopped = (signal.reason as Error).message))),
    });
    const asking = aTool({ name: 'asking', details: aCard().details });
    const { scheduler, completions, updates, waiting } = aScheduler([slow, asking, aTool()]);
    const running = scheduler.schedule({ ...aRequest('slow'), callId: 'slow' }, open());
    await eventually('it runs', () => updates.at(-1)?.some(({ status }) => status === Executing));
    const others = ['first', 'second'].map((callId) => ({ ...aRequest('asking'), callId }));
    const batch = scheduler.schedule(others, open());
    await waiting(2);
    expect(await scheduler.cancelCall('slow', 'too slow')).toBe(true);
    await running;
    expect(stopped).toBe('too slow');
    expect(await scheduler.cancelCall('first', 'not this one')).toBe(true);
    expect(await scheduler.cancelCall('first', 'again')).toBe(false);
    expect(await scheduler.cancelCall('nobody', 'why')).toBe(false);
    await scheduler.handleConfirmationResponse('second', ProceedOnce);
    await batch;
    expect(completions.flat().map(({ request, status }) => [request.callId, status])).toEqual([
      ['slow', Cancelled],
      ['first', Cancelled],
      ['second', Success],
    ]);
  });

  it('after the end changes nothing', async () => {
    const { scheduler, completions } = aScheduler([aTool()]);
    const stop = new AbortController();
    await scheduler.schedule(aRequest(), stop.signal);
    stop.abort();
    scheduler.cancelAll('late');
    expect(completions[0]![0]!.status).toBe(Success);
    expect(scheduler.getCurrentToolCalls().map(({ status }) => status)).toEqual([Success]);
  });
});

describe('[S2.A14] handlers that throw', () => {
  it('break nothing: the call succeeds, and each is logged', async () => {
    const bang = (): never => {
      throw new Error('bang');
    };
    const tool = aTool({
      execute: (_args, _signal, updateOutput) => {
        updateOutput?.('x');
        return Promise.resolve({ llmContent: 'done', returnDisplay: '' });
      },
    });
    const { scheduler, errors } = aScheduler([tool], {
      onToolCallsUpdate: bang,
      outputUpdateHandler: bang,
      onAllToolCallsComplete: () => Promise.reject(new Error('later')) as never,
    });
    await scheduler.schedule(aRequest(), open(), { onExecutionStart: bang, onExecutionDone: bang });
    expect(scheduler.getCurrentToolCalls().map(({ status }) => status)).toEqual([Success]);
    await eventually('the late one is logged', () => errors.includes('onAllToolCallsComplete threw: later'));
    expect(new Set(errors)).toEqual(
      new Set([
        'onToolCallsUpdate threw: bang',
        'outputUpdateHandler threw: bang',
        'onExecutionStart threw: bang',
        'onExecutionDone threw: bang',
        'onAllToolCallsComplete threw: later',
      ]),
    );
  });

  it('a handler of confirmations that throws leaves the call waiting for another answer', async () => {
    const { scheduler, completions, errors, waiting } = aScheduler([aTool({ details: aCard().details })], {
      confirm: () => Promise.reject(new Error('no screen')),
    });
    const request = aRequest();
    const done = scheduler.schedule(request, open());
    await waiting();
    await eventually('the error is logged', () => errors.length === 1);
    await scheduler.handleConfirmationResponse(request.callId, ProceedOnce);
    await done;
    expect(completions[0]![0]!.status).toBe(Success);
    expect(errors).toEqual(['the handler of confirmations threw: no screen']);
  });
});

describe('[S2.A18, S2.R21] retries', () => {
  const failing = (times: number, error: object) => {
    let left = times;
    return aTool({
      execute: () => {
        left -= 1;
        if (left >= 0) return Promise.reject(Object.assign(new Error('later, please'), error));
        return Promise.resolve({ llmContent: 'done', returnDisplay: '' });
      },
    });
  };
  const runsOf = async (tool: ReturnType<typeof aTool>, retries?: ToolSchedulerConfig['retries']) => {
    const { scheduler } = aScheduler([tool], { retries });
    await scheduler.schedule(aRequest(), open());
    return [tool.runs.length, scheduler.getCurrentToolCalls()[0]!.status];
  };

  it('are none unless they are asked for', async () => {
    expect(await runsOf(failing(1, { retryable: true }))).toEqual([1, 'error']);
  });

  it('are for errors that say they pass, on calls that may take effect twice', async () => {
    const retries = { max: 2, isRepeatable: () => true };
    expect(await runsOf(failing(2, { retryable: true }), retries)).toEqual([3, 'success']);
    expect(await runsOf(failing(3, { transient: true }), retries)).toEqual([3, 'error']);
    expect(await runsOf(failing(1, {}), retries)).toEqual([1, 'error']);
    expect(await runsOf(failing(1, { retryable: true }), { max: 2, isRepeatable: () => false })).toEqual([1, 'error']);
  });
});
