import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Agent } from '../../../../client/agent/agent';
import type { AgentOptions } from '../../../../client/agent/agent-options';
import { createAgentFactory } from '../../../../client/agent/agent-factory';
import { openAgentConnection } from '../../../../client/agent/connection';
import { isAgent } from '../../../../contracts/agents/agent';
import { AgentEventType, type AgentEvent } from '../../../../contracts/agents/agent-event';
import { agentFormat } from '../../../../contracts/events/formats/agent';
import { encodeAll } from '../../../../contracts/events/formats/format';
import type { MessageItem } from '../../../../contracts/tasks/chat';
import { ToolConfirmationOutcome } from '../../../../contracts/approvals/confirmation-outcome';
import { calls, plays, says, startAgentStack, STREAMING_MODEL, type AgentStack } from '../../../support/agent-stack';
import { eventually } from '../../../support/eventually';
import { everyRow } from '../../../support/every-row';
import { formsOf } from '../../../support/secret-forms';
import { filesIn, textsIn } from '../../../support/texts-in';
import { geminiChunks, geminiLine, SSE_HEADERS } from '../../../support/model-server/gemini';
import { googleError } from '../../../support/model-server/references/gemini';
import { refuses, type Play } from '../../../support/model-server/server';
import { aCard, aTool } from '../tools/scripted-tools';

const E = AgentEventType;
let stack: AgentStack;
const agents: Agent[] = [];
beforeAll(async () => {
  stack = await startAgentStack();
}, 240_000);
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
});
afterAll(async () => {
  await stack.stop();
}, 60_000);

/** An agent that needs no browser: its model has the tools of this process only. */
function anAgent(change: Partial<AgentOptions> = {}): Agent {
  const { config, session, ...options } = change;
  const agent = new Agent({
    connection: stack.connection,
    config: { model: STREAMING_MODEL, workingDirectory: '/', ...config },
    session: { timeouts: { retryDelayMs: 50 }, ...session, agent: { executor: 'client', ...session?.agent } },
    tools: ['echo', 'other'],
    ...options,
  });
  agents.push(agent);
  return agent;
}
const open = () => new AbortController().signal;
const typesOf = (events: readonly AgentEvent[]) =>
  events.map(({ type }) => type).filter((type, index, list) => type !== list[index - 1]);
const textOf = (events: readonly AgentEvent[]) =>
  events
    .filter(({ type }) => type === E.ResponseChunkTextDelta)
    .map(({ data }) => (data as { content: { text_delta: string } }).content.text_delta)
    .join('');
const dataOf = (events: readonly AgentEvent[], type: AgentEventType) =>
  events.filter((event) => event.type === type).map(({ data }) => data as Record<string, unknown>);
const heardBodies = () => stack.model.heard.map(({ body }) => JSON.stringify(body));
const sessionIdOf = async (name: string): Promise<string> =>
  (await stack.client.list({ page: 1, pageSize: 100 })).sessions.length > 0
    ? (await stack.engineStore.sessions.list({ page: 1, pageSize: 1 })).rows[0]!.sessionId
    : name;
/** A transparent image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const message = (text: string): MessageItem => ({ role: 'user', content: { type: 'text', text } });

/** Streams the words one after the other, each when the test lets it go. */
function slowly(words: string[]): { play: Play; next: () => void } {
  let goOn = (): void => {};
  const play: Play = async (response) => {
    response.writeHead(200, SSE_HEADERS);
    const chunks = geminiChunks({ text: words.join('') });
    const pieces = words.map((text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] }));
    for (const piece of pieces) {
      await new Promise<void>((resolve) => (goOn = resolve));
      response.write(geminiLine(piece));
    }
    await new Promise<void>((resolve) => (goOn = resolve));
    response.end(geminiLine(chunks.at(-1)!));
  };
  return { play, next: () => goOn() };
}

