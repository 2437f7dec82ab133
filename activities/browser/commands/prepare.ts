import type { Locator } from 'playwright';
import type { ApprovedDeed } from '../../../contracts/browsers/approved-request';
import {
  EFFECT_CLASS,
  ParametersByAction,
  type BrowserAction,
  type BrowserParameters,
} from '../../../contracts/commands/commands';
import { keyCommands } from '../../../contracts/commands/definitions/keys';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { EngineError } from '../../activity/failures';
import { refIn } from '../../../rules/page-text/durable-target';
import type { Attachment } from '../attach/attachment';
import type { BatchContext } from './batch-context';
import type { BoundSecret } from '../../secrets/session-values';
import { assertAsApproved } from './assert-as-approved';
import { armFocus, armOtherFrames, armPoint } from '../targets/delivery-marker';
import { findTarget, locateTarget } from '../targets/find-target';
import type { FieldFacts } from './typing/field-facts';
import { keepFacts } from './typing/type-text';
import { issuesOf } from '../../../contracts/errors/issues';

/** The only parameters that a secret may fill. */
const SECRET_MEMBERS: Partial<Record<BrowserAction, string>> = { INPUT_TEXT: 'text', SET_HTTP_CREDENTIALS: 'password' };

/** The address that a person has answered with is opened, and nothing else that is secret. */
function mayFill(action: BrowserAction, { member, asked }: BoundSecret): boolean {
  return asked?.as === 'link' ? action === 'OPEN_PAGE' && member === 'url' : SECRET_MEMBERS[action] === member;
}

/** Limit for finding an element; the snapshot had it a moment ago. */
const ELEMENT_LIMIT_MS = 5000;

export interface PreparedCommand {
  element: Locator | undefined;
  toElement: Locator | undefined;
  /** What the element takes, for INPUT_TEXT; absent where it was not there at once. */
  field?: FieldFacts | undefined;
  /** With the variables filled in; never to leave the worker. */
  parameters: BrowserParameters;
  /** What may leave the page, where a person has approved it. */
  deed?: ApprovedDeed | undefined;
  /** The secrets in the parameters; the handler checks where they may be typed. */
  secrets: readonly BoundSecret[];
}

/**
 * Does the part of a command that changes nothing: checks its parameters, finds its element and arms its delivery
 * marker.
 */
export async function prepare(
  context: BatchContext,
  command: PlannedCommand,
  signal: AbortSignal,
): Promise<PreparedCommand> {
  const { attachment, values, commandTimeoutMs } = context;
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
    throw misusedSecretError(command.parameters.variableName, 'a page can not change its value');
  }
  const { parameters, isSecret, secrets } = fillVariables(values, command);
  const misused = secrets.find((secret) => !mayFill(action, secret));
  if (misused !== undefined)
    throw misusedSecretError(misused.alias, `${action} can not use it as its ${misused.member}`);
  const code = secrets.find(({ seed, asked }) => (seed ?? asked) !== undefined);
  // The browser would send the same one again with each request.
  if (code !== undefined && action === 'SET_HTTP_CREDENTIALS')
    throw misusedSecretError(code.alias, `its codes are good once, so ${action} can not use them`);
  if (isSecret) attachment.trace.taint();
  const deed = await assertAsApproved(context, command);
  const { page } = attachment;
  const { selector } = parameters;
  if (selector === undefined) {
    if (action in keyCommands) await armFocus(page, command);
    const { x, y } = parameters;
    if (EFFECT_CLASS[action] === 'commit' && x !== undefined && y !== undefined) await armPoint(page, command, x, y);
    await armOtherFrames(page, command);
    return { element: undefined, toElement: undefined, parameters, deed, secrets };
  }
  if (command.target === undefined) assertNoRef(selector);
  // EXPECT itself checks whether the element exists.
  if (action === 'EXPECT')
    return { element: locateTarget(page, command, selector), toElement: undefined, parameters, deed, secrets };
  const limitMs = Math.min(ELEMENT_LIMIT_MS, commandTimeoutMs);
  let field: FieldFacts | undefined;
  const { nth = 0 } = command.target ?? {};
  // Its facts come with the number of matches.
  const countFields = async (matches: Locator): Promise<number> => {
    field = await keepFacts(matches, nth);
    return field.found;
  };
  const isTyped = action === 'INPUT_TEXT' && secrets.length === 0;
  const element = await findTarget(attachment, command, selector, limitMs, signal, isTyped ? countFields : undefined);
  const toElement = await findSecondTarget(attachment, command, parameters.toSelector, limitMs, signal);
  await armOtherFrames(page, command);
  return { element, toElement, field, parameters, deed, secrets };
}

/** A ref that the snapshot does not have could match anything in the browser. */
function assertNoRef(selector: string): void {
  if (refIn(selector) === undefined) return;
  throw new EngineError('EX002', `There was no ${selector} on the page in its last snapshot.`, {
    suggestedAction: 'Use a ref of the newest snapshot.',
  });
}

/** Finds where a drag ends. Its document needs no delivery marker: the press comes first. */
async function findSecondTarget(
  attachment: Attachment,
  { commandId, parameters, toTarget }: PlannedCommand,
  toSelector: string | undefined,
  limitMs: number,
  signal: AbortSignal,
): Promise<Locator | undefined> {
  if (toSelector === undefined) return undefined;
  if (toTarget === undefined) assertNoRef(toSelector);
  const looking = { commandId, action: 'HOVER' as const, parameters, target: toTarget };
  return await findTarget(attachment, looking, toSelector, limitMs, signal);
}

/** Leaves scripts alone, which have `${…}` of their own. */
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
    suggestedAction: 'Use INPUT_TEXT with the secret in its text, or SET_HTTP_CREDENTIALS with it as the password.',
  });
}
