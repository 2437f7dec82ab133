import type { Store } from '../../../store/store';
import { goalWords } from '../../page-text/goal-words';
import { saveScreenshot, newScreenshotId } from '../capture';
import type { SnapshotOptions } from './take-snapshot';

/**
 * What a session looks for: the words of its steps, of all of them, because a look that ends one step begins the next.
 * Those to come count first.
 */
export async function snapshotOptionsFor(store: Store, sessionId: string): Promise<SnapshotOptions> {
  const [session, before, variables] = await Promise.all([
    store.sessions.get(sessionId),
    store.memory.snapshot(sessionId),
    store.variables.ofSession(sessionId),
  ]);
  const { steps } = session?.plan ?? { steps: [] };
  const current = session?.currentStep ?? 0;
  const inOrder = [...steps.slice(current), ...steps.slice(0, current)];
  // A secret is not looked for: what is kept of a page would tell it.
  const told = new Map(variables.map(({ name, value, env }) => [name, env === null ? (value ?? '') : '']));
  const goals = inOrder.map(({ instruction }) =>
    instruction.replaceAll(/\$\{([\w-]+)\}/g, (_, name: string) => told.get(name) ?? ''),
  );
  const how = session?.plan.config.observation?.picture ?? 'none';
  const facts = { sessionId, stepIndex: current, action: 'LOOK' };
  return {
    words: goalWords(goals),
    before,
    ...(how === 'none'
      ? {}
      : {
          picture: {
            hasBoxes: how === 'boxes',
            save: async (content) => {
              const id = newScreenshotId(facts);
              await saveScreenshot(store, facts, id, content);
              return id;
            },
          },
        }),
  };
}