describe('[S2.46] a conversation', () => {
  it('[S2.R14, S2.R3] is published from the message to the end of its last turn, as the log has it', async () => {
    stack.model.play(...plays(calls(['echo', { text: 'hi' }]), says('It said hi. 😀')));
    const tool = aTool();
    const agent = anAgent({ scheduler: { tools: [tool] } });
    const name = randomUUID();
    const events = await Array.fromAsync(agent.process('Say hi.', name, open()));
    expect(typesOf(events)).toEqual([
      E.UserMessage,
      E.ResponseStart,
      E.ResponseChunkTextDelta,
      E.ResponseChunkTextDone,
      E.ResponseChunkFunctionCallDone,
      E.ResponseComplete,
      E.ToolExecutionStart,
      E.ToolExecutionDone,
      E.TurnComplete,
      E.ResponseStart,
      E.ResponseChunkTextDelta,
      E.ResponseChunkTextDone,
      E.ResponseComplete,
      E.TurnComplete,
    ]);
    expect(tool.runs).toEqual([{ text: 'hi' }]);
    expect(textOf(events)).toBe('I use a tool.It said hi. 😀');
    expect(dataOf(events, E.UserMessage)).toEqual([
      { type: 'user_input', content: 'Say hi.', sessionId: name, turn: 1 },
    ]);
    expect(dataOf(events, E.ToolExecutionDone)[0]).toMatchObject({
      toolName: 'echo',
      result: expect.stringContaining('ran {"text":"hi"}'),
      turn: 1,
    });
    const sessionId = await sessionIdOf(name);
    const log = await stack.client.events(sessionId, 0, 1000);
    const fold = encodeAll(
      agentFormat,
      log.map((record) => ({ ...record, sessionId: name })),
    );
    expect(events).toEqual(fold.map(({ frame }) => frame));
    expect(agent.getStatus()).toMatchObject({
      isRunning: false,
      currentTurn: 2,
      historySize: 5,
      tokenUsage: { inputTokens: 1200, outputTokens: 80, cumulativeTokens: 2560 },
      modelInfo: { model: STREAMING_MODEL },
    });
    expect(
      agent
        .getChat()
        .getHistory()
        .map(({ role, content }) => [role, content.type]),
    ).toEqual([
      ['user', 'text'],
      ['assistant', 'text'],
      ['assistant', 'function_call'],
      ['user', 'function_response'],
      ['assistant', 'text'],
    ]);
  });

  it('goes on in one session: the next message knows what was said', async () => {
    stack.model.play(...plays(says('Ada it is.'), says('Ada.')));
    const agent = anAgent();
    const name = randomUUID();
    await Array.fromAsync(agent.process('My name is Ada.', name, open()));
    const events = await Array.fromAsync(agent.process('What is my name?', name, open()));
    expect(textOf(events)).toBe('Ada.');
    expect(dataOf(events, E.UserMessage).map(({ content }) => content)).toEqual(['What is my name?']);
    expect(heardBodies()[1]).toContain('My name is Ada.');
    expect(heardBodies()[1]).toContain('Ada it is.');
  });

  it('[S2.R22] takes images, which reach the model with each turn of their message, or refuses them', async () => {
    stack.model.play(...plays(says('Hello.'), says('A dot.'), says('Still a dot.')));
    const agent = anAgent();
    const name = randomUUID();
    await Array.fromAsync(agent.process('Hello.', name, open()));
    const image: MessageItem = { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } };
    const responses = await agent.getChat().sendMessageStream([image, message('What is it?')], 'prompt');
    expect((await Array.fromAsync(responses)).at(-1)).toMatchObject({ type: 'response.complete' });
    await Array.fromAsync(agent.process('And now?', name, open()));
    const parts = stack.model.heard.slice(-2).map(({ body }) => JSON.stringify(body['contents']));
    expect(parts.map((text) => text.split(`"inlineData":{"mimeType":"image/png","data":"${PIXEL}"}`))).toEqual([
      [expect.any(String), expect.any(String)],
      [expect.any(String), expect.any(String)],
    ]);
    const ofUser = agent
      .getChat()
      .getHistory()
      .filter(({ content }) => content.type === 'image');
    expect(ofUser.map(({ role, content }) => [role, content])).toEqual([['user', image.content]]);

    const sound: MessageItem = { role: 'user', content: { type: 'audio', data: PIXEL, mimeType: 'audio/wav' } };
    const refused = await Array.fromAsync(agent.processOneTurn(name, sound, open()));
    expect(dataOf(refused, E.Error)).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('takes text, image, function_response, and this one is audio'),
      }),
    ]);
    expect(() => agent.getChat().addHistory(sound)).toThrow('audio');
  });

  it('[S2.R22] refuses images where the model takes none, before the start and at a fall-back', async () => {
    const image: MessageItem = { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } };
    const blind = anAgent({ config: { model: 'rules', workingDirectory: '/' } });
    const refused = await Array.fromAsync(blind.processOneTurn(randomUUID(), image, open()));
    expect(dataOf(refused, E.Error)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('rules takes no images') }),
    ]);
    stack.model.play(refuses(400, googleError(400, 'INVALID_ARGUMENT', 'Image input is not enabled for this model.')));
    const agent = anAgent({ config: { model: `${STREAMING_MODEL},rules`, workingDirectory: '/' } });
    const events = await Array.fromAsync(agent.processOneTurn(randomUUID(), image, open()));
    expect(dataOf(events, E.Error)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/rules takes no images|Image input is not enabled/) }),
    ]);
  });

  it('takes messages of 100,000 characters, and Temporal carries each once, whatever the turns', async () => {
    stack.model.play(...plays(calls(['echo', {}]), calls(['echo', {}]), calls(['echo', {}]), says('Read.')));
    const agent = anAgent({ scheduler: { tools: [aTool()] } });
    const name = randomUUID();
    const first = '字'.repeat(100_000);
    expect(textOf(await Array.fromAsync(agent.process(first, name, open())))).toContain('Read.');
    expect(heardBodies().filter((body) => body.includes(first))).toHaveLength(4);
    const second = '文'.repeat(100_000);
    expect(textOf(await Array.fromAsync(agent.process(second, name, open())))).toBe('Read.');
    expect(heardBodies().at(-1)).toContain(second);
    const { events } = await stack.engineTemporal.workflow.getHandle(await sessionIdOf(name)).fetchHistory();
    const large = events!.filter((event) => JSON.stringify(event).length > 100_000);
    // Of each message: its reading, and the record of its start.
    expect(large.length).toBeLessThanOrEqual(4);
    expect(Math.max(...large.map((event) => JSON.stringify(event).length))).toBeLessThan(1_000_000);
    const tooLong = await Array.fromAsync(agent.process('x'.repeat(100_001), name, open()));
    expect(dataOf(tooLong, E.Error)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('at most 100000 characters') }),
    ]);
  });

  it('[S2.A13] has one run at a time', async () => {
    stack.model.play(...plays(says('One.')));
    const agent = anAgent();
    const name = randomUUID();
    const first = agent.process('One?', name, open());
    await first.next();
    expect(agent.getStatus().isRunning).toBe(true);
    const second = await Array.fromAsync(agent.process('Two?', name, open()));
    expect(second.map(({ type }) => type)).toEqual([E.Error]);
    expect(dataOf(second, E.Error)[0]!['message']).toContain('already processing');
    expect(textOf(await Array.fromAsync(first))).toBe('One.');
  });

  it('[S2.A12] has a limit of turns, and says when it is reached', async () => {
    stack.model.play(...plays(calls(['echo', {}])));
    const agent = anAgent({ scheduler: { tools: [aTool()] }, maxTurns: 2 });
    const name = randomUUID();
    const events = await Array.fromAsync(agent.process('For ever.', name, open()));
    expect(events.filter(({ type }) => type === E.TurnComplete)).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: E.Error, data: { message: expect.stringContaining('2 turns') } });
    stack.model.play(...plays(says('Still here.')));
    expect(textOf(await Array.fromAsync(agent.process('And now?', name, open())))).toBe('Still here.');
  });

  it('[S2.R15] takes one turn where one is asked for; the next one receives the results of its tools', async () => {
    stack.model.play(...plays(calls(['echo', { text: 'hi' }]), says('It said hi.')));
    const agent = anAgent({ scheduler: { tools: [aTool()] } });
    const name = randomUUID();
    const first = await Array.fromAsync(agent.processOneTurn(name, message('Say hi.'), open()));
    expect(dataOf(first, E.TurnComplete)).toEqual([expect.objectContaining({ hasToolCalls: true })]);
    expect(first.at(-1)!.type).toBe(E.TurnComplete);
    const second = await Array.fromAsync(agent.processOneTurn(name, message('Go on.'), open()));
    expect(dataOf(second, E.TurnComplete)).toEqual([expect.objectContaining({ hasToolCalls: false })]);
    expect(heardBodies()[1]).toContain('ran {');
    expect(heardBodies()[1]).not.toContain('was not run');
  });

  it('[S2.R16] offers tools that come and go from the next turn on', async () => {
    stack.model.play(...plays(says('No tools.')));
    const agent = anAgent();
    const name = randomUUID();
    await Array.fromAsync(agent.process('Anything?', name, open()));
    expect(heardBodies()[0]).not.toContain('"echo"');
    const tool = aTool();
    agent.registerTool(tool);
    expect(agent.getTool('echo')).toBe(tool);
    stack.model.play(...plays(calls(['echo', { text: 'new' }]), says('Yes.')));
    await Array.fromAsync(agent.process('Now?', name, open()));
    expect(tool.runs).toEqual([{ text: 'new' }]);
    expect(agent.getToolScheduler().removeTool('echo')).toBe(true);
    expect(agent.getToolList()).toEqual([]);
    stack.model.play(...plays(calls(['echo', {}]), says('Gone.')));
    const events = await Array.fromAsync(agent.process('And now?', name, open()));
    expect(dataOf(events, E.ToolExecutionDone)[0]!['error']).toContain('not found in registry');
    expect(tool.runs).toHaveLength(1);
  });

  it('stops answering when it is cancelled, and is there for the next message', async () => {
    const { play, next } = slowly(['One ', 'two ', 'three']);
    stack.model.play(play);
    const agent = anAgent();
    const name = randomUUID();
    const stop = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of agent.process('Count.', name, stop.signal)) {
      events.push(event);
      if (event.type === E.ResponseStart)
        await eventually('the model is asked', () => (next(), stack.model.heard.length > 0));
      if (event.type === E.ResponseStart) next();
      if (event.type === E.ResponseChunkTextDelta) stop.abort(new Error('Enough.'));
    }
    expect(events.at(-1)).toMatchObject({ type: E.UserCancelled, data: { type: 'user_cancelled', reason: 'Enough.' } });
    expect(events.some(({ type }) => type === E.Error)).toBe(false);
    stack.model.play(...plays(says('Go on.')));
    expect(textOf(await Array.fromAsync(agent.process('Go on?', name, open())))).toBe('Go on.');
    expect(await Array.fromAsync(agent.process('No.', name, AbortSignal.abort()))).toMatchObject([
      { type: E.UserCancelled },
    ]);
  });

  it('stops answering when nobody reads its events any more', async () => {
    const { play, next } = slowly(['One ', 'two ']);
    stack.model.play(play);
    const agent = anAgent();
    const name = randomUUID();
    for await (const { type } of agent.process('Count.', name, open())) {
      if (type === E.ResponseStart) {
        await eventually('the model is asked', () => stack.model.heard.length > 0);
        next();
        break;
      }
    }
    expect(agent.getStatus().isRunning).toBe(false);
    stack.model.play(...plays(says('Back.')));
    expect(textOf(await Array.fromAsync(agent.process('Back?', name, open())))).toBe('Back.');
  });

  it('[S2.R17, S2.A14] passes every event to its handlers, which have ids, and lets none of them break it', async () => {
    stack.model.play(...plays(says('Yes.')));
    const agent = anAgent();
    const seen: AgentEvent[] = [];
    agent.onEvent('seen', () => expect('the handler before').toBe('called'));
    agent.onEvent('seen', (event) => void seen.push(event));
    agent.onEvent('gone', () => void seen.push({ type: E.Error, timestamp: 0 }));
    agent.offEvent('gone');
    agent.onEvent('broken', () => {
      throw new Error('bang');
    });
    const events = await Array.fromAsync(agent.process('Ready?', randomUUID(), open()));
    expect(seen).toEqual(events);
  });

  it('reports a model that can not be called, and goes on with the next message', async () => {
    stack.model.play(refuses(400, googleError(400, 'INVALID_ARGUMENT', 'No such model.')));
    const agent = anAgent();
    const name = randomUUID();
    const events = await Array.fromAsync(agent.process('Hello?', name, open()));
    expect(events.map(({ type }) => type)).toContain(E.ResponseFailed);
    expect(events.at(-1)).toMatchObject({ type: E.Error });
    stack.model.play(...plays(says('Hello.')));
    expect(textOf(await Array.fromAsync(agent.process('Hello?', name, open())))).toBe('Hello.');
  });

  it('takes another prompt, another model and a cleared history with the next message', async () => {
    stack.model.play(...plays(says('One.'), says('Two.')));
    const agent = anAgent({ systemPrompt: 'Be brief.' });
    const name = randomUUID();
    await Array.fromAsync(agent.process('The word is heron.', name, open()));
    expect(heardBodies()[0]).toContain('Be brief.');
    agent.setSystemPrompt('Be thorough.');
    agent.clearHistory();
    expect(agent.getChat().handleModelFallback('vertexai/gemini-2.5-pro')).toBe(true);
    agent.getChat().addHistory(message('The word is stork.'));
    await Array.fromAsync(agent.process('Which word?', name, open()));
    const body = heardBodies()[1]!;
    expect(body).toContain('Be thorough.');
    expect(body).not.toContain('Be brief.');
    expect(body).not.toContain('heron');
    expect(body).toContain('stork');
    expect(stack.model.heard[1]!.path).toContain('gemini-2.5-pro');
    expect(agent.getSystemPrompt()).toBe('Be thorough.');
  });
});

