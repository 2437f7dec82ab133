import type { Approval } from '../../contracts/approvals/approval';
import { issuesOf } from '../../contracts/errors/issues';
import { isByApproval } from '../../contracts/messages/message-path';
import { messageDefinition, type ControlMessageName } from '../../contracts/messages/messages';
import { sizeProblem } from '../../contracts/sessions/size-limits';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { ClientError } from '../port/port';
import { requireApproval } from './approvals';
import { invalid } from '../connection/invalid';
import type { SendMessage } from '../port/methods';
import { cannotBe, PREPARATIONS, type PreparationParts } from './preparations';
import type { MessageControl } from './send-message';

type AnyPreparation = (
  target: PreparationParts & { row: SessionRow; approval?: Approval | undefined },
  input: unknown,
) => unknown;

/** Sends messages whose input is checked here: by the schema, then by what the session, the store and the settings say. */
export function sendChecked(
  parts: PreparationParts,
  { sendMessage }: Pick<MessageControl, 'sendMessage'>,
): SendMessage {
  return async (name, session, given, options) => {
    const input = parseInput(name, given);
    const approval = isByApproval(name) ? await approvalOf(parts, input) : undefined;
    const prepare = async (row: SessionRow): Promise<unknown> => {
      const issues = messageDefinition(name).issues?.(input, row.plan.config) ?? [];
      if (issues.length > 0) throw invalid(cannotBe(name), issues);
      const prepare = PREPARATIONS[name] as AnyPreparation | undefined;
      return (await prepare?.({ ...parts, row, approval }, input)) ?? input;
    };
    return await sendMessage(
      approval?.sessionId ?? session!,
      { name, request: comparable(parts.store, name, input), prepare },
      options,
    );
  };
}

/** A repetition is known by a hash of its request, from which nobody may find out a value that is secret. */
function comparable({ secrets }: Store, name: ControlMessageName, input: unknown): unknown {
  const { secretMember } = messageDefinition(name);
  if (secretMember === undefined) return input;
  const given = input as Record<string, string>;
  return { ...given, [secretMember]: secrets.digest(name, given[secretMember]!) };
}

function parseInput(name: ControlMessageName, given: unknown): unknown {
  const { schema } = messageDefinition(name);
  if (schema === undefined) return undefined;
  const problem = sizeProblem('The message', given);
  if (problem !== undefined) throw new ClientError('too-large', 'SP001', problem);
  const parsed = schema.safeParse(given ?? {});
  if (!parsed.success) throw invalid(cannotBe(name), issuesOf(parsed.error));
  return parsed.data;
}

async function approvalOf({ store }: PreparationParts, input: unknown): Promise<Approval> {
  return await requireApproval(store, (input as { approvalId: string }).approvalId);
}
