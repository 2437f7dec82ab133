import { blockedNavigationOf, requestsIn } from '../../../contracts/commands/evidence';
import { DecisionAction, REFLECTION_CONFIDENCE, type AIResponse } from '../../../contracts/models/ai-response';
import { CommandAction, type StepAction } from '../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { walkNodes, type PageNode } from '../../../contracts/browsers/page-snapshot';
import type { PastCommand, DecisionRequest } from '../../../contracts/model-port/port';
import { parseInstruction } from '../../../rules/language/parse-instruction';
import type { Description } from '../../../rules/language/description';
import { targetsOf, type Intent } from '../../../rules/language/intent';
import { decideByRules } from '../../../rules/planning/decide';

/** The commands that do the whole of an intent, where its effect shows in evidence or snapshot. */
const COMMAND_OF: Partial<Record<Intent['kind'], StepAction>> = {
  open: CommandAction.OPEN_PAGE,
  click: CommandAction.CLICK_ELEMENT,
  type: CommandAction.INPUT_TEXT,
  set: CommandAction.INPUT_TEXT,
  choose: 'SELECT_OPTION',
  check: 'SET_CHECKED',
};

/**
 * Judges a step whose instruction is one command long, and that one command has done, by the fixed rules: it costs no call
 * of the model. Undefined where the command is not the one that the instruction names, where its effect does not show, or
 * where something on the page may speak against it: the model judges then.
 */
export function judgeOneCommand(request: DecisionRequest, planned: readonly PlannedCommand[]): AIResponse | undefined {
  const [only, further] = request.pastIterations;
  if (only === undefined || further !== undefined || request.triedFrom !== undefined) return undefined;
  const { decision, reasoning, commands, outcomes } = only;
  const [outcome] = outcomes;
  if (decision.action !== DecisionAction.PROCEED || reasoning.confidence < REFLECTION_CONFIDENCE) return undefined;
  if (outcome === undefined || commands.length !== 1 || outcomes.length !== 1) return undefined;
  const parsed = parseInstruction(request.instruction);
  if (parsed.kind !== 'actions' || parsed.actions.length !== 1) return undefined;
  const { intent, condition, until } = parsed.actions[0]!;
  if (condition !== undefined || until !== undefined || !isCommandOf(intent, outcome)) return undefined;
  if (!targetsOf(intent).every((wanted) => isTargetOf(wanted, planned[0]))) return undefined;
  if (!hasShown(outcome, request)) return undefined;
  const judged = decideByRules({ ...request, pastIterations: [{ ...only, context: { plan: [0] } }] });
  return judged.decision.action === DecisionAction.PROCEED && judged.commands.length === 0 ? judged : undefined;
}

/** Whether the command is the one that the instruction names, with the value that it names. */
function isCommandOf(intent: Intent, { action, parameters }: PastCommand): boolean {
  if (COMMAND_OF[intent.kind] !== action) return false;
  switch (intent.kind) {
    case 'open':
      return isSameAddress(intent.url, parameters.url ?? '');
    case 'type':
      return intent.text === parameters.text;
    case 'set':
      return intent.value === parameters.text;
    case 'check':
      return intent.checked === parameters.checked;
    case 'choose':
      return intent.alternatives.some(({ option }) => option === parameters.option);
    default:
      return true;
  }
}

/** Whether the element is the only one of its name on the page, and has the name that the instruction says. */
function isTargetOf({ place, every, readings }: Description, planned: PlannedCommand | undefined): boolean {
  const target = planned?.target;
  if (target === undefined || target.of !== 1 || place !== undefined || every !== undefined) return false;
  const name = target.name.toLowerCase();
  return readings.some(
    ({ name: said, near, ordinal, isGuess }) =>
      said !== undefined && name.includes(said.toLowerCase()) && !near && !ordinal && isGuess !== true,
  );
}

function isSameAddress(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

/** Whether the command is done, no request of it was refused, and a click has led on or changed something itself. */
function hasShown({ action, status, evidence }: PastCommand, { snapshot }: DecisionRequest): boolean {
  if (status !== 'done' || evidence?.kind !== 'observed' || blockedNavigationOf(evidence) !== undefined) return false;
  const requests = requestsIn(evidence);
  if (requests.some(({ status: answered = 0, failure }) => failure !== undefined || answered >= 400)) return false;
  if (evidence.dialogs.length > 0 || evidence.consoleErrors.length > 0) return false;
  if (action !== 'CLICK_ELEMENT') return true;
  const nodes = [...walkNodes(snapshot.nodes)].map(({ node }) => node);
  // A page that only reads otherwise may have a clock.
  const isByClick =
    requests.length > 0 ||
    evidence.navigations.length > 0 ||
    nodes.some(({ changedByClick }) => changedByClick === true);
  return isByClick && snapshot.isUnchanged !== true && !nodes.some(isProblem);
}

/** A message that has come with the command may say that it failed. */
function isProblem({ role, since, invalid = false }: PageNode): boolean {
  return (role === 'alert' && since !== undefined) || invalid !== false;
}
