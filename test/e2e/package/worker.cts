// A worker of another project: its workflow runs a session as a child.
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { sessionProgress, type SessionProgress } from 'surefoot/workflows';
import type { countTwice } from './workflows.cjs';

async function main(): Promise<void> {
  const [, , shop = '', address = ''] = process.argv.slice(2);
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue: 'another-project',
    workflowsPath: require.resolve('./workflows.cjs'),
  });
  const { workflow } = new Client({ connection: await Connection.connect({ address }) });
  const outcome = await worker.runUntil(async () => {
    const args: Parameters<typeof countTwice> = [shop];
    const options = { taskQueue: 'another-project', workflowId: 'count-twice', args };
    return await workflow.execute<typeof countTwice>('countTwice', options);
  });
  const { status, overallProgress }: SessionProgress = await workflow.getHandle('counted').query(sessionProgress);
  console.log(JSON.stringify({ ...outcome, asked: { status, overallProgress } }));
  process.exit();
}
void main();