test('[S2.46] an initial history is in getHistory, and the model gets it as turns of their roles', async () => {
  stack.model.play(...plays(says('Heron.'), says('Still heron.')));
  const call = { call_id: 'call_1', name: 'echo', args: '{"content":"heron"}' };
  const initialHistory: MessageItem[] = [
    { role: 'assistant', content: { type: 'text', text: 'What shall I keep?' } },
    message('The word is heron.'),
    { role: 'assistant', content: { type: 'function_call', functionCall: call } },
    {
      role: 'user',
      content: { type: 'function_response', functionResponse: { call_id: 'call_1', name: 'echo', result: 'kept' } },
    },
    { role: 'assistant', content: { type: 'text', text: 'I keep it.' } },
  ];
  const agent = anAgent({ initialHistory });
  const history = () =>
    agent
      .getChat()
      .getHistory()
      .map(({ role, content }) => `${role}: ${content.text ?? content.type}`);
  const given = [
    'assistant: What shall I keep?',
    'user: The word is heron.',
    'assistant: function_call',
    'user: function_response',
    'assistant: I keep it.',
  ];
  expect(history()).toEqual(given);
  const name = randomUUID();
  await Array.fromAsync(agent.process('Which word?', name, open()));
  type Turn = { role: string; parts: Record<string, unknown>[] };
  const { contents } = stack.model.heard[0]!.body as { contents: Turn[] };
  expect(contents.map(({ role, parts }) => [role, ...parts.map((part) => Object.keys(part)[0])])).toEqual([
    ['user', 'text'],
    ['model', 'text'],
    ['user', 'text'],
    ['model', 'functionCall'],
    ['user', 'functionResponse'],
    ['model', 'text'],
    ['user', 'text'],
  ]);
  expect(contents[3]!.parts[0]).toMatchObject({ functionCall: { name: 'echo', args: { content: 'heron' } } });
  expect(JSON.stringify(contents[4])).toContain('kept');
  expect(history()).toEqual([...given, expect.stringMatching(/^user: Which word\?/), 'assistant: Heron.']);
  await Array.fromAsync(agent.process('And now?', name, open()));
  expect(heardBodies().map((body) => body.split('I keep it.').length - 1)).toEqual([1, 1]);
  agent.clearHistory();
  expect(history()).toEqual([]);
});

