/**
 * A conversation of 60 messages with a tool each: the session hands over to new runs of its workflow on the way, half of
 * it is led by one process of the caller and half by another, and nothing is lost or done twice.
 */
import { randomUUID } from 'node:crypto';
import { Agent } from '../../../../client/agent/agent';
import { AgentEventType } from '../../../../contracts/agents/agent-event';
import { calls, plays, says, startAgentStack, STREAMING_MODEL, type AgentStack } from '../../../support/agent-stack';
import { aTool, type Args } from '../tools/scripted-tools';

const MESSAGES = 60;
const SUGGESTED = 200;
let stack: AgentStack;
beforeAll(async () => {
  stack = await startAgentStack({ temporalSettings: { 'limit.historyCount.suggestContinueAsNew': String(SUGGESTED) } });
}, 240_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

test('[S2.R14] a chat of 60 messages with tools loses nothing, and its history in Temporal stays short', async () => {
  const runs: Args[] = [];
  const tool = () =>
    aTool({
      execute: (args) => {
        runs.push(args);
        return Promise.resolve({ llmContent: `got ${String(args['n'])}`, returnDisplay: '' });
      },
    });
  const anAgent = () =>
    new Agent({
      connection: stack.connection,
      config: { model: STREAMING_MODEL, workingDirectory: '/' },
      session: { agent: { executor: 'client' } },
      tools: ['echo'],
      scheduler: { tools: [tool()] },
    });
  const name = randomUUID();
  const answers: string[] = [];
  let agent = anAgent();
  for (let n = 1; n <= MESSAGES; n += 1) {
    if (n === MESSAGES / 2) {
      await agent.close({ keep: true });
      agent = anAgent();
    }
    stack.model.play(...plays(calls(['echo', { n }]), says(`Answer ${n}.`)));
    for await (const { type, data } of agent.process(`Message ${n}.`, name, new AbortController().signal)) {
      if (type === AgentEventType.ResponseComplete) {
        const [first] = (data as { chunks: { content: { text?: string } }[] }).chunks;
        answers.push(first?.content.text ?? '');
      }
      expect(type).not.toBe(AgentEventType.Error);
    }
  }
  const numbers = Array.from({ length: MESSAGES }, (_, index) => index + 1);
  expect(runs).toEqual(numbers.map((n) => ({ n })));
  expect(answers).toEqual(numbers.flatMap((n) => ['I use a tool.', `Answer ${n}.`]));
  expect(agent.getStatus().currentTurn).toBe(2 * MESSAGES);
  expect(agent.getTokenUsage().cumulativeTokens).toBe(2 * MESSAGES * 1280);
  expect(
    agent
      .getChat()
      .getHistory(true)
      .filter(({ content }) => content.text?.startsWith('Message ')),
  ).toHaveLength(MESSAGES);
  const heard = JSON.stringify(stack.model.heard.at(-1)!.body);
  for (const n of numbers) expect(heard).toContain(`Message ${n}.`);

  const [row] = (await stack.engineStore.sessions.list({ page: 1, pageSize: 1 })).rows;
  const lengths: number[] = [];
  for await (const { historyLength } of stack.engineTemporal.workflow.list({
    query: `WorkflowId = "${row!.workflowId}"`,
  }))
    lengths.push(historyLength);
  expect(lengths.length).toBeGreaterThan(3);
  expect(Math.max(...lengths)).toBeLessThan(SUGGESTED + 150);
  await stack.client.close(row!.sessionId);
  const log = await stack.logOf(row!.sessionId);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  expect(log.at(-1)!.type).toBe('WORKFLOW_COMPLETED');
  await agent.close();
});
