import type { CliCommand } from '../context/define-command';
import { questionLines } from '../render/approval-text';
import { EXIT } from '../context/exit';
import { findSession } from '../context/find-session';
import { healthLines } from '../render/health-text';
import { sessionLinks } from '../render/links';
import { sessionLimits, timeoutLines } from '../render/timeouts-text';
import { JSON_OPTION, SESSION_ARGUMENT } from '../input/options';
import { errorText } from '../../contracts/events/event-lines';
import {
  budgetLine,
  callLines,
  deliveryWarnings,
  headline,
  stepLines,
  stepTexts,
  variableLines,
  waitingLines,
  withStatus,
} from '../render/session-text';
import { withServices } from '../context/services';
import { toPairs } from '../terminal/table';
import { createTerminal } from '../terminal/terminal';

export const show: CliCommand = {
  name: 'show',
  summary: 'show a session: its steps, variables and where to look further',
  description: 'Shows status, steps with how long each took and what went wrong, variables, links.',
  examples: [
    ['surefoot show 3f2a', 'a session by the beginning of its id'],
    ['surefoot show my-workflow', 'one that was started under a name by the Temporal CLI'],
    ["surefoot show 3f2a --json | jq '.variables'", 'what it saved'],
    ['surefoot show 3f2a --calls', 'its bill, call by call'],
    ['surefoot show 3f2a --timeouts', 'its limits, and what they are for Temporal'],
    ['surefoot show 3f2a --health', 'its nine modules; exit code 1 when one is not healthy'],
  ],
  define: (command, end) =>
    command
      .argument(...SESSION_ARGUMENT)
      .option(...JSON_OPTION)
      .option('--health', 'show the health of its modules and their links instead')
      .option('--calls', 'show what each call of a model used and cost instead')
      .option('--timeouts', 'show its limits, and the timeouts of its activities in Temporal instead')
      .action(async (id: string, { json, ...asked }: { json?: true } & Partial<Record<keyof typeof VIEWS, true>>) => {
        const [view] = (Object.keys(VIEWS) as (keyof typeof VIEWS)[]).filter((name) => asked[name] === true);
        end(await (view === undefined ? showSession : VIEWS[view])(id, json === true));
      }),
};

async function showSession(id: string, isJson: boolean): Promise<number> {
  return await withServices('reading', async ({ sessions, settings }) => {
    const terminal = createTerminal();
    const { sessionId } = await findSession(sessions, id);
    const details = await sessions.get(sessionId);
    if (isJson) {
      terminal.printJson(details, 2);
      return 0;
    }
    const { title, session, workflowId, variables, error } = details;
    const name = workflowId === sessionId ? sessionId : `${sessionId} (${workflowId})`;
    terminal.print(name, 'strong');
    if (title !== stepTexts(session)[0]) terminal.print(title);
    terminal.print(withStatus(headline(details), session.status));
    const budget = budgetLine(details);
    if (budget !== undefined) terminal.print(budget);
    terminal.print('');
    for (const line of stepLines(details)) terminal.print(line);
    terminal.printBlock(waitingLines(details), 'warning');
    for (const approval of details.approvals) terminal.printBlock(questionLines(approval), 'warning');
    const isShown = details.stepResults.some((result) => result.error?.message === error?.message);
    if (error !== null && !isShown) terminal.printBlock([errorText(error)], 'bad');
    for (const warning of deliveryWarnings(details)) terminal.printBlock([warning], 'warning');
    terminal.printBlock(variableLines(variables));
    terminal.printBlock(toPairs(sessionLinks(settings, { sessionId, workflowId })));
    // Last, where a reader of the output looks for it.
    if (details.answer !== null) terminal.printBlock([details.answer]);
    if (details.result !== null) {
      terminal.print('');
      terminal.printJson(details.result, 2);
    }
    return 0;
  });
}

async function showCalls(id: string, isJson: boolean): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const terminal = createTerminal();
    const calls = await sessions.modelCalls((await findSession(sessions, id)).sessionId);
    if (isJson) terminal.printJson(calls, 2);
    else for (const line of callLines(calls)) terminal.print(line);
    return 0;
  });
}

async function showTimeouts(id: string, isJson: boolean): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const terminal = createTerminal();
    const { request } = await sessions.get((await findSession(sessions, id)).sessionId);
    const { timeouts, aiConfig, executorConfig } = request.config;
    const limits = sessionLimits({ timeouts, ai: aiConfig, executor: executorConfig });
    if (isJson) terminal.printJson(limits, 2);
    else for (const line of timeoutLines(limits)) terminal.print(line);
    return 0;
  });
}

const VIEWS = { health: showHealth, calls: showCalls, timeouts: showTimeouts };

async function showHealth(id: string, isJson: boolean): Promise<number> {
  return await withServices('reading', async ({ sessions, store, temporal }) => {
    const terminal = createTerminal();
    const { sessionId } = await findSession(sessions, id);
    const { openCoordinator } = await import('../../service/coordinator/coordinator.js');
    const coordinator = await openCoordinator({ store, temporal, logger: { warn: () => {} } });
    try {
      const health = await coordinator.sessionHealth(sessionId);
      if (isJson) terminal.printJson(health, 2);
      else for (const line of healthLines(health)) terminal.print(line);
      return health.isHealthy ? EXIT.done : EXIT.sessionFailed;
    } finally {
      await coordinator.close();
    }
  });
}
