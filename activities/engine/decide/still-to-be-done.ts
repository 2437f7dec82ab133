import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { PastCommand, PastIteration } from '../../../contracts/model-port/port';

/**
 * What speaks against a step that is taken as done: a person has said that its commit did not happen, and no other has
 * happened since. Undefined where nothing does.
 */
export function stillToBeDone(past: readonly PastIteration[]): string | undefined {
  const commands = past.flatMap(({ outcomes }) => outcomes);
  const denied = commands.findLastIndex(({ resolution }) => resolution?.by === 'person' && !resolution.happened);
  if (denied < 0 || commands.slice(denied + 1).some(isCommitDone)) return undefined;
  return `A person has checked that ${commands[denied]!.action} did not happen, and nothing was done in its place.`;
}

function isCommitDone({ action, status, resolution }: PastCommand): boolean {
  return EFFECT_CLASS[action] === 'commit' && (status === 'done' || resolution?.happened === true);
}
