import type { CliCommand } from '../context/define-command';
import { findSession } from '../context/find-session';
import { listenForInterrupt } from '../terminal/interrupt';
import { SESSION_ARGUMENT, toCount } from '../input/options';
import { withServices } from '../context/services';
import { createTerminal } from '../terminal/terminal';
import { addWatchOptions, watchToEnd, type WatchOptions } from '../follow/watch-session';

export const watch: CliCommand = {
  name: 'watch',
  summary: 'follow a session to its end',
  description:
    'Prints what a session has done so far, then follows it to its end. Leaving with Ctrl-C does nothing to it. ' +
    'Exit codes are those of `surefoot run`.',
  examples: [
    ['surefoot watch 3f2a', 'a session by the beginning of its id'],
    ['surefoot watch 3f2a --chat', 'go on with a conversation'],
    ['surefoot watch 3f2a --json --after 120', 'what a program has not seen yet'],
  ],
  define: (command, end) =>
    addWatchOptions(
      command
        .argument(...SESSION_ARGUMENT)
        .option('--chat', 'go on with a conversation: each line that you type is its next task, Ctrl-D closes it')
        .option('--after <seq>', 'only what comes after this event', toCount, 0),
    ).action(async (id: string, options: WatchOptions & { after: number }) => end(await watchSession(id, options))),
};

async function watchSession(id: string, options: WatchOptions & { after: number }): Promise<number> {
  const interrupt = listenForInterrupt();
  return await withServices('reading', async (services) => {
    const { sessionId, workflowId } = await findSession(services.sessions, id);
    const { progress } = await services.sessions.get(sessionId);
    const watched = { sessionId, workflowId, totalSteps: progress.totalSteps, after: options.after };
    return await watchToEnd(services, watched, createTerminal(), interrupt, options);
  }).finally(() => interrupt.end());
}
