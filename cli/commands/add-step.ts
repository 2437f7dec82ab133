import type { Command } from 'commander';
import { AddStepsRequestSchema, issuesOf } from '../../contracts/sessions/start-request';
import { CliError, type Ending } from '../exit';
import { toIssueLines } from '../failure';
import { findSession } from '../find-session';
import { SESSION_ARGUMENT, withExamples } from '../input/options';
import { withServices } from '../services';
import { createTerminal } from '../terminal/terminal';

export function addAddStep(program: Command, end: Ending): void {
  const command = program
    .command('add-step')
    .summary('give a running session more to do')
    .description('Adds steps behind those that a running or paused session has.')
    .argument(...SESSION_ARGUMENT)
    .argument('<step...>', 'what to do, in plain English; each argument is a step')
    .option('--task', 'each argument is a free task, run with tools, instead of a step')
    .option('--json', 'print what was accepted as JSON')
    .action(async (id: string, steps: string[], options: Options) => end(await addThem(id, steps, options)));
  withExamples(command, [
    ['surefoot add-step 3f2a \'Click "Sign out"\'', 'one step'],
    ['surefoot add-step 3f2a \'Click "Orders"\' \'Expect "Shipped"\'', 'two steps'],
    ["surefoot add-step 3f2a --task 'What did I order last?'", 'the next task of a conversation'],
  ]);
}

interface Options {
  task?: true;
  json?: true;
}

async function addThem(given: string, texts: string[], { task, json }: Options): Promise<number> {
  const steps = task === true ? texts.map((text) => ({ task: text })) : texts;
  const parsed = AddStepsRequestSchema.safeParse({ steps });
  if (!parsed.success) throw new CliError('The steps were not added:', toIssueLines(issuesOf(parsed.error)));
  return await withServices('acting', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, given);
    const accepted = await sessions.addSteps(sessionId, parsed.data.steps);
    const told = `Session ${sessionId} has ${accepted.totalSteps} steps now.`;
    createTerminal().print(json ? JSON.stringify({ sessionId, ...accepted }) : told);
    return 0;
  });
}
