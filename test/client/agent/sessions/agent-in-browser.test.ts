/** An agent whose session has a browser of its own, led by the built-in model and by a language model. */
import { randomUUID } from 'node:crypto';
import { Agent } from '../../../../client/agent/agent';
import type { AgentOptions } from '../../../../client/agent/agent-options';
import { AgentEventType, type AgentEvent } from '../../../../contracts/agents/agent-event';
import { ToolConfirmationOutcome } from '../../../../contracts/approvals/confirmation-outcome';
import { calls, plays, says, startAgentStack, STREAMING_MODEL, type AgentStack } from '../../../support/agent-stack';
import { aTool } from '../tools/scripted-tools';

let stack: AgentStack;
beforeAll(async () => {
  stack = await startAgentStack({ hasBrowsers: true });
}, 240_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const agents: Agent[] = [];
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
});
const anAgent = (options: Omit<AgentOptions, 'connection'>): Agent => {
  const agent = new Agent({ connection: stack.connection, ...options });
  agents.push(agent);
  return agent;
};

const toolsOf = (events: AgentEvent[]) =>
  events
    .filter(({ type }) => type === AgentEventType.ToolExecutionDone)
    .map(({ data }) => data as { toolName: string; error?: string })
    .map(({ toolName, error }) => [toolName, ...(error === undefined ? [] : [error])]);
const open = () => new AbortController().signal;

test('messages that say what to do are carried out by rules, in one browser from the first to the last', async () => {
  const agent = anAgent({ config: { model: 'rules', workingDirectory: '/' } });
  const name = randomUUID();
  const first = await Array.fromAsync(agent.process(`Open ${stack.shop}/login`, name, open()));
  expect(toolsOf(first)).toEqual([['navigate']]);
  const signIn = 'Type "ada" into Username, type "lovelace" into Password and click "Sign in"';
  const second = await Array.fromAsync(agent.process(signIn, name, open()));
  expect(second.filter(({ type }) => type === AgentEventType.ToolConfirmation)).toEqual([]);
  expect(toolsOf(second)).toEqual([['form_input'], ['form_input'], ['computer']]);
  const third: AgentEvent[] = [];
  const buy = `Open ${stack.shop}/products/trail-shoe, click "Add to cart" and click "Checkout"`;
  for await (const event of agent.process(buy, name, open())) {
    third.push(event);
    if (event.type !== AgentEventType.ToolConfirmation) continue;
    // What can't be taken back is asked of a person, by the session itself; the answer goes there.
    const { callId } = event.data as { callId: string };
    await agent.getToolScheduler().handleConfirmationResponse(callId, ToolConfirmationOutcome.ProceedOnce);
  }
  expect(third.filter(({ type }) => type === AgentEventType.ToolConfirmation)).toHaveLength(1);
  expect(toolsOf(third)).toEqual([['navigate'], ['computer'], ['computer']]);
  expect([...first, ...second, ...third].filter(({ type }) => type === AgentEventType.Error)).toEqual([]);
});

test('[S2.41, S2.R13] the scheduler knows a call that waits in the session, and cancels it', async () => {
  const updates: string[] = [];
  const agent = anAgent({
    config: { model: 'rules', workingDirectory: '/' },
    scheduler: {
      onToolCallsUpdate: (current) => {
        updates.push(current.map(({ status, request }) => `${request.name} ${status}`).join(', '));
      },
    },
  });
  const scheduler = agent.getToolScheduler();
  const events: AgentEvent[] = [];
  const name = randomUUID();
  const signIn = `Open ${stack.shop}/login, type "ada" into Username, type "lovelace" into Password and click "Sign in"`;
  await Array.fromAsync(agent.process(signIn, name, open()));
  const buy = `Open ${stack.shop}/products/trail-shoe, click "Add to cart" and click "Checkout"`;
  for await (const event of agent.process(buy, name, open())) {
    events.push(event);
    if (event.type !== AgentEventType.ToolConfirmation) continue;
    const waiting = scheduler.getCurrentToolCalls().filter(({ status }) => status === 'awaiting_approval');
    expect(waiting).toMatchObject([{ request: { name: 'computer' }, confirmationDetails: { type: 'info' } }]);
    expect(scheduler.isRunning()).toBe(true);
    scheduler.cancelAll('Not today.');
  }
  expect(scheduler.isRunning()).toBe(false);
  expect(updates).toContain('navigate executing');
  expect(scheduler.getCurrentToolCalls().map(({ request, status }) => [request.name, status])).toEqual([
    ['navigate', 'success'],
    ['computer', 'success'],
    ['computer', 'cancelled'],
  ]);
  expect(JSON.stringify(events)).toContain('Not today.');
});

test('a conversation without a tool of the browser starts no Chrome', async () => {
  stack.model.play(...plays(says('Hello.')));
  const agent = anAgent({ config: { model: STREAMING_MODEL, workingDirectory: '/' } });
  await Array.fromAsync(agent.process('Hello.', randomUUID(), open()));
  const { rows } = await stack.engineStore.sessions.list({ page: 1, pageSize: 1 });
  const { events } = await stack.engineTemporal.workflow.getHandle(rows[0]!.workflowId).fetchHistory();
  const activities = events!.map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
  expect(activities).toContain('runModelTurn');
  expect(activities).not.toContain('acquireBrowser');
});

test('a language model has the tools of the browser beside those of this process', async () => {
  stack.model.play(
    ...plays(
      calls(['navigate', { url: `${stack.shop}/login` }]),
      calls(['read_page', {}], ['echo', { text: 'noted' }]),
      says('There is a form to sign in.'),
    ),
  );
  const tool = aTool();
  const agent = anAgent({
    config: { model: STREAMING_MODEL, workingDirectory: '/' },
    scheduler: { tools: [tool] },
  });
  const events = await Array.fromAsync(agent.process(`What is at ${stack.shop}/login?`, randomUUID(), open()));
  expect(toolsOf(events)).toEqual([['navigate'], ['read_page'], ['echo']]);
  expect(tool.runs).toEqual([{ text: 'noted' }]);
  expect(JSON.stringify(stack.model.heard.at(-1)!.body)).toContain('Username');
});
