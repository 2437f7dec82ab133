import { userInfo } from 'node:os';
import { Option } from 'commander';
import type { IdempotencyOptions, MessageReceipt } from '../../service/port/receipt';
import type { Sessions } from '../../service/port/port';
import type { DecideApprovalRequest } from '../../contracts/approvals/approval';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { findSession } from '../context/find-session';
import { JSON_OPTION } from '../input/options';
import { defineMessageCommand, sendWith } from './message-command';

const ARGUMENT = ['<approval>', 'id of the approval, or of the session when it waits for no other'] as const;

type Answer = Omit<DecideApprovalRequest, 'approvalId'>;

interface ApproveOptions {
  for: keyof typeof OUTCOMES;
  args?: string;
  reason?: string;
  json?: true;
}

export const approve: CliCommand = {
  name: 'approve',
  summary: 'approve a call that waits',
  description:
    'Lets a call run that waits for an approval, as it was shown. When its page has changed since, the session ' +
    'asks again.',
  examples: [
    ['surefoot approve appr_5f3e7c1a9d202b1c', 'this call, once'],
    ['surefoot approve 3f2a --for always', 'the only call that a session waits for, and all of its tool'],
    [`surefoot approve appr_5f3e7c1a9d202b1c --args '{"text": "no more"}'`, 'with other arguments'],
  ],
  define: (command, end) =>
    command
      .argument(...ARGUMENT)
      .addOption(
        new Option(
          '--for <scope>',
          'what it is approved for: this call, or the same tool, MCP tool or server from now on',
        )
          .choices(Object.keys(OUTCOMES))
          .default('call'),
      )
      .option('--args <json>', 'run it with these arguments instead')
      .option('--reason <text>', 'why, for the log')
      .option(...JSON_OPTION)
      .action(async (id: string, options: ApproveOptions) =>
        end(await decideAndPrint(id, { ...toAnswer(options), ...because(options.reason) }, options)),
      ),
};

export const reject: CliCommand = {
  name: 'reject',
  summary: 'reject a call that waits',
  description: 'The call does not run; its model gets the reason and goes on.',
  examples: [['surefoot reject appr_5f3e7c1a9d202b1c --reason "too dear"', 'and why']],
  define: (command, end) =>
    command
      .argument(...ARGUMENT)
      .option('--reason <text>', 'what the model reads as the reason')
      .option(...JSON_OPTION)
      .action(async (id: string, { reason, json }: { reason?: string; json?: true }) => {
        const answer = { outcome: ToolConfirmationOutcome.Cancel, ...because(reason) };
        end(await decideAndPrint(id, answer, { json }));
      }),
};

export const revoke = defineMessageCommand<'revokeApproval', object, [approvalId: string]>('revokeApproval', {
  name: 'revoke',
  examples: [
    ['surefoot revoke appr_5f3e7c1a9d202b1c', 'the session asks again from now on'],
    ['surefoot approvals --status standing', 'lists what may be revoked'],
  ],
  extend: (command) => command.argument('<approval>', 'id of the approval'),
  read: (_options, approvalId) => ({ approvalId, by: userInfo().username }),
});

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

function because(reason: string | undefined): Pick<Answer, 'reason'> {
  return reason === undefined ? {} : { reason };
}

async function decideAndPrint(id: string, answer: Answer, { json }: { json?: true | undefined }): Promise<number> {
  const signed = { ...answer, by: userInfo().username };
  return await sendWith('decideApproval', signed, json === true, (sessions, options) =>
    sendDecision(sessions, id, signed, options),
  );
}

async function sendDecision(
  sessions: Sessions,
  id: string,
  answer: Answer,
  options: IdempotencyOptions,
): Promise<MessageReceipt> {
  if (id.startsWith('appr_')) return await sessions.decideApproval({ approvalId: id, ...answer }, options);
  const { sessionId } = await findSession(sessions, id);
  return await sessions.decideOnlyApproval(sessionId, answer, options);
}
