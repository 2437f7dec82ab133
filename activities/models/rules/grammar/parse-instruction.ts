import { check } from './verbs/check';
import { choose } from './verbs/choose';
import { click, press } from './verbs/click';
import { dialog } from './verbs/dialog';
import { expectation, expectationIn } from './verbs/expect';
import { mayOpenDialog, targetsOf, type Action, type Intent } from './intent';
import { back, scroll, tab } from './verbs/move';
import { open } from './verbs/open';
import { dom, NOT_AN_ELEMENT, save } from './verbs/save';
import { ROLE_WORD } from './role-words';
import { splitClauses, trim } from './split-clauses';
import { isQuoted, restore, protectQuotes, type Spans } from './protected-text';
import { type } from './verbs/type';
import type { VerbGroup } from './verb-group';
import { wait } from './verbs/wait';
import type { Description } from './description';

/** The first group that can parse a clause wins, so specific forms precede general ones. */
const GROUPS: readonly VerbGroup[] = [
  dialog,
  back,
  tab,
  dom,
  expectation,
  wait,
  scroll,
  save,
  open,
  press,
  type,
  choose,
  check,
  click,
];

export type Parsed = { kind: 'actions'; actions: Action[] } | { kind: 'unknown'; clause: string; hint?: string };

/** Characters outside quotes. */
const LONGEST = 4_000;

/** Parses an instruction: a pure function of its words, independent of the page. */
export function parseInstruction(instruction: string): Parsed {
  const { text, spans } = protectQuotes(instruction);
  if (text.length > LONGEST)
    return { kind: 'unknown', clause: instruction, hint: 'It is too long for plain steps; give it as several.' };
  const clauses = splitClauses(text, {
    starts: (piece) => GROUPS.some((group) => group.starts.test(piece)),
    continues: (previous, piece) => continuation(previous, piece, spans),
  });
  const actions: Action[] = [];
  let previous: Description | undefined;
  for (const clause of clauses) {
    const said = restore(clause, spans);
    const intent = parseClause(clause, spans);
    if (intent === undefined) return { kind: 'unknown', clause: said, ...hintFor(clause) };
    for (const target of targetsOf(intent)) {
      if (target.readings.every((reading) => !reading.isPrevious)) continue;
      if (previous === undefined)
        return { kind: 'unknown', clause: said, hint: `Nothing before it says what “${target.said}” is.` };
      Object.assign(target, previous);
    }
    previous = targetsOf(intent)[0] ?? previous;
    actions.push({ said, intent });
  }
  if (actions.length === 0) return { kind: 'unknown', clause: instruction.trim() };
  return { kind: 'actions', actions: answersBeforeClicks(actions) };
}

function parseClause(clause: string, spans: Spans): Intent | undefined {
  if (CONDITION.test(clause)) return undefined;
  for (const group of GROUPS) {
    const intent = group.starts.test(clause) || group === expectation ? group.parse(clause, spans) : undefined;
    if (intent && isUsable(intent)) return intent;
  }
  return undefined;
}

/** Whether every target can be parsed; for the alternatives of "choose M in Size" one suffices. */
function isUsable(intent: Intent): boolean {
  const readable = targetsOf(intent).map((target) => target.readings.length > 0);
  return intent.kind === 'choose' ? readable.includes(true) : !readable.includes(false);
}

const CONDITION = new RegExp(
  '^(?:if|when|unless|while|until|for (?:each|every|all))\\b|\\s(?:if (?:it|there|the|you)|unless|for each|for every)\\s|' +
    '^\\S+\\s+(?:on\\s+)?(?:each|every)\\s|' +
    `^\\S+\\s+(?:on\\s+)?all\\s+(?:the\\s+)?(?:\\S+\\s+)?(?:${ROLE_WORD})(?:s|es)$|` +
    '\\s(?:twice|(?:\\d+|two|three|four|five|ten) times)$|^(?:click|press|tap)\\s.*\\suntil\\s',
  'i',
);
const SHARED_VERB =
  /^(?:make sure(?: that)?|ensure(?: that)?|check (?:that|for)|confirm that|click(?: on)?|tap|press|type|enter|write|put|input|choose|select|pick|check|tick|uncheck|untick|fill(?: in| out)?|set|expect|see|verify|assert|wait for|scroll to)(?=\s)/i;
const EXPECTS = /^(?:expect|see|verify|assert|make sure|ensure|check that|confirm that)\b/i;

/** Completes a piece that shares the verb of the previous clause: `click "A" and "B"`, `fill X with "a" and Y with "b"`. */
function continuation(previous: string, piece: string, spans: Spans): string | undefined {
  const verb = SHARED_VERB.exec(previous)?.[0];
  if (verb === undefined) return undefined;
  const text = trim(piece);
  const isAlike =
    /^[\uE000-\uEFFF]/.test(text) ||
    (/^fill/i.test(verb) && /\swith\s/i.test(text)) ||
    (/^set/i.test(verb) && /\sto\s/i.test(text)) ||
    (EXPECTS.test(verb) && expectationIn(text, spans) !== undefined);
  const full = `${verb} ${text}`;
  return isAlike && parseClause(full, spans) !== undefined ? full : undefined;
}

/** Moves the answer to a dialog before the click that opens it, because the browser needs it by then. */
function answersBeforeClicks(actions: readonly Action[]): Action[] {
  const ordered: Action[] = [];
  for (const action of actions) {
    const isAnswer = action.intent.kind === 'dialog' && mayOpenDialog(ordered.at(-1)?.intent);
    if (isAnswer) ordered.splice(-1, 0, action);
    else ordered.push(action);
  }
  return ordered;
}

function hintFor(clause: string): { hint?: string } {
  const [, saved] = /^(?:save|remember|store|read|copy)\s+(.+)\s+(?:as|in|into|to)\s/i.exec(clause) ?? [];
  if (saved !== undefined && NOT_AN_ELEMENT.test(saved)) return { hint: 'Only text that the page shows can be saved.' };
  if (CONDITION.test(clause)) return { hint: 'It has a condition or a repetition, which plain steps cannot have.' };
  if (/^(?:save|remember|store)\b.*\sas\s/i.test(clause)) {
    return {
      hint: 'The name to save under must be one word of letters, digits and _ that does not begin with a digit.',
    };
  }
  if (isQuoted(clause)) return { hint: 'It does not say what to do with that.' };
  return {};
}
