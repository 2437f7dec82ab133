import type { Issue } from '../../contracts/errors/issues';
import { namesIn } from '../../contracts/sessions/once';
import type { SessionPlan, VariableInput } from '../../contracts/sessions/start-request';
import type { Step } from '../../contracts/sessions/step-input';
import { parseInstruction } from '../language/parse-instruction';
import type { Action } from '../language/intent';

/** How a step that the rules can not read whole begins where it opens a page first. */
const OPENS = /^(?:please\s+)?(?:open|go\s+to|navigate\s+to|visit|load)\s+["“']?((?:https?:\/\/|\$\{)[^\s"”']+)/i;
const SAVES = /\bas\s+["“'`]?([a-zA-Z_]\w*)/gi;

/**
 * The first step of a plan that has to wait for another, and why (S1.A25). A step is independent where it opens its page first and
 * uses no value that an earlier one saves.
 */
export function dependentStepIssues({
  steps,
  config,
  variables,
  secrets = {},
}: Pick<SessionPlan, 'steps' | 'config' | 'variables' | 'secrets'>): Issue[] {
  if (config.parallelExecution !== true) return [];
  const given = new Set([...Object.keys(variables), ...Object.keys(secrets)]);
  const saved = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    const read = readStep(step, variables);
    const used = read.uses.find((name) => saved.has(name) || !given.has(name));
    const why =
      used !== undefined
        ? `it uses \${${used}}, which ${saved.has(used) ? `step ${saved.get(used)! + 1} saves` : 'is not given'}`
        : read.opensFirst
          ? undefined
          : 'it begins on the page that is open: have it open an address first, or give its task a url';
    if (why !== undefined)
      return [
        { path: `steps[${index}]`, message: `parallelExecution is for independent steps, and this is none: ${why}` },
      ];
    for (const name of read.saves) saved.set(name, index);
  }
  return [];
}

interface ReadStep {
  opensFirst: boolean;
  /** Names of values that it has not saved itself before. */
  uses: string[];
  saves: string[];
}

function readStep(
  { instruction, task, wait, once, check }: Step,
  variables: Readonly<Record<string, VariableInput>>,
): ReadStep {
  const parsed = task === undefined ? parseInstruction(instruction) : undefined;
  const actions = parsed?.kind === 'actions' ? parsed.actions : [];
  const address = addressOfCall(task) ?? task?.url ?? addressOf(actions[0], instruction);
  const saved = actions.flatMap(({ intent }) => (intent.kind === 'save' ? [intent.variableName] : []));
  const saidToSave = new Map([...instruction.matchAll(SAVES)].map(({ 1: name, index }) => [name!, index]));
  return {
    opensFirst: wait === undefined && address !== undefined && isAbsolute(address, variables),
    uses: namesIn(JSON.stringify([instruction, task, once, check, actions])).filter((name) => {
      const at = instruction.indexOf(`\${${name}}`);
      return at === -1 ? !saved.includes(name) : at < (saidToSave.get(name) ?? Infinity);
    }),
    saves: [...saved, ...saidToSave.keys()],
  };
}

function addressOfCall(task: Step['task']): string | undefined {
  return task?.call?.tool === 'navigate' ? String(task.call.args['url']) : undefined;
}

function addressOf(first: Action | undefined, instruction: string): string | undefined {
  if (first?.condition !== undefined) return undefined;
  return first?.intent.kind === 'open' ? first.intent.url : OPENS.exec(instruction)?.[1];
}

/** An address that begins with a variable is the value of that. */
function isAbsolute(address: string, variables: Readonly<Record<string, VariableInput>>): boolean {
  const [name] = address.startsWith('${') ? namesIn(address) : [];
  const value = name === undefined ? address : variables[name];
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}
