import { canonicalJson } from '../../../contracts/json';
import type { BrowserAction } from '../../../contracts/commands/commands';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { dependsOnDay } from '../../../contracts/recipes/condition';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { SightedCommand } from '../../../contracts/recipes/sighting';
import type { PlannedCall } from '../../../contracts/tools/planned-call';
import type { ReplyMessage } from '../../../store/models/messages';
import type { CalledFunction } from '../../../contracts/model-port/language-model';
import { roundOf, type StepOfRound } from './learn-round';
import { holdsValue, holdsValueSomewhere } from './spelling';
import { argumentsOf, REF_ARGUMENTS } from './task-sighting';

/** Looks at what the reading of a page has anyway, and waiting for it. */
const OF_READING: ReadonlySet<BrowserAction> = new Set(['READ_PAGE', 'FIND_ELEMENTS', 'LIST_TABS', 'WAIT_FOR']);
/** Looks that show a model more than that: what it calls after them may depend on it. */
const BEYOND_READING: ReadonlySet<BrowserAction> = new Set(['READ_TEXT', 'EXTRACT', 'TAKE_SCREENSHOT']);

const LONGEST_WORDS = 2000;

/** A call that is to be repeated. */
interface RepeatedCall {
  command: PlannedCommand;
  sighted: SightedCommand;
  tool: { name: string; args: Record<string, unknown> };
}

/**
 * The rounds of a task, one for each reply of its model, up to the first that can't be repeated: a call failed, was changed by
 * a person, was not for the browser, named no element that is found again, or gave the page what only that day's page said.
 */
export function taskRounds(step: StepOfRound, replies: readonly ReplyMessage[]): RecipeRound[] {
  const rounds: RecipeRound[] = [];
  if (dependsOnDay(step.instruction)) return rounds;
  for (const [index, reply] of replies.entries()) {
    const { sighting } = reply;
    const calls = repeatedCalls(reply);
    if (sighting === undefined || calls === undefined) break;
    if (calls.length > 0) {
      const seen = replies[index + 1]?.sighting;
      const round = roundOf(step, {
        commands: calls.map(({ command }) => command),
        sighted: calls.map(({ sighted }) => sighted),
        parts: [],
        before: sighting,
        seen,
      });
      if (round === undefined) break;
      const commands = round.commands.map((command, at) => ({ ...command, tool: calls[at]!.tool }));
      if (holdsValueSomewhere(commands, step.unspoken, step.instruction)) break;
      const { reads, says } = sighting;
      // The model that takes over goes on from its own words.
      const isSaid = says !== undefined && !holdsValue(says, step.unspoken, step.instruction);
      rounds.push({ ...round, commands, reads, ...(isSaid ? { says: says.slice(0, LONGEST_WORDS) } : {}) });
    }
    if (reply.planned!.some((call) => BEYOND_READING.has(actionOf(call)!))) break;
  }
  return rounds;
}

/** The calls of a reply that have to be repeated; undefined where one of them can't be. */
function repeatedCalls({ calls, planned, edited, sighting, replayed }: ReplyMessage): RepeatedCall[] | undefined {
  if (replayed?.isWaiting === true) return [];
  if (calls.length === 0 || planned?.length !== calls.length || edited !== undefined) return undefined;
  const repeated: RepeatedCall[] = [];
  for (const [at, call] of planned.entries()) {
    if (call.run.kind === 'refused') continue;
    if (call.run.kind !== 'browser') return undefined;
    const { command } = call.run;
    if (OF_READING.has(command.action) || BEYOND_READING.has(command.action)) continue;
    const sighted = sighting?.commands[at] ?? {};
    const tool = toolOf(calls[at]!, call);
    if (tool === undefined || !isFoundAgain(command, sighted)) return undefined;
    repeated.push({ command, sighted, tool });
  }
  return repeated;
}

function actionOf({ run }: PlannedCall): BrowserAction | undefined {
  return run.kind === 'browser' ? run.command.action : undefined;
}

/** Undefined where the arguments that the plan has are not all that the model wrote: a secret or a long text is left out. */
function toolOf(call: CalledFunction, { name, args }: PlannedCall): RepeatedCall['tool'] | undefined {
  if (canonicalJson(argumentsOf(call)) !== canonicalJson(args)) return undefined;
  const refs: readonly string[] = Object.values(REF_ARGUMENTS);
  return { name, args: Object.fromEntries(Object.entries(args).filter(([member]) => !refs.includes(member))) };
}

/** Points in the view are another place on another screen; an element is the one whose marks were seen. */
function isFoundAgain({ parameters, target, toTarget }: PlannedCommand, sighted: SightedCommand): boolean {
  const { x, selector, toSelector } = parameters;
  if (x !== undefined) return false;
  const isSame = (one: { selector: string } | undefined, other: { selector: string } | undefined): boolean =>
    one?.selector === other?.selector;
  const isNamed =
    (selector === undefined || target !== undefined) && (toSelector === undefined || toTarget !== undefined);
  return isNamed && isSame(target, sighted.target) && isSame(toTarget, sighted.toTarget);
}
