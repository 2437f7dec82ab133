import { storeToolResult } from '../../../activities/engine/tasks/remote-calls';
import { createEngineTools } from '../../../activities/engine/tools/engine-tools';
import { createToolRegistry } from '../../../activities/engine/tools/tool-registry';
import { toThumbnail } from '../../../service/sessions/thumbnail';
import type { Store } from '../../../store/store';
import { aSession } from '../../api/fixture';
import { aPng } from '../../support/png';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;

beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
}, 120_000);
afterAll(() => stack.stop());

/** A call of a browser somewhere else that has returned this picture. */
async function pictured(sessionId: string, callId: string, screenshot: { data: string; mediaType: string }) {
  const call = { callId, stepIndex: 0, turn: 1, position: 0, name: 'computer', args: {} };
  await store.toolCalls.plan(sessionId, [call]);
  await store.sessions.assignRun(sessionId, 'run', undefined);
  const outbox = { records: [], patch: {}, stepResults: [] };
  const result = { success: true, screenshot };
  await storeToolResult(
    { store, env: {} },
    { sessionId, stepIndex: 0, turn: 1, callId, result, durationMs: 5, outbox } as never,
    { runId: 'run', attempt: 1 } as never,
  );
}

test('the picture of a browser elsewhere is a screenshot of its session, shown in the next question', async () => {
  const sessionId = await aSession(store);
  const png = aPng(4, 2, () => [1, 2, 3]);
  await pictured(sessionId, 'call_1', { data: png.toString('base64'), mediaType: 'image/png' });
  await pictured(sessionId, 'call_2', { data: Buffer.from('<script>').toString('base64'), mediaType: 'image/png' });
  const [shot, ...others] = await store.artifacts.list(sessionId, 'screenshot');
  expect(shot).toMatchObject({ artifactId: 'call_1.picture', mediaType: 'image/png', facts: { width: 4, height: 2 } });
  expect(others).toEqual([]);
  expect(toThumbnail(await store.artifacts.read(shot!)).equals(png)).toBe(true);
  const approval = {
    approvalId: 'appr_3',
    sessionId,
    callId: 'call_3',
    toolName: 'computer',
    args: {},
    classification: 'destructive',
    card: { type: 'info', title: 'Run computer?', prompt: 'It may cost money.' },
    hash: 'h',
    stepIndex: 0,
    turn: 2,
    status: 'pending',
    askedAt: new Date().toISOString(),
  } as const;
  await store.log.append(sessionId, [], { approvals: [approval] });
  expect(await store.approvals.pending(sessionId)).toMatchObject([{ screenshotId: 'call_1.picture' }]);
});

test('a tool of the caller is stored with the schema that edits of its arguments are checked with', async () => {
  const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const clientTools = [{ name: 'note', description: 'Writes a note', parameters }];
  const config = { agent: { clientTools, clientQueue: 'mine' } };
  const sessionId = await aSession(store, { steps: [{ task: 'Write a note' }], config });
  const registry = createToolRegistry({ store, env: {}, engineTools: createEngineTools(() => false) });
  const place = { sessionId, stepIndex: 0, turn: 1 };
  await registry.plan(place, [{ callId: 'call_n', name: 'note', args: '{"text": "buy"}' }]);
  expect(await store.toolCalls.get(sessionId, 'call_n')).toMatchObject({ parameters });
});
