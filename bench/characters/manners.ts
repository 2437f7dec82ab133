import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { PastCommand } from '../../contracts/model-port/port';
import { refIn } from '../../rules/page-text/durable-target';
import { indexPage } from '../../rules/matching/page-index';
import type { Character } from './characters';
import type { Situation, Thought } from './think';

type Act = Thought & { kind: 'act' };

/** What a character makes of a sensible plan. */
export function withManners(character: Character, act: Act, situation: Situation): Act {
  let own = act;
  const isFirst = situation.past.length === 0;
  if (character.isHasty && isFirst) own = overlooking(own, situation.page);
  if (character.isChatty && isFirst) own = withWrongElement(own, situation.instruction);
  if (character.isBlunt) own = nextOf(own, situation, () => 1);
  return own;
}

/** Leaves out boxes that accept something, where the form is sent in the same breath. */
function overlooking(act: Act, page: PageSnapshot): Act {
  const { items } = indexPage(page);
  const isConsent = ({ action, parameters }: AIGeneratedCommand): boolean => {
    const ref = refIn(parameters.selector ?? '');
    const item = items.find(({ node }) => ref !== undefined && node?.ref === ref);
    return action === 'SET_CHECKED' && item !== undefined && /accept|agree|terms/i.test(item.label);
  };
  const isSent = act.commands.at(-1)?.action === 'CLICK_ELEMENT';
  return isSent ? keep(act, (command) => !isConsent(command)) : act;
}

function keep(act: Act, isKept: (command: AIGeneratedCommand, index: number) => boolean): Act {
  const plan = act.notes.plan.filter((_, index) => isKept(act.commands[index]!, index));
  return { ...act, commands: act.commands.filter(isKept), notes: { ...act.notes, plan } };
}

/** Takes the field of its neighbour, or, for some instructions, an element that is not there at all. */
function withWrongElement(act: Act, instruction: string): Act {
  const [first, second] = act.commands.filter(({ action }) => action === 'INPUT_TEXT');
  if (first !== undefined && second !== undefined) {
    const { selector } = second.parameters;
    const wrong = { ...first, parameters: { ...first.parameters, ...(selector === undefined ? {} : { selector }) } };
    return { ...act, commands: act.commands.map((each) => (each === first ? wrong : each)) };
  }
  const [only, ...others] = act.commands;
  if (only?.parameters.selector === undefined || others.length > 0 || instruction.length % 3 !== 0) return act;
  return { ...act, commands: [{ ...only, parameters: { ...only.parameters, selector: 'ref=e9999' } }] };
}

/** The next commands of the plan. Of a part with several it skips those that it gave in the turns before. */
export function nextOf(act: Act, { past }: Situation, count: (commands: readonly AIGeneratedCommand[]) => number): Act {
  const given = past.flatMap(({ outcomes }) => outcomes.filter(({ status }) => status === 'done'));
  let from = 0;
  for (let size = Math.min(given.length, act.commands.length - 1); size > 0 && from === 0; size -= 1) {
    const last = given.slice(-size);
    if (last.every((each, index) => isSame(each, act.commands[index]!))) from = size;
  }
  const until = from + count(act.commands.slice(from));
  // A part counts as done with its last command.
  const plan = act.notes.plan.map((part) => (act.notes.plan.lastIndexOf(part) < until ? part : -1));
  return {
    ...act,
    commands: act.commands.slice(from, until),
    notes: { ...act.notes, plan: plan.slice(from, until) },
    isWhole: act.isWhole && until === act.commands.length,
  };
}

/** Commands that another one follows in the same part: what is typed before a key, an answer before its dialog. */
function isSame(given: PastCommand, planned: AIGeneratedCommand): boolean {
  const isPreparing = ['INPUT_TEXT', 'HANDLE_DIALOG', 'FOCUS_ELEMENT'].includes(planned.action);
  return isPreparing && given.action === planned.action && given.parameters.text === planned.parameters.text;
}
