import { blockedNavigationOf } from '../../../contracts/commands/evidence';
import type { BrowserParameters } from '../../../contracts/commands/commands';
import type { Idempotency } from '../../../contracts/browsers/idempotency';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { keyOfCommand } from '../../../store/sessions/session-id';
import type { Store } from '../../../store/store';
import type { Attachment } from '../attach/attachment';
import type { KeeperClient } from '../attach/keeper-client';

/**
 * Puts the idempotency key of a commit on the requests that it causes. The keeper does that, because it outlives the
 * worker.
 */
export interface IdempotencyKeys {
  /**
   * The key of a commit. A commit that repeats one of unknown outcome, or one whose answer was a page that was blocked,
   * gets the same key, so that a site that honours it does the thing once.
   */
  keyOf(command: PlannedCommand): Promise<string>;
  /** Requests carry the key from now on. Rejects when that is not certain: then the command must not act. */
  begin(key: string): Promise<void>;
  /**
   * Removes the key after the commit. Never rejects: the outcome is recorded first, and the next command removes a
   * key that is left.
   */
  end(): Promise<void>;
  /** Removes a key that an earlier commit may have left. */
  clear(): Promise<void>;
}

interface KeysContext {
  store: Store;
  attachment: Attachment;
  keeper: () => Promise<KeeperClient>;
  sessionId: string;
  stepIndex: number;
  idempotency: Idempotency;
}

export function createIdempotencyKeys(context: KeysContext): IdempotencyKeys {
  const { store, attachment, keeper, sessionId, stepIndex, idempotency } = context;

  async function use(value: string | undefined): Promise<void> {
    attachment.mayCarryIdempotencyKey = true;
    const key = value === undefined ? null : { ...idempotency, value };
    await (await keeper()).setIdempotencyHeader(sessionId, attachment.epoch, key);
    attachment.mayCarryIdempotencyKey = value !== undefined;
  }
  return {
    async keyOf(command) {
      const alike = (await store.journal.ofStep(sessionId, stepIndex)).filter((entry) => hasSameTarget(entry, command));
      const own = alike.find(({ commandId }) => commandId === command.commandId);
      // A failed commit decides nothing. After a done one, an equal commit is a new one.
      const before = alike.findLast((entry) => entry !== own && entry.status !== 'failed');
      const isSameAgain = before?.status === 'unknown' || blockedNavigationOf(before?.evidence) !== undefined;
      const inherited = isSameAgain ? before?.idempotencyKey : undefined;
      return own?.idempotencyKey ?? inherited ?? keyOfCommand(sessionId, command.commandId);
    },
    begin: (key) => use(key),
    end: () => use(undefined).catch(() => {}),
    async clear() {
      if (attachment.mayCarryIdempotencyKey) await use(undefined);
    },
  };
}

interface TargetedCommand {
  action: string;
  parameters: BrowserParameters;
  target?: { selector?: unknown; nth?: unknown } | undefined;
}

/**
 * True for the same action on the same element. Where a command has a target, its selector only names a ref of one
 * snapshot.
 */
function hasSameTarget(one: TargetedCommand, other: TargetedCommand): boolean {
  return targetKey(one) === targetKey(other);
}

function targetKey({ action, parameters, target }: TargetedCommand): string {
  const element = target === undefined ? [parameters.selector] : [target.selector, target.nth];
  return JSON.stringify([action, parameters.key, ...element]);
}