test('[S2.46] an agent that is closed ends its conversation, unless it is to be kept for another process', async () => {
  stack.model.play(...plays(says('Hello.'), says('Hello.')));
  const [ended, kept] = [anAgent(), anAgent()];
  await Array.fromAsync(ended.process('Hello.', randomUUID(), open()));
  const endedId = await sessionIdOf('');
  await Array.fromAsync(kept.process('Hello.', randomUUID(), open()));
  const keptId = await sessionIdOf('');
  await Promise.all([ended.close(), kept.close({ keep: true })]);
  const statusOf = async (id: string): Promise<string> => (await stack.client.get(id)).session.status;
  await eventually('the session of the closed agent has ended', async () => (await statusOf(endedId)) === 'COMPLETED');
  expect(await statusOf(keptId)).toBe('ACTIVE');
  expect((await stack.engineStore.sessions.get(keptId))?.plan.config.agent.idleTimeoutMs).toBe(3_600_000);
  await stack.client.close(keptId);
});

describe('approval in a conversation', () => {
  it('[S2.A16] what a tool of this process asks is published before it runs, answered by the scheduler', async () => {
    stack.model.play(...plays(calls(['echo', { content: 'old' }]), says('Done.')));
    const card = aCard('edit');
    const tool = aTool({ details: card.details });
    const agent = anAgent({ scheduler: { tools: [tool] } });
    const events: AgentEvent[] = [];
    for await (const event of agent.process('Write it.', randomUUID(), open())) {
      events.push(event);
      if (event.type !== E.ToolConfirmation) continue;
      expect(tool.runs).toEqual([]);
      const { callId } = event.data as { callId: string };
      await agent
        .getToolScheduler()
        .handleConfirmationResponse(callId, ToolConfirmationOutcome.ModifyWithEditor, { newContent: 'new' });
    }
    expect(dataOf(events, E.ToolConfirmation)).toEqual([
      expect.objectContaining({ toolName: 'echo', confirmationDetails: expect.objectContaining({ type: 'edit' }) }),
    ]);
    expect(tool.runs).toEqual([{ content: 'new' }]);
    expect(card.answers).toEqual([[ToolConfirmationOutcome.ModifyWithEditor, { newContent: 'new' }]]);
  });

  it('[S2.A2, S2.A16] a rejected call does not run; an answer for all covers the next call', async () => {
    const { ProceedAlwaysTool, Cancel } = ToolConfirmationOutcome;
    const named = (content: string) => calls(['echo', { content }]);
    stack.model.play(...plays(named('one'), named('two'), named('three'), says('Done.')));
    const card = aCard('info');
    const tool = aTool({ details: card.details });
    const agent = anAgent({ scheduler: { tools: [tool] } });
    const events: AgentEvent[] = [];
    for await (const event of agent.process('Write it.', randomUUID(), open())) {
      events.push(event);
      if (event.type !== E.ToolConfirmation) continue;
      const { callId, args } = event.data as { callId: string; args: { content: string } };
      const outcome = args.content === 'one' ? Cancel : ProceedAlwaysTool;
      await agent.getToolScheduler().handleConfirmationResponse(callId, outcome);
    }
    const asked = dataOf(events, E.ToolConfirmation).map(({ confirmationDetails }) => confirmationDetails);
    // The text is shown as the tool gave it.
    expect(asked).toEqual([
      expect.objectContaining({ prompt: 'May it?' }),
      expect.objectContaining({ prompt: 'May it?' }),
    ]);
    expect(tool.runs).toEqual([{ content: 'two' }, { content: 'three' }]);
    expect(card.answers).toEqual([[Cancel], [ProceedAlwaysTool]]);
    // A call that was rejected has an end and no start.
    expect(dataOf(events, E.ToolExecutionStart)).toHaveLength(2);
  });

  it('[S2.A1] with `always` the session itself asks, and the answer goes there', async () => {
    stack.model.play(...plays(calls(['echo', { text: 'a' }], ['echo', { text: 'b' }]), says('Done.')));
    const tool = aTool();
    const agent = anAgent({ scheduler: { tools: [tool], approvalMode: 'always' } });
    const events: AgentEvent[] = [];
    for await (const event of agent.process('Twice.', randomUUID(), open())) {
      events.push(event);
      if (event.type !== E.ToolConfirmation) continue;
      const { callId, args } = event.data as { callId: string; args: { text: string } };
      const { ProceedOnce, Cancel } = ToolConfirmationOutcome;
      await agent.getToolScheduler().handleConfirmationResponse(callId, args.text === 'a' ? ProceedOnce : Cancel);
    }
    expect(tool.runs).toEqual([{ text: 'a' }]);
    expect(dataOf(events, E.ToolExecutionDone).map(({ error }) => error === undefined)).toEqual([true, false]);
  });
});

