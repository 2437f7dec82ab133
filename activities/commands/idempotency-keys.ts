import type { BrowserParameters } from '../../contracts/commands/commands';
import type { Idempotency } from '../../contracts/browsers/idempotency';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { keyOfCommand } from '../../store/sessions/session-id';
import type { Store } from '../../store/store';
import type { Attachment } from '../browsers/attachment';
import type { KeeperClient } from '../browsers/keeper-client';

/** Has the requests that a commit sets off carry its idempotency key. The keeper puts it there: it outlives us. */
export interface IdempotencyKeys {
  /**
   * The key of a commit. One that is sent anew for an earlier one, of which nobody knows whether it happened, takes that
   * one's key: a site that honours it does the thing once.
   */
  keyOf(command: PlannedCommand): Promise<string>;
  /** From here on requests carry the key; rejects when that is not certain, and then nothing may be done. */
  begin(key: string): Promise<void>;
  /** The commit is through. Never rejects: what was done is told first, the key is taken back before the next command. */
  end(): Promise<void>;
  /** Takes back a key that an earlier commit may have left, so that no later request is taken for it. */
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

export function createIdempotencyKeys(scene: KeysContext): IdempotencyKeys {
  const { store, attachment, keeper, sessionId, stepIndex, idempotency } = scene;

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
      // One that failed settles nothing. One that was done does: the next is a wish of its own.
      const before = alike.findLast((entry) => entry !== own && entry.status !== 'failed');
      const inherited = before?.status === 'unknown' ? before.idempotencyKey : undefined;
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

/** The same action on the same element. The selector of a command with a target names a ref, which changes with every look. */
function hasSameTarget(one: TargetedCommand, other: TargetedCommand): boolean {
  return targetKey(one) === targetKey(other);
}

function targetKey({ action, parameters, target }: TargetedCommand): string {
  const element = target === undefined ? [parameters.selector] : [target.selector, target.nth];
  return JSON.stringify([action, parameters.key, ...element]);
}
