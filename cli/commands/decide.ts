import { Option, type Command } from 'commander';
import type { Sessions } from '../../client/port';
import type { DecideApprovalRequest } from '../../contracts/approvals/approval';
import { ToolConfirmationOutcome } from '../../contracts/tools/tool';
import type { Accepted } from '../../workflows/messages';
import { CliError, type Ending } from '../exit';
import { findSession } from '../find-session';
import { withExamples } from '../input/options';
import { withServices } from '../services';
import { createTerminal } from '../terminal/terminal';

const ARGUMENT = ['<approval>', 'id of the approval, or of the session when it waits for no other'] as const;
const REMEMBER = ['call', 'always', 'tool', 'server'] as const;

type Answer = Omit<DecideApprovalRequest, 'approvalId'>;

interface ApproveOptions {
  for: (typeof REMEMBER)[number];
  args?: string;
  json?: true;
}

export function addApprove(program: Command, end: Ending): void {
  const command = program
    .command('approve')
    .summary('approve a call that waits')
    .description(
      'Lets a call run that waits for an approval, as it was shown. When its page reads otherwise by now, the session asks again.',
    )
    .argument(...ARGUMENT)
    .addOption(
      new Option(
        '--for <scope>',
        'what it is approved for: this call, or the same tool, MCP tool or server from now on',
      )
        .choices([...REMEMBER])
        .default('call'),
    )
    .option('--args <json>', 'run it with these arguments instead')
    .option('--json', 'print what was accepted as JSON')
    .action(async (id: string, options: ApproveOptions) => end(await carryOut(id, toAnswer(options), options.json)));
  withExamples(command, [
    ['surefoot approve appr_5f3e7c1a9d202b1c', 'this call, once'],
    ['surefoot approve 3f2a --for always', 'the only call that a session waits for, and all of its tool'],
    [`surefoot approve appr_5f3e7c1a9d202b1c --args '{"text": "no more"}'`, 'with other arguments'],
  ]);
}

export function addReject(program: Command, end: Ending): void {
  const command = program
    .command('reject')
    .summary('reject a call that waits')
    .description('The call does not run; its model is told, with the reason, and goes on without it.')
    .argument(...ARGUMENT)
    .option('--reason <text>', 'what the model is told')
    .option('--json', 'print what was accepted as JSON')
    .action(async (id: string, { reason, json }: { reason?: string; json?: true }) => {
      const answer = { outcome: ToolConfirmationOutcome.Cancel, ...(reason === undefined ? {} : { reason }) };
      end(await carryOut(id, answer, json));
    });
  withExamples(command, [['surefoot reject appr_5f3e7c1a9d202b1c --reason "too dear"', 'and why']]);
}

const OUTCOMES = {
  call: ToolConfirmationOutcome.ProceedOnce,
  always: ToolConfirmationOutcome.ProceedAlways,
  tool: ToolConfirmationOutcome.ProceedAlwaysTool,
  server: ToolConfirmationOutcome.ProceedAlwaysServer,
} as const;

function toAnswer({ for: scope, args }: ApproveOptions): Answer {
  if (args === undefined) return { outcome: OUTCOMES[scope] };
  if (scope !== 'call') throw new CliError('Changed arguments are approved for this call only: leave --for out.');
  let given: unknown;
  try {
    given = JSON.parse(args);
  } catch (error) {
    throw new CliError(`--args expects a JSON object: ${(error as Error).message}`);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new CliError('--args expects a JSON object.');
  return { outcome: ToolConfirmationOutcome.ModifyWithEditor, args: given as Record<string, unknown> };
}

async function carryOut(id: string, answer: Answer, isJson: true | undefined): Promise<number> {
  return await withServices('acting', async ({ sessions }) => {
    const accepted = await decide(sessions, id, answer);
    const isRejected = answer.outcome === ToolConfirmationOutcome.Cancel;
    const told = isRejected ? 'Rejected: the call does not run.' : 'Approved: the session goes on.';
    createTerminal().print(isJson === true ? JSON.stringify(accepted) : told);
    return 0;
  });
}

async function decide(sessions: Sessions, id: string, answer: Answer): Promise<Accepted> {
  if (id.startsWith('appr_')) return await sessions.decideApproval({ approvalId: id, ...answer });
  const { sessionId } = await findSession(sessions, id);
  return await sessions.decideOnlyApproval(sessionId, answer);
}
