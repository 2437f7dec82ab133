// A strict program that has workers, keeper and API in its own process, and runs a session on them.
import { createClient } from 'surefoot';
import { startApi, startBrowserWorker, startEngineWorker, startKeeper, type RunningPart } from 'surefoot/engine';

async function main(): Promise<void> {
  const [, token, shop] = process.argv.slice(2);
  const parts: RunningPart[] = [await startKeeper(), await startEngineWorker(), await startBrowserWorker()];
  const api = await startApi({ env: { ...process.env, PORT: '0' } });
  const surefoot = createClient({ api: api.address ?? '', token });
  const { sessionId } = await surefoot.startSession({
    steps: [`Open ${shop}/parts/counter`, 'Save the Count as count'],
  });
  const { session, variables } = await surefoot.waitForEnd(sessionId);
  for (const part of [api, ...parts.reverse()]) await part.stop();
  console.log(JSON.stringify({ status: session.status, saved: variables.map(({ name }) => name) }));
  process.exit();
}
void main();
