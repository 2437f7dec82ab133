import type { TurnResult } from '../../../contracts/model-port/port';
import { containsText } from '../../../rules/page-text/contains-text';
import { goalWords } from '../../../rules/page-text/goal-words';

/** What the engine knows of a task, against which it holds the claim that the task is done. */
export interface KnownOfTask {
  /** A call of the task has succeeded. */
  hasActed: boolean;
  /** Nothing was called but what opened the address of the task, for the model. */
  hasOnlyOpened?: boolean;
  /** What was to be done last, and was not. */
  leftUndone?: string | undefined;
  /** The arguments and results of its calls. Undefined where it may have acted by what it sees in pictures, or by scripts. */
  used?: string | undefined;
  /** The model may end a task that needs no call, by calling `done`: one of a conversation, or one about a picture. */
  mayOnlyAnswer: boolean;
  /** What the model was shown in this conversation: pages, and results of tools. Undefined where it sees pictures. */
  shown: string | undefined;
}

interface Doubt {
  /** What the model is asked. */
  ask: string;
  /** What its answer is followed by where it says the same again. */
  verdict?: string;
}

interface EndFacts {
  task: string;
  /** What the page says against the end. */
  contradiction: string | undefined;
  /** Undefined where the engine does not know what the model saw: its tools run elsewhere. */
  known: KnownOfTask | undefined;
  isAskedAgain: boolean;
}