describe('another process', () => {
  it('goes on with a conversation under its session id, with its history and its tokens', async () => {
    stack.model.play(...plays(says('Ada it is.'), says('Ada.')));
    const name = randomUUID();
    await Array.fromAsync(anAgent().process('My name is Ada.', name, open()));
    const connection = await openAgentConnection({
      databaseUrl: stack.databaseUrl,
      home: stack.home,
      temporal: { address: stack.temporalAddress, namespace: 'default' },
      secretKey: undefined,
      maxSessions: undefined,
    });
    const tool = aTool();
    const other = anAgent({ connection, scheduler: { tools: [tool] } });
    expect(await Array.fromAsync(other.attach(name, open(), Number.MAX_SAFE_INTEGER))).toEqual([]);
    expect(other.getChat().getHistory()).toHaveLength(2);
    expect(other.getTokenUsage().cumulativeTokens).toBe(1280);
    stack.model.play(...plays(calls(['echo', { text: 'from the other' }]), says('Ada.')));
    const sessionId = await sessionIdOf(name);
    expect(textOf(await Array.fromAsync(other.process('What is my name?', sessionId, open())))).toBe(
      'I use a tool.Ada.',
    );
    expect(tool.runs).toEqual([{ text: 'from the other' }]);
    await other.close();
    await connection.close();
  });
});

