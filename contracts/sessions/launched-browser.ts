import type { BrowserType } from '../browsers/browser-type';
import type { Issue } from '../errors/issues';
import type { SessionConfig, StartConfig } from './config';
import type { StepInput } from './step-input';

/** What a request can't have in a browser that Playwright launches, because only Chrome's DevTools and its keeper can do it. */
const UNAVAILABLE: { path: string; isAsked: (config: StartConfig) => boolean; why: string }[] = [
  {
    path: 'config.agent.approvalMode',
    isAsked: ({ agent }) => agent?.approvalMode !== undefined && agent.approvalMode !== 'yolo',
    why: "nobody can hold back what a command sends there, so a person's answer could not be kept to; use yolo",
  },
  {
    path: 'config.agent.executor',
    isAsked: ({ agent }) => agent?.executor !== undefined && agent.executor !== 'playwright',
    why: 'a browser of yours is what it is; leave browserType out',
  },
  {
    path: 'config.executorConfig.idempotency',
    isAsked: ({ executorConfig }) => executorConfig?.idempotency !== undefined,
    why: 'nobody can put a key on the requests of its pages; leave it out',
  },
  {
    path: 'config.isolation',
    isAsked: ({ isolation }) => isolation === 'context',
    why: 'sessions share Chromium alone; leave it out',
  },
  {
    path: 'config.recording',
    isAsked: ({ recording }) => recording === true,
    why: 'Chrome alone takes pictures that a film is made of; leave it out',
  },
];

/** What such a session does without, as it is said at its start. */
const DIFFERENCES = [
  "Its page goes with its worker or its host's keeper: another browser is restored from the last checkpoint, and a command that was under way is unknown",
  'Nobody sees what its pages send while no worker is attached',
  'Nobody can be asked to approve its commands',
  'Closed shadow trees, and handlers that only a script knows, are not in its snapshots',
  'A script that never ends is not stopped',
];

export function launchedTypeOf(config: StartConfig): Exclude<BrowserType, 'chromium'> | undefined {
  const given = config.browserType ?? config.executorConfig?.browserType;
  return given === 'chromium' ? undefined : given;
}

export function launchedBrowserIssues(config: StartConfig): Issue[] {
  const type = launchedTypeOf(config);
  if (type === undefined) return [];
  return UNAVAILABLE.filter(({ isAsked }) => isAsked(config)).map(({ path, why }) => ({
    path,
    message: `A session in ${type} can't have this, because ${why}; or use browserType chromium`,
  }));
}

export function launchedBrowserWarnings(config: StartConfig): string[] {
  const type = launchedTypeOf(config);
  if (type === undefined) return [];
  return [`This session runs in ${type}, which Playwright launches. ${DIFFERENCES.join('. ')}.`];
}

/** The tasks of a session ask a person unless it says otherwise, which nobody can in such a browser. */
export function launchedTaskIssues(steps: readonly StepInput[], { executor, agent }: SessionConfig): Issue[] {
  if (executor.browserType === 'chromium' || agent.approvalMode === 'yolo') return [];
  const tasks = steps.flatMap((step, index) => (typeof step !== 'string' && 'task' in step ? [index] : []));
  return tasks.map((index) => ({
    path: `steps[${index}].task`,
    message: `A task asks a person before it changes something, and in ${executor.browserType} nobody can hold it to their answer: set config.agent.approvalMode to yolo, or use browserType chromium`,
  }));
}
