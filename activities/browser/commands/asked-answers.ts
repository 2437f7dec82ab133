import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { webOriginOf } from '../../../contracts/browsers/origins';
import { EngineError } from '../../activity/failures';
import type { AnswerNeeded } from '../../signatures/browser-activities';
import type { BoundSecret } from '../../secrets/session-values';
import type { BatchContext } from './batch-context';
import { fieldFor } from './handlers/fields';
import type { PreparedCommand } from './prepare';

type AskedSecret = BoundSecret & { asked: NonNullable<BoundSecret['asked']> };

/** A person has to be asked before the command runs. The batch stops, and is run again with the answer. */
export class AnswerNeededError extends Error {
  constructor(readonly asks: AnswerNeeded) {
    super(`The secret ${asks.alias} has no answer yet.`);
  }
}

/**
 * Replaces `${alias}` by what a person has answered, which is used by one command alone. Throws AnswerNeededError where nobody
 * has answered; by then the field is known to be there, and of an origin where it may be typed.
 */
export async function withAnswers(
  context: BatchContext,
  { commandId }: PlannedCommand,
  prepared: PreparedCommand,
): Promise<PreparedCommand> {
  const { element, secrets } = prepared;
  const asked = new Map(
    secrets.flatMap((secret) =>
      secret.asked === undefined ? [] : [[secret.alias, { ...secret, asked: secret.asked }]],
    ),
  );
  if (asked.size === 0) return prepared;
  let { parameters } = prepared;
  if (element !== undefined) await fieldFor(secrets, element, context.commandTimeoutMs);
  for (const [alias, secret] of asked) {
    const value = await takeAnswer(context, commandId, secret);
    if (secret.member === 'url') assertOwnAddress(secret, value);
    const filled = parameters[secret.member as 'text']!.replaceAll(`\${${alias}}`, () => value);
    parameters = { ...parameters, [secret.member]: filled };
  }
  return { ...prepared, parameters };
}

async function takeAnswer(
  { store, sessionId }: BatchContext,
  commandId: string,
  { alias, asked: { answers } }: AskedSecret,
): Promise<string> {
  const answer =
    answers.find(({ usedBy }) => usedBy === commandId) ?? answers.findLast(({ usedBy }) => usedBy === undefined);
  if (answer === undefined || !(await store.secrets.takeAnswer(sessionId, answer.questionId, commandId)))
    throw new AnswerNeededError({ alias, commandId });
  return answer.value;
}

/** Where the session may go is checked when it is opened, as of any address. */
function assertOwnAddress({ alias, origins }: BoundSecret, address: string): void {
  const origin = webOriginOf(address);
  if (origin !== undefined && origins.includes(origin)) return;
  throw new EngineError(
    'SM002',
    `The answer for ${alias} is not opened: expected an address of ${origins.join(', ')}, got one of ${origin ?? 'no http or https origin'}.`,
    { details: { guard: 'secret-origin', secret: alias, origin: origin ?? null } },
  );
}
