import { AddStepsRequestSchema } from '../../contracts/sessions/start-request';
import { CliError } from '../context/exit';
import { toIssueLines } from '../context/failure';
import { readStandardInput } from '../input/step-input';
import { defineMessageCommand } from './message-command';
import { issuesOf } from '../../contracts/errors/issues';

export const addStep = defineMessageCommand<'addSteps', { task?: true }, [texts: string[]]>('addSteps', {
  name: 'add-step',
  examples: [
    ['surefoot add-step 3f2a \'Click "Sign out"\'', 'one step'],
    ['surefoot add-step 3f2a \'Click "Orders"\' \'Expect "Shipped"\'', 'two steps'],
    ["surefoot add-step 3f2a --task 'What did I order last?'", 'the next task of a conversation'],
    ['surefoot add-step 3f2a --task - < letter.txt', 'one that is too long for an argument'],
  ],
  extend: (command) =>
    command
      .argument('<step...>', 'what to do, in plain English; each argument is a step, and - alone is standard input')
      .option('--task', 'each argument is a free task, run with tools, instead of a step'),
  async read({ task }, given) {
    const isInput = given.length === 1 && given[0] === '-';
    const texts = isInput ? [(await readStandardInput()).trim()] : given;
    const steps = task === true ? texts.map((text) => ({ task: text })) : texts;
    const parsed = AddStepsRequestSchema.safeParse({ steps });
    if (!parsed.success) throw new CliError('The steps were not added:', toIssueLines(issuesOf(parsed.error)));
    return parsed.data;
  },
});
