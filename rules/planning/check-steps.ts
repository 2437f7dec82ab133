import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { toCommandText } from '../../contracts/commands/command-text';
import { DecisionAction, type AIResponse } from '../../contracts/models/ai-response';
import type { PastIteration } from '../../contracts/model-port/port';
import { DEFAULT_MODEL } from '../../contracts/sessions/config';
import type { Step } from '../../contracts/sessions/step-input';
import type { StepCheck } from '../../contracts/steps/step-check';
import { parseInstruction } from '../language/parse-instruction';
import { durableTarget, refIn, selectorText } from '../page-text/durable-target';
import { decideByRules } from './decide';
import { notUnderstood, unknownVariable } from './messages';
import { pageWaitReadingIssues } from './page-wait';
import { siteCheckIssues } from './site-check';
import { notesOf } from './progress';
import { missingVariable } from './variables';

interface Known {
  /** Names of variables and secrets that are given. */
  names: readonly string[];
  /** The values of those that are no secrets. */
  values: Readonly<Record<string, string>>;
  snapshot?: PageSnapshot | undefined;
}

/** Reads steps without running them, each as it would be read on this page; the variables that earlier steps save are known. */
export function checkSteps(steps: readonly Step[], known: Known): StepCheck[] {
  const names = [...known.names];
  return steps.map((step, stepIndex) => {
    const { instruction } = step;
    const parsed = parseInstruction(instruction);
    const actions = parsed.kind === 'actions' ? parsed.actions : [];
    const base = { stepIndex, instruction, parts: actions.map(({ said }) => said) };
    const missing = missingVariable(actions, names);
    for (const { intent } of actions) if (intent.kind === 'save') names.push(intent.variableName);
    if (missing !== undefined)
      return { ...base, status: 'refused', message: unknownVariable(missing.name, missing.known) };
    const [unread] = siteCheckIssues([step]);
    if (unread !== undefined) return { ...base, status: 'refused', message: `check: ${unread.message}` };
    const [unreadWait] = pageWaitReadingIssues([step]);
    if (unreadWait !== undefined) return { ...base, status: 'refused', message: unreadWait.message };
    // What is waited for is not to be there yet.
    if (step.wait !== undefined) return { ...base, parts: [instruction], status: 'ready' };
    if (!isLedByRules(step)) return { ...base, parts: [], status: 'model' };
    if (parsed.kind === 'unknown')
      return { ...base, status: 'refused', message: notUnderstood(parsed.clause, parsed.hint) };
    return known.snapshot === undefined
      ? { ...base, status: 'ready' }
      : { ...base, ...onPage(instruction, stepIndex, { ...known, names }, known.snapshot) };
  });
}

/** The workers' own model is taken to be the rules. */
function isLedByRules({ task, options }: Step): boolean {
  return task === undefined && ['rules', DEFAULT_MODEL].includes(options.aiConfig.model);
}

function onPage(
  instruction: string,
  stepIndex: number,
  { names, values }: Known,
  snapshot: PageSnapshot,
): Pick<StepCheck, 'status' | 'would' | 'message'> {
  const decideAfter = (pastIterations: PastIteration[]): AIResponse =>
    decideByRules({
      instruction,
      stepIndex,
      iteration: pastIterations.length,
      maxIterations: 8,
      mayAct: true,
      pastIterations,
      snapshot,
      variables: [...names],
      variableValues: { ...values },
    });
  const first = decideAfter([]);
  // What would be waited for is not on the page.
  const reply = notesOf(first).waiting === undefined ? first : decideAfter([waitedInVain(first)]);
  if (reply.decision.action === DecisionAction.ABORT)
    return { status: 'not-here', would: [], message: reply.decision.message };
  return { status: 'ready', would: reply.commands.map((command) => commandText(command, snapshot)) };
}

function waitedInVain({ decision, reasoning, commands, context }: AIResponse): PastIteration {
  const error = { code: 'EX002', message: 'It did not appear.' } as const;
  const outcomes = commands.map(({ action, parameters }) => ({
    action,
    parameters,
    status: 'failed' as const,
    error,
  }));
  return { decision, reasoning, commands, context, outcomes };
}

function commandText({ action, parameters }: AIResponse['commands'][number], snapshot: PageSnapshot): string {
  const ref = refIn(parameters.selector ?? '');
  const target = ref === undefined ? undefined : durableTarget(snapshot, ref);
  const selector = target === undefined ? {} : { selector: selectorText(target) };
  return toCommandText({ action, parameters: { ...parameters, ...selector } });
}