/** Words of an answer that most likely reports a failure. It costs a call when they do not. */
const COULD_NOT =
  /\b(?:unable to|not able to|could(?: not|n['’]t)|can(?:not| not|['’]t)|failed to|(?:was|is) not possible|impossible to|did(?: not|n['’]t) succeed|gave up)\b/i;

const ASK_FOR_DONE =
  'That may be the end of the task. Call done: with success true only if all that it asks for is done, and false otherwise.';
const ASK_AFTER_CUT =
  'Your answer was cut off by its limit of tokens. Go on in a shorter way: call one tool, or call done with a short answer.';
const ASK_AFTER_CONTRADICTION =
  'Correct it by another call, or call done: with success false, or with success true and these words in its answer, if the task asked to find them out.';
/** Lines of a page with refs: small models copy it in place of a reason. */
const COPIED_PAGE = /\[ref=\w+\]/;
const ASK_FOR_ANSWER =
  'That is the page, and no answer. If the page has what the task needs, call the tool for it. If it has not, call done with success false, and name in answer what the page lacks.';
const ASK_FOR_CALL =
  'No call of this task has succeeded, so nothing is done yet. Call the tool that the task needs first. If it needs none, call done, and quote in evidence what you were shown; if it can not be done, call done with success false.';
const NOTHING_DONE = 'The model takes the task as done, and no call of it has succeeded.';
const ASK_AFTER_FAILURE =
  'Do it in another way. If it can not be done, call done with success false; if the task does not need it, quote in evidence the words of the page that show the task as done.';
/** Words of a task that is to change something. */
const ACTS =
  /\b(?:add|book|buy|cancel|change|check out|choose|click|create|delete|enter|fill|order|pay|place|post|press|put|remove|reserve|save|select|send|set|sign|submit|type|update|upload|write)\b/i;
const ASK_FOR_EVIDENCE =
  'Nothing in your answer was on a page of this task. If it is not done, go on with the next call. If it is, call done again, and quote in evidence the words of the page that show it.';
const NOTHING_SHOWN = 'The model takes the task as done, and names nothing that was on any page of it.';

/** Says why the end of a task is in doubt; undefined where it is not, and where the turn is no end or gives the task up. */
export function doubtOf(turn: TurnResult, facts: EndFacts): Doubt | undefined {
  const { text, functionCalls, stopReason, isEnd, isGivenUp } = turn;
  if (functionCalls.length > 0) return undefined;
  if (isGivenUp === true) return COPIED_PAGE.test(text) && !facts.isAskedAgain ? { ask: ASK_FOR_ANSWER } : undefined;
  if (isEnd !== true) {
    if (stopReason === 'max_tokens') return { ask: ASK_AFTER_CUT };
    if (text.trim() === '' || COULD_NOT.test(text)) return { ask: ASK_FOR_DONE };
  }
  const { contradiction, known } = facts;
  if (contradiction !== undefined && !quotes(text, contradiction))
    return {
      ask: `The page says otherwise. ${contradiction} ${ASK_AFTER_CONTRADICTION}`,
      verdict: `The model takes the task as done, and the page says otherwise. ${contradiction}`,
    };
  return known === undefined ? undefined : notShown(turn, facts, known);
}

/** An answer that quotes the page hides nothing. */
function quotes(text: string, contradiction: string): boolean {
  return [...contradiction.matchAll(/“([^”]{8,})”/g)].some(([, said]) => containsText(text, said!));
}

function notShown(
  { text, evidence = '', isEnd }: TurnResult,
  { task, isAskedAgain }: EndFacts,
  { hasActed, hasOnlyOpened = false, leftUndone, used, mayOnlyAnswer, shown }: KnownOfTask,
): Doubt | undefined {
  const isToAct = ACTS.test(task);
  const hasBegun = hasActed || hasOnlyOpened || leftUndone !== undefined;
  // Who talks with a person means what is said again by the call that ends the task, unless a deed was asked for and begun.
  if (mayOnlyAnswer && isAskedAgain && isEnd === true && !(isToAct && hasBegun)) return undefined;
  const isQuoted = shown !== undefined && evidence.trim() !== '' && containsText(shown, evidence.trim());
  if (!hasActed || (hasOnlyOpened && isToAct))
    return isAskedAgain && isQuoted ? undefined : { ask: ASK_FOR_CALL, verdict: NOTHING_DONE };
  // A task that only asks about pages may do without what has failed.
  if (leftUndone !== undefined && (isToAct || !(isAskedAgain && isQuoted)))
    return { ask: `${leftUndone} ${ASK_AFTER_FAILURE}`, verdict: `The model takes the task as done. ${leftUndone}` };
  const unused = used === undefined ? undefined : valuesIn(task).find((value) => !containsText(used, value));
  // It may be so already, and then the page shows it.
  if (unused !== undefined && !(isAskedAgain && isQuoted && containsText(evidence, unused)))
    return {
      ask: `${notUsed(unused)} ${ASK_AFTER_FAILURE}`,
      verdict: `The model takes the task as done. ${notUsed(unused)}`,
    };
  const unpressed = used === undefined || hasPressed(used) || DEPENDS.test(task) ? undefined : CLICKS.exec(task)?.[1];
  if (unpressed !== undefined && !(isAskedAgain && isQuoted && containsText(evidence, unpressed)))
    return {
      ask: `${notPressed(unpressed)} ${ASK_AFTER_FAILURE}`,
      verdict: `The model takes the task as done. ${notPressed(unpressed)}`,
    };
  if (shown === undefined || isQuoted || namesWhatWasShown(`${text}\n${evidence}`, task, shown)) return undefined;
  return { ask: ASK_FOR_EVIDENCE, verdict: NOTHING_SHOWN };
}

const notUsed = (value: string): string => `The task names “${value}”, and no call has used it.`;

const CLICKS = /\b(?:click|tap|press|push)\s+(?:on\s+)?(?:the\s+)?["“]([^"”$]{1,200})["”]/i;
/** How the result of a call begins that has pressed something. */
const HAS_PRESSED = /^(?:Clicked|Double-clicked|Held|Pressed|Chose|Dragged|Checked|Unchecked)\b/m;
/** What a click would have led to may be opened by its address; the first address is the task's own. */
const hasPressed = (used: string): boolean => HAS_PRESSED.test(used) || [...used.matchAll(/^Opened\b/gm)].length > 1;
const notPressed = (name: string): string => `The task says to press “${name}”, and nothing was pressed.`;

/** Quoted texts that a task says to type or to choose: `type "Ada" into Name and "40" into Amount`. */
const VALUES =
  /\b(?:type|enter|write|choose|select|pick)\s+(?:the\s+(?:\w+\s+)?)?["“]([^"”$]{2,200})["”]|\b(?:set|change)\s[^"“.;]{1,60}\sto\s+["“]([^"”$]{2,200})["”]|(?:\band|[,;])\s+["“]([^"”$]{2,200})["”]\s+(?:in|into|for)\b/gi;

/** Which texts a task with a condition needs, nobody knows. */
const DEPENDS = /\b(?:if|unless|otherwise|either|or|in case|when|where)\b/i;

const valuesIn = (task: string): string[] =>
  DEPENDS.test(task) ? [] : [...task.matchAll(VALUES)].map(([, typed, set, also]) => (typed ?? set ?? also)!.trim());

/** Whether an answer has a word or number of what was shown that it does not have from the task. */
function namesWhatWasShown(answer: string, task: string, shown: string): boolean {
  const ofTask = new Set(goalWords([task]));
  return goalWords([answer]).some((word) => !ofTask.has(word) && containsText(shown, word));
}
