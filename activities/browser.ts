import type { PageState } from '../contracts/bookkeeping';
import type { Store } from '../store/store';
import { activity } from './activity';
import type { BrowserActivities, Lease, RunCommandsInput, RunCommandsOutput } from './browser-activities';
import type { Attachment } from './browser/attachment';
import type { Attachments } from './browser/attachments';
import { captureDom, captureScreenshot, newScreenshotId, saveDom } from './browser/capture';
import { runCommands } from './browser/run-commands';
import { createValues } from './browser/secrets';

export interface BrowserDeps {
  store: Store;
  attachments: Attachments;
  env: NodeJS.ProcessEnv;
}

const ATTACH_LIMIT_MS = 10_000;

/** The activities of a browser worker, closed over what they reach. */
export function createBrowserActivities(deps: BrowserDeps): BrowserActivities {
  const { attachments } = deps;
  return {
    acquireBrowser: activity<{ sessionId: string; headless: boolean }, Lease>(
      'EX001',
      'executor',
      ({ sessionId, headless }, { runId }) => attachments.acquire(sessionId, runId, headless, ATTACH_LIMIT_MS),
    ),
    runCommands: activity<RunCommandsInput, RunCommandsOutput>('TL004', 'task-loop', (input, call) =>
      runCommands(deps, input, call),
    ),
    keepFailure: activity<{ sessionId: string; stepIndex: number; lease: Lease }, PageState>(
      'EX005',
      'executor',
      async (input) => {
        const attachment = attachments.held(input.sessionId, input.lease);
        if (attachment === undefined) return { screenshotId: '', url: 'about:blank' };
        return await keepFailure(deps, attachment, input);
      },
    ),
    releaseBrowser: activity<{ sessionId: string; lease: Lease }, void>('EX001', 'executor', ({ sessionId }) =>
      attachments.release(sessionId),
    ),
  };
}

async function keepFailure(
  { store, env }: BrowserDeps,
  attachment: Attachment,
  { sessionId, stepIndex }: { sessionId: string; stepIndex: number },
): Promise<PageState> {
  const values = createValues(await store.variables.ofSession(sessionId), env);
  const facts = { sessionId, stepIndex, action: 'STEP_FAILED' };
  const screenshotId = newScreenshotId(facts);
  const domId = `${sessionId}.${stepIndex}.failed.dom`;
  await saveDom(store, facts, domId, await captureDom(attachment, values));
  await captureScreenshot(store, attachment, facts, screenshotId);
  const trace = await attachment.trace.take();
  if (trace !== undefined) {
    await store.artifacts.save({
      sessionId,
      artifactId: `${sessionId}.${stepIndex}.trace`,
      kind: 'trace',
      content: trace,
      stepIndex,
    });
  }
  return { screenshotId, domId, url: values.redact(attachment.page.url()) };
}
