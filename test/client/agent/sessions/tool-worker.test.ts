import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { ClientCall, RunClientTool } from '../../../../client/agent/tools/client-calls';
import { startToolWorker, type ToolWorker } from '../../../../client/agent/tools/tool-worker';
import type { BrowserToolResult } from '../../../../contracts/tasks/agent-loop';
import type { callTools } from '../../../support/call-tools-workflow';
import { eventually } from '../../../support/eventually';
import { startTestStack, type TestStack } from '../../../support/stack';
import { quietRuntime } from '../../../support/workflow-harness';
import { standStill } from '../../../support/stand-still';

const ENGINE = 'calls-of-the-test';
let stack: TestStack;
let temporal: Client;
let engine: Worker;
let running: Promise<void>;
beforeAll(async () => {
  quietRuntime();
  stack = await startTestStack({ parts: ['temporal'] });
  temporal = await stack.temporal();
  const connection = await NativeConnection.connect({ address: stack.temporalAddress });
  const workflowsPath = require.resolve('../../../support/call-tools-workflow');
  engine = await Worker.create({ connection, taskQueue: ENGINE, workflowsPath });
  running = engine.run().then(() => connection.close());
}, 240_000);
afterAll(async () => {
  engine.shutdown();
  await running;
  await stack.stop();
}, 60_000);

const aCall = (name: string, callId = `call_${randomUUID()}`): ClientCall => ({
  sessionId: 'session',
  callId,
  name,
  args: { name },
});

async function withWorker<T>(
  run: RunClientTool,
  use: (
    start: (calls: ClientCall[], silentMs?: number) => Promise<WorkflowHandle<typeof callTools>>,
    worker: ToolWorker,
  ) => Promise<T>,
): Promise<T> {
  const queue = `client-${randomUUID()}`;
  const worker = await startToolWorker({
    temporal: { address: stack.temporalAddress, namespace: 'default' },
    queue,
    run,
  });
  try {
    return await use(
      (calls, silentMs) =>
        temporal.workflow.start<typeof callTools>('callTools', {
          workflowId: randomUUID(),
          taskQueue: ENGINE,
          args: [queue, calls, silentMs],
        }),
      worker,
    );
  } finally {
    await worker.stop();
  }
}

describe("[S0.R6] the worker of the caller's process", () => {
  it('runs the tools that a session calls, and answers with what they gave', async () => {
    const asked: ClientCall[] = [];
    const run: RunClientTool = (call) => {
      asked.push(call);
      if (call.name === 'throws') throw new Error('no such page');
      return Promise.resolve({ success: true, output: call.name === 'big' ? 'x'.repeat(50_000_000) : call.args });
    };
    const calls = [aCall('look'), aCall('throws'), aCall('big')];
    const [look, throws, big] = await withWorker(run, async (start) => await (await start(calls)).result());
    expect(asked).toEqual(calls);
    expect(look).toEqual({ success: true, output: { name: 'look' } });
    expect(throws).toEqual({ success: false, error: 'no such page' });
    expect(big?.output).toMatch(/^x+\n\[cut: \d+ of 50000000 characters\]$/);
  });

  it('runs a call once, though its process is busy for so long that the session asks again', async () => {
    const runs: string[] = [];
    const run: RunClientTool = async ({ callId }) => {
      runs.push(callId);
      // No beat goes out while the loop of events stands still.
      standStill(2500);
      return await Promise.resolve({ success: true, output: runs.length });
    };
    const call = aCall('busy');
    const results = await withWorker(run, async (start) => {
      const first = await start([call]);
      const answers = await first.result();
      // And again after its end.
      return [...answers, ...(await (await start([call])).result())];
    });
    expect(results).toEqual([
      { success: true, output: 1 },
      { success: true, output: 1 },
    ]);
    expect(runs).toEqual([call.callId]);
  });

  it('[S0.R10] stops a tool whose call is cancelled', async () => {
    const reasons: string[] = [];
    let isRunning = false;
    const run: RunClientTool = (_call, signal) =>
      new Promise<BrowserToolResult>((_, reject) => {
        isRunning = true;
        signal.addEventListener('abort', () => {
          reasons.push((signal.reason as Error).message);
          reject(signal.reason as Error);
        });
      });
    await withWorker(run, async (start) => {
      // On a busy machine a beat comes late; a cancelled call that is silent counts as failed.
      const handle = await start([aCall('long')], 5000);
      await eventually('the tool runs', () => isRunning);
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow('Workflow execution cancelled');
      await eventually('the tool has heard', () => reasons.length > 0);
    });
    expect(reasons).toEqual(['The call was cancelled.']);
  });

  it('goes, and stops what runs, when its process ends; the next one on its queue goes on', async () => {
    const queue = `client-${randomUUID()}`;
    const parts = { temporal: { address: stack.temporalAddress, namespace: 'default' }, queue };
    const reasons: string[] = [];
    let isRunning = false;
    const first = await startToolWorker({
      ...parts,
      run: (_call, signal) =>
        new Promise<BrowserToolResult>(() => {
          isRunning = true;
          signal.addEventListener('abort', () => reasons.push((signal.reason as Error).message));
        }),
    });
    const args: [string, ClientCall[]] = [queue, [aCall('hangs')]];
    const handle = await temporal.workflow.start<typeof callTools>('callTools', {
      workflowId: randomUUID(),
      taskQueue: ENGINE,
      args,
    });
    await eventually('the tool runs', () => isRunning);
    await first.stop();
    expect(reasons).toEqual(['The process that runs this tool is stopping.']);
    const second = await startToolWorker({ ...parts, run: () => Promise.resolve({ success: true, output: 'second' }) });
    expect(await handle.result()).toEqual([{ success: true, output: 'second' }]);
    await second.stop();
  });

  it('goes without a failure when its process is too busy to stop in time', async () => {
    const run: RunClientTool = () => Promise.resolve({ success: true });
    await withWorker(run, async (start, worker) => {
      await (await start([aCall('look')])).result();
      await new Promise(setImmediate);
      const stopped = worker.stop();
      // The time of force is over before anything that the server says is read.
      standStill(1500);
      await expect(stopped).resolves.toBeUndefined();
    });
  });
});