describe('[S2.43] the apiKey of an agent', () => {
  it('is what the vendor gets for this agent alone, and nobody finds it afterwards', async () => {
    const apiKey = 'sk-of-this-agent-alone';
    const name = randomUUID();
    const own = anAgent({ config: { model: STREAMING_MODEL, workingDirectory: '/', apiKey } });
    const refused = googleError(401, 'UNAUTHENTICATED', `The key ${apiKey} is not known.`);
    stack.model.play(...plays(says('One.'), says('Two.'), says('Three.')), refuses(401, refused));
    await Array.fromAsync(own.process('Count.', name, open()));
    const sessionId = await sessionIdOf('');
    const sealed = (await everyRow(stack.databaseUrl)).filter((row) => row.startsWith('caller_keys:'));
    expect(sealed).toEqual([expect.stringContaining('sealed:1:')]);
    const other = anAgent();
    await Array.fromAsync(other.process('Count on.', name, open()));
    await Array.fromAsync(own.process('Count on.', name, open()));
    const failed = await Array.fromAsync(own.process('Count on.', name, open()));
    expect(stack.model.heard.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${apiKey}`,
      'Bearer ya29.not-for-any-log',
      `Bearer ${apiKey}`,
      `Bearer ${apiKey}`,
    ]);
    expect(JSON.stringify(failed)).toContain('is not known');
    await other.close({ keep: true });
    await own.close();
    await stack.logOf(sessionId);
    const rows = await everyRow(stack.databaseUrl);
    expect(rows.filter((row) => row.startsWith('caller_keys:'))).toEqual([]);
    const history = await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory();
    const places = {
      rows,
      history: [...textsIn(history), JSON.stringify(history)],
      logs: filesIn(join(stack.home, 'logs')),
      events: [JSON.stringify([failed, own.getStatus(), own.getChat().getHistory()])],
    };
    for (const [place, texts] of Object.entries(places)) {
      expect({ place, isEmpty: texts.length === 0 }).toEqual({ place, isEmpty: false });
      const forms = Object.values(formsOf).map((encode) => encode(apiKey));
      expect(texts.filter((text) => forms.some((form) => text.includes(form)))).toEqual([]);
    }
  }, 120_000);

  it('is refused where the model names no vendor, with what to write instead', () => {
    expect(() => anAgent({ config: { model: 'gemini-2.5-flash', workingDirectory: '/', apiKey: 'k' } })).toThrow(
      'Write the model as vendor/model',
    );
  });
});

describe('[S2.47] the factory', () => {
  it('[S2.R19, S2.49] makes agents of minimal and of whole configurations, and reveals the key to nobody', async () => {
    const factory = createAgentFactory(stack.connection);
    const simple = await factory.createSimpleAgent('rules', '/work', 'Be brief.');
    expect(isAgent(simple)).toBe(true);
    expect(simple.getSystemPrompt()).toBe('Be brief.');
    const configured = await factory.createConfiguredAgent({
      agentConfig: { model: 'rules', workingDirectory: '/work', apiKey: 'sk-secret' },
      toolSchedulerConfig: { approvalMode: 'yolo' },
      chatConfig: { apiKey: 'sk-secret', modelName: 'rules', tokenLimit: 500, systemPrompt: 'Be kind.' },
    });
    expect(configured.getStatus()).toMatchObject({ modelInfo: { model: 'rules', tokenLimit: 500 } });
    expect(JSON.stringify(configured.getStatus())).not.toContain('sk-secret');
    expect(configured.getSystemPrompt()).toBe('Be kind.');
    expect((await factory.createAgent({ model: 'rules', workingDirectory: '/' })).getToolList()).toEqual([]);
  });
});
