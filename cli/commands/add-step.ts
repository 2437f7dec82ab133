import { AddStepsRequestSchema } from '../../contracts/sessions/start-request';
import { CliError } from '../exit';
import { toIssueLines } from '../failure';
import { defineSessionCommand } from './session-command';
import { issuesOf } from '../../contracts/errors/issues';

export const addStep = defineSessionCommand<{ task?: true }, [texts: string[]]>({
  name: 'add-step',
  summary: 'give a running session more to do',
  description: 'Adds steps behind those that a running or paused session has.',
  examples: [
    ['surefoot add-step 3f2a \'Click "Sign out"\'', 'one step'],
    ['surefoot add-step 3f2a \'Click "Orders"\' \'Expect "Shipped"\'', 'two steps'],
    ["surefoot add-step 3f2a --task 'What did I order last?'", 'the next task of a conversation'],
  ],
  extend: (command) =>
    command
      .argument('<step...>', 'what to do, in plain English; each argument is a step')
      .option('--task', 'each argument is a free task, run with tools, instead of a step'),
  prepare({ task }, texts) {
    const steps = task === true ? texts.map((text) => ({ task: text })) : texts;
    const parsed = AddStepsRequestSchema.safeParse({ steps });
    if (!parsed.success) throw new CliError('The steps were not added:', toIssueLines(issuesOf(parsed.error)));
    return async (sessions, sessionId, options) => {
      const accepted = await sessions.addSteps(sessionId, parsed.data.steps, options);
      return { accepted, message: `Session ${sessionId} has ${accepted.totalSteps} steps now.` };
    };
  },
});
