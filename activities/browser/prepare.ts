import type { Locator } from 'playwright';
import { ParametersByAction, type BrowserParameters } from '../../contracts/commands';
import { issuesOf } from '../../contracts/start-request';
import type { PlannedCommand } from '../../contracts/planned-command';
import { EngineError } from '../failures';
import { refIn } from '../model/durable-target';
import type { BatchScene } from './batch-scene';
import { armFocus, findTarget, locate } from './target';

/** How long an element may take to be there: it was seen a moment ago. */
const ELEMENT_LIMIT_MS = 5000;

interface Prepared {
  element: Locator | undefined;
  /** With the variables filled in; never to be told outside. */
  parameters: BrowserParameters;
}

/** All of a command that changes nothing yet: its parameters are checked, its element is found and its mark is armed. */
export async function prepare(
  { attachment, values, requestTimeoutMs }: BatchScene,
  command: PlannedCommand,
  signal: AbortSignal,
): Promise<Prepared> {
  const { action } = command;
  const checked = ParametersByAction[action].safeParse(command.parameters);
  if (!checked.success) {
    const issues = issuesOf(checked.error);
    throw new EngineError(
      'SM002',
      `${action}: ${issues.map(({ path, message }) => `${path || 'parameters'}: ${message}`).join('; ')}`,
      { details: { issues } },
    );
  }
  const { parameters, isSecret } = values.fill(command.parameters);
  if (isSecret) attachment.trace.taint();
  const { page } = attachment;
  const { selector } = parameters;
  if (selector === undefined) {
    if (action === 'PRESS_KEY') await armFocus(page, command);
    return { element: undefined, parameters };
  }
  // A ref that no look had: in the browser it could be anything.
  if (command.target === undefined && refIn(selector) !== undefined) {
    throw new EngineError('EX002', `There was no ${selector} on the page when it was last looked at.`, {
      suggestedAction: 'Use a ref of the newest look.',
    });
  }
  // Whether it is there is what this one asks.
  if (action === 'EXPECT') return { element: locate(page, command, selector), parameters };
  const limitMs = Math.min(ELEMENT_LIMIT_MS, requestTimeoutMs);
  return { element: await findTarget(attachment, command, selector, limitMs, signal), parameters };
}
