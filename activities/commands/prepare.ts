import type { Locator } from 'playwright';
import { EFFECT_CLASS, ParametersByAction, type BrowserParameters } from '../../contracts/commands/commands';
import { keyCommands } from '../../contracts/commands/definitions/keys';
import { issuesOf } from '../../contracts/sessions/start-request';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { EngineError } from '../failures';
import { refIn } from '../page-text/durable-target';
import type { BatchContext } from './batch-context';
import type { BoundSecret } from '../secrets/session-values';
import { armFocus, armPoint, findTarget, locateTarget } from './find-target';

/** How long an element may take to be there: it was seen a moment ago. */
const ELEMENT_LIMIT_MS = 5000;

export interface PreparedCommand {
  element: Locator | undefined;
  /** With the variables filled in; never to be told outside. */
  parameters: BrowserParameters;
  /** Those whose values stand in the parameters: the command sees to it that they are typed where they may be. */
  secrets: readonly BoundSecret[];
}

/** All of a command that changes nothing yet: its parameters are checked, its element is found and its mark is armed. */
export async function prepare(
  { attachment, values, requestTimeoutMs }: BatchContext,
  command: PlannedCommand,
  signal: AbortSignal,
): Promise<PreparedCommand> {
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
  if (command.parameters.variableName !== undefined && values.isAlias(command.parameters.variableName)) {
    throw misusedSecretError(command.parameters.variableName, 'a page can not give it another value');
  }
  const { parameters, isSecret, secrets } = fillVariables(values, command);
  const elsewhere = secrets.find(({ member }) => action !== 'INPUT_TEXT' || member !== 'text');
  if (elsewhere !== undefined)
    throw misusedSecretError(elsewhere.alias, `${action} can not have it in its ${elsewhere.member}`);
  if (isSecret) attachment.trace.taint();
  const { page } = attachment;
  const { selector } = parameters;
  if (selector === undefined) {
    if (action in keyCommands) await armFocus(page, command);
    const { x, y } = parameters;
    if (EFFECT_CLASS[action] === 'commit' && x !== undefined && y !== undefined) await armPoint(page, command, x, y);
    return { element: undefined, parameters, secrets };
  }
  // A ref that no look had: in the browser it could be anything.
  if (command.target === undefined && refIn(selector) !== undefined) {
    throw new EngineError('EX002', `There was no ${selector} on the page when it was last looked at.`, {
      suggestedAction: 'Use a ref of the newest look.',
    });
  }
  // Whether it is there is what this one asks.
  if (action === 'EXPECT') return { element: locateTarget(page, command, selector), parameters, secrets };
  const limitMs = Math.min(ELEMENT_LIMIT_MS, requestTimeoutMs);
  return { element: await findTarget(attachment, command, selector, limitMs, signal), parameters, secrets };
}

/** A script has `${…}` of its own. */
function fillVariables(
  values: BatchContext['values'],
  { action, parameters }: PlannedCommand,
): ReturnType<BatchContext['values']['fill']> {
  if (action !== 'RUN_SCRIPT') return values.fill(parameters);
  return { parameters, isSecret: false, secrets: [] };
}

function misusedSecretError(alias: string, why: string): EngineError {
  return new EngineError('SM002', `The secret ${alias} is only ever typed into a field: ${why}.`, {
    details: { guard: 'secret-use', secret: alias },
    suggestedAction: 'Use INPUT_TEXT with the secret in its text.',
  });
}
