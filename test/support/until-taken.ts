import { ClientError } from '../../service/port/port';
import type { Accepted } from '../../contracts/messages/accepted';
import { eventually } from './eventually';
import type { WholeStack } from './whole-stack';

/**
 * What a message was answered with; undefined where nobody can know whether it was heard: those who would hear it are dead
 * or busy for longer than it waits, or it was heard, its answer came too late, and it was asked for again.
 */
export async function ifHeard<T>(message: Promise<T>): Promise<T | undefined> {
  try {
    return await message;
  } catch (error) {
    if (error instanceof ClientError && ['unavailable', 'wrong-state'].includes(error.kind)) return undefined;
    throw error;
  }
}

/** Gives a message until it is heard, or until what it was for shows that an earlier one was. */
export async function untilHeard<T>(
  what: string,
  message: () => Promise<T>,
  isThrough: () => Promise<boolean>,
): Promise<T | undefined> {
  const { heard } = await eventually(what, async () => {
    const answer = await ifHeard(message());
    return (answer !== undefined || (await isThrough())) && { heard: answer };
  });
  return heard;
}

/** Pauses a session that runs. */
export async function pause(stack: WholeStack, sessionId: string): Promise<Accepted | undefined> {
  return await untilHeard(
    `the pause of ${sessionId}`,
    () => stack.client.pause(sessionId),
    async () => (await stack.client.get(sessionId)).session.status === 'PAUSED',
  );
}

/** Answers a call that waits for its approval. */
export async function decide(
  stack: WholeStack,
  { approvalId }: { approvalId: string },
  answer: Omit<Parameters<WholeStack['client']['decideApproval']>[0], 'approvalId'>,
): Promise<void> {
  await untilHeard(
    `the answer to ${approvalId}`,
    () => stack.client.decideApproval({ approvalId, ...answer }),
    async () =>
      (await stack.client.approvals()).every((each) => each.kind !== 'approval' || each.approvalId !== approvalId),
  );
}
