import { StreamEventType } from '../contracts/events';
import { openStage, type Stage } from './stage';
import { median, ms, percentile, printTable } from './statistics';

const KILLS = 8;

/** kill -9 of the worker that drives the page, in the middle of a batch, to the next command on the same page. */
export async function measureRecovery(): Promise<void> {
  const stage = await openStage();
  try {
    const times: number[] = [];
    for (let index = 0; index < KILLS; index += 1) times.push(await oneKill(stage));
    printTable('Recovery', [
      {
        what: `kill -9 of both browser workers to the next command (${KILLS} kills)`,
        measured: `p50 ${ms(median(times))}`,
        compared: `max ${ms(percentile(times, 1))}`,
        goal: 'p50 <= 2500 ms',
      },
    ]);
  } finally {
    await stage.stop();
  }
}

async function oneKill({ sessions, shop, stack }: Stage): Promise<number> {
  const fills = Array.from({ length: 60 }, (_, index) => `type "value ${index}" into Name`).join('; ');
  const { sessionId } = await sessions.start({
    steps: [`Open ${shop}/parts/form`, fills.slice(0, 999).replace(/;[^;]*$/, '')],
  });
  let killedAt = 0;
  for await (const batch of sessions.follow(sessionId, 0, AbortSignal.timeout(60_000))) {
    const started = batch.filter(({ type, stepIndex }) => type === StreamEventType.COMMAND_STARTED && stepIndex === 1);
    const after = started.find(({ at }) => killedAt > 0 && Date.parse(at) > killedAt);
    if (after !== undefined) {
      const took = Date.parse(after.at) - killedAt;
      for await (const _ of sessions.follow(sessionId, after.seq, AbortSignal.timeout(60_000))) void _;
      return took;
    }
    if (killedAt === 0 && started.length > 0) {
      for (const row of stack.processes())
        if (row.name.startsWith('browser-') && row.alive) process.kill(row.pid, 'SIGKILL');
      killedAt = Date.now();
    }
  }
  throw new Error('The session ended before its worker could be killed.');
}
