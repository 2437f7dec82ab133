/** A conversation on the real parts: two tasks in one session, its browser given back in between, and its end by REST. */
import { orderProblems } from '../../contracts/log-order';
import type { LogRecord } from '../../contracts/log';
import { eventually } from '../support/eventually';
import { ONE_OF_EACH, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;

beforeAll(async () => {
  stack = await startWholeStack({ SUREFOOT_PAUSE_RELEASE_MS: '500' }, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

async function post(path: string, body?: object): Promise<number> {
  const answer = await fetch(`${stack.api}/v1/sessions/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status;
}

const isWait = ({ data }: LogRecord): boolean => data.details?.['waitingFor'] === 'task';
const isGivenBack = ({ data }: LogRecord): boolean => data.details?.['browser'] === 'given-back';

test('a session that stays open takes the next task on the page where it was, also in another browser, until it is closed', async () => {
  const { sessionId } = await stack.client.start({
    steps: [{ task: `Open ${stack.shop}/login\nType "ada" into Username` }],
    config: { agent: { stayOpen: true } },
  });
  await recordOf(stack, sessionId, 'the wait for a task', isWait);
  await recordOf(stack, sessionId, 'the browser that was given back', isGivenBack);
  expect((await stack.client.get(sessionId)).session.status).toBe('ACTIVE');
  expect(await post(`${sessionId}/cancel-turn`)).toBe(409);
  expect(await post(`${sessionId}/steps`, { steps: [{ task: 'Type "lovelace" into Password' }] })).toBe(202);
  await eventually('the second wait', async () => {
    const log = await stack.client.events(sessionId, 0, 1000);
    return log.filter(isWait).length === 2;
  });
  expect(await post(`${sessionId}/close`)).toBe(202);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await post(`${sessionId}/close`)).toBe(409);

  const log = await stack.logOf(sessionId);
  expect(orderProblems(log)).toEqual([]);
  const ended = log.flatMap(({ facts, stepIndex }) => (facts?.kind === 'task-end' ? [[stepIndex, facts.status]] : []));
  expect(ended).toEqual([
    [0, 'complete'],
    [1, 'complete'],
  ]);
  const typed = log.filter(({ data }) => data.command?.action === 'INPUT_TEXT' && data.command.status === 'COMPLETED');
  expect(typed).toHaveLength(2);
  const { progress } = await stack.client.get(sessionId);
  expect(progress.completedSteps).toBe(2);
}, 120_000);
