import { COMMANDS, EFFECT_CLASS, type BrowserParameters } from '../../../contracts/commands/commands';
import { walkNodes, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { viewKey, type PlannedCommand, type Target } from '../../../contracts/commands/planned-command';
import type { PlannedCall } from '../../../contracts/tools/planned-call';
import { shortened } from '../../../contracts/text';
import { canonicalJson } from '../../../contracts/json';
import { HARMLESS, pressedLabel, unknown, worstOf, type Judgement, type PressedPlace } from '../../deeds/judgement';
import { judgeCommand } from '../../deeds/judge-deed';
import type { SessionValues } from '../../secrets/session-values';
import type { PlannedStepCommand, PlanStepCommandInput } from '../../signatures/task-activities';
import { toBrowserCard } from './planning/confirmation-cards';
import type { BrowserPlan, PlanContext } from './planning/browser-plan';
import type { CallPlanContext } from './planning/call-facts';
import { deepText } from './planning/element';
import { digest, toPlannedCall } from './planning/to-planned-call';
import { hostOf } from './planners/sites';
import { loadPlanContext, type ToolRegistryDeps } from './tool-registry';

const LONGEST_RECORD = 160;
const RECORDS = new Set(['row', 'listitem', 'article']);

/**
 * Finds, on the page as it is now, how many of these commands of a step may run before a person is asked, or asks about the
 * first. Commands after one that may lead elsewhere are judged on the page that it leads to. What answers the dialogs of
 * a command is one deed with it.
 */
export async function planStepCommand(
  deps: ToolRegistryDeps,
  { commands, isAskedAgain, ...place }: PlanStepCommandInput,
): Promise<PlannedStepCommand> {
  const context = await loadPlanContext(deps, place);
  const isAlways = context.agent.approvalMode === 'always';
  const asks = (unit: readonly PlannedCommand[]): boolean =>
    (isAlways && unit.some(({ action }) => EFFECT_CLASS[action] === 'commit')) ||
    judgeUnit(context.page, unit).kind !== 'harmless';
  let count = 0;
  for (const unit of unitsOf(commands)) {
    if (asks(unit)) {
      if (count > 0) break;
      return { count: unit.length, asks: true, call: toCall(context, unit, isAskedAgain) };
    }
    count += unit.length;
    if (unit.some(({ action }) => EFFECT_CLASS[action] === 'commit')) break;
  }
  return { count, asks: false, call: toCall(context, unitsOf(commands)[0]!, isAskedAgain) };
}

/** Answers of dialogs belong to the command after them. */
function unitsOf(commands: readonly PlannedCommand[]): PlannedCommand[][] {
  const units: PlannedCommand[][] = [];
  for (const command of commands) {
    const last = units.at(-1);
    if (last?.at(-1)?.action === 'HANDLE_DIALOG') last.push(command);
    else units.push([command]);
  }
  return units;
}

function judgeUnit(page: PlanContext, unit: readonly PlannedCommand[]): Judgement {
  return worstOf(unit.map((command) => judge(page, command)));
}

function judge({ snapshot, sentBefore, requestOfPage }: PlanContext, command: PlannedCommand): Judgement {
  const facts = { snapshot, pageUrl: snapshot.url, sentBefore, requestOfPage };
  const { action, target, toTarget, parameters } = command;
  const isLost = target === undefined && parameters.selector !== undefined && EFFECT_CLASS[action] === 'commit';
  const toPlace = toTarget === undefined ? undefined : placesOf(snapshot, toTarget)[0];
  const places = target === undefined ? [undefined] : placesOf(snapshot, target);
  return worstOf([
    ...places.map((place) => judgeCommand({ ...facts, place, toPlace }, command)),
    isLost ? unknown(`Nothing is known of what “${parameters.selector}” names.`) : HARMLESS,
  ]);
}

/** The element, or what may be it; where the page has none of its name, the name alone. */
function placesOf(snapshot: PageSnapshot, { role, name, nth, of }: Target): PressedPlace[] {
  const equals = [...walkNodes(snapshot.nodes)].filter(({ node }) => node.role === role && pressedLabel(node) === name);
  if (equals.length === 0) return [{ node: { role, name }, ancestors: [] }];
  return equals.length === of && equals[nth] !== undefined ? [equals[nth]] : equals;
}

function toCall(
  { page, values }: CallPlanContext,
  unit: readonly PlannedCommand[],
  isAskedAgain: true | undefined,
): PlannedCall {
  const { snapshot } = page;
  const command = unit.at(-1)!;
  const { action, target, parameters, commandId } = command;
  const args: Record<string, unknown> = filled(values, parameters);
  const callId = `call_${digest(commandId).slice(0, 16)}`;
  const toPlan = { callId, name: action, commandId, args, isAskedAgain };
  const judged = judgeUnit(page, unit);
  const summary = summaryOf(snapshot, command, values.redactAll(args));
  const view = snapshot.view?.of === viewKey(command) ? snapshot.view : undefined;
  if (view !== undefined && view.found === undefined) {
    const message = `The page has changed, and what it takes to “${summary}” is not on ${snapshot.url} now.`;
    const facts = { classification: 'write', effect: EFFECT_CLASS[action], identity: '' } as const;
    return toPlannedCall(values, toPlan, { ...facts, run: { kind: 'refused', message } });
  }
  const isDeed = judged.kind !== 'harmless';
  const effect = EFFECT_CLASS[action];
  const classification = isDeed ? 'destructive' : effect === 'pure' ? 'read' : 'write';
  // Redacted parameters are of the same form.
  const shown = { action, parameters: values.redactAll(args), classification, summary } as unknown as BrowserPlan;
  const [documentUrl = ''] = snapshot.url.split('#');
  const digestOfView = view?.found?.digest;
  return toPlannedCall(values, toPlan, {
    classification,
    effect,
    card: toBrowserCard(isDeed ? { ...shown, why: judged.why } : shown, snapshot.url),
    summary,
    view: view?.found,
    identity: `${documentUrl} ${canonicalJson(target ?? {})}${digestOfView ?? ''}`,
    run: {
      kind: 'browser',
      command: {
        ...command,
        commandId: isAskedAgain === true ? `${commandId}-again` : commandId,
        ...(digestOfView === undefined ? {} : { viewDigest: digestOfView }),
      },
    },
    pageUrl: snapshot.url,
    approvalScope: `${summary} on ${target === undefined ? documentUrl : hostOf(snapshot.url)}`,
  });
}

/** With the values of variables, and with the names of secrets. */
function filled(values: SessionValues, parameters: BrowserParameters): Record<string, unknown> {
  try {
    return { ...values.fill(parameters).parameters };
  } catch {
    // A secret that this worker does not have is shown by its name.
    return { ...parameters };
  }
}

/** `Click the button “Delete” of “Ada Lovelace ada@shop.test”`: the deed, and the record in its own words. */
function summaryOf(snapshot: PageSnapshot, command: PlannedCommand, args: Record<string, unknown>): string {
  const { action, target, within } = command;
  const words = action
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/ element$/, '');
  const verb = words.charAt(0).toUpperCase() + words.slice(1);
  const parts = COMMANDS[action].summary as (parameters: BrowserParameters) => unknown[];
  const said = parts({ ...args, selector: undefined })
    .filter((part): part is string => typeof part === 'string' && part !== '')
    .join(' ');
  const name = target === undefined || target.name === '' ? '' : ` “${target.name}”`;
  const element = target === undefined ? '' : ` the ${target.role}${name}`;
  const record = within ?? (target === undefined ? undefined : recordOf(snapshot, target));
  const of = record === undefined ? '' : ` of “${shortened(record, LONGEST_RECORD)}”`;
  return `${verb}${said === '' ? '' : ` ${said}`}${element}${of}`;
}

/** What the row, item or card around an element says. */
function recordOf(snapshot: PageSnapshot, target: Target): string | undefined {
  const [place, other] = placesOf(snapshot, target);
  const record = other === undefined && place?.ancestors.findLast(({ role }) => RECORDS.has(role));
  return record ? deepText(record) : undefined;
}
