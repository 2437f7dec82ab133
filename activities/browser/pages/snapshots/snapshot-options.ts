import type { Store } from '../../../../store/store';
import { goalWords } from '../../../../rules/page-text/goal-words';
import { saveScreenshot } from '../../../recorded/captures';
import { newScreenshotId } from '../capture';
import type { SnapshotOptions } from './take-snapshot';

/** Steps from the current one on, and before it, whose words are relevant. */
const MOST_UPCOMING = 100;
const MOST_PAST = 50;

/**
 * Options for a session's snapshots. Words of the steps around are relevant, upcoming ones first, because the snapshot that
 * ends one step begins the next.
 */
export async function snapshotOptionsFor(store: Store, sessionId: string): Promise<SnapshotOptions> {
  const [session, before, variables] = await Promise.all([
    store.sessions.get(sessionId),
    store.memory.snapshot(sessionId),
    store.variables.ofSession(sessionId),
  ]);
  const { steps } = session?.plan ?? { steps: [] };
  const current = session?.currentStep ?? 0;
  const past = steps.slice(Math.max(0, current - MOST_PAST), current);
  const inOrder = [...steps.slice(current, current + MOST_UPCOMING), ...past];
  // Secrets are not relevant words: what is kept of a page would reveal them.
  const publicValues = new Map(variables.map(({ name, value, env }) => [name, env === null ? (value ?? '') : '']));
  const goals = inOrder.map(({ instruction }) =>
    instruction.replaceAll(/\$\{([\w-]+)\}/g, (_, name: string) => publicValues.get(name) ?? ''),
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
