import { continuation } from './continuation';
import { takeApart, isConditionAlone, type ClauseParts } from './clause';
import { parseCondition, parseEnd } from './conditions';
import type { Description } from './description';
import { answersBeforeClicks, targetsOf, type Action, type Condition, type Intent, type Reveal } from './intent';
import { CONDITION, hintFor, TAKES_BACK } from './hints';
import { paraphrase } from './clause-paraphrases';
import { paraphraseSentences } from './sentence-paraphrases';
import { inPlace, inSamePlace, isPlaceAlone, leadingPlace } from './places';
import { restore, protectQuotes, type Spans } from './protected-text';
import { askedBehind, isReason, saysWhy } from './fillers';
import { withoutSelectors } from './selectors';
import { splitClauses, type Clause } from './split-clauses';
import { byWords } from './by-words';
import { isVerb } from './words';
import { nameIn, ofNamed, refersBack, referTo } from './back-references';
import type { VerbGroup } from './verb-group';
import { check } from './verbs/check';
import { arrange, choose } from './verbs/choose';
import { click, press } from './verbs/click';
import { dialog } from './verbs/dialog';
import { expectation } from './verbs/expect';
import { FIND, back, forward, scroll, tab, tabs } from './verbs/move';
import { expand, named, reveal } from './verbs/named';
import { open } from './verbs/open';
import { drop, gesture, upload } from './verbs/gestures';
import { dom, save } from './verbs/save';
import { surroundings } from './verbs/surroundings';
import { copy, type } from './verbs/type';
import { wait } from './verbs/wait';

/**
 * The first group that can parse a clause wins, so specific forms precede general ones. A new verb has its group here, its
 * Intent and the tables below that in intent.ts, and a case in matching/resolve.ts.
 */
const GROUPS: readonly VerbGroup[] = [
  dialog,
  back,
  forward,
  tabs,
  tab,
  dom,
  expectation,
  wait,
  scroll,
  save,
  open,
  surroundings,
  drop,
  gesture,
  upload,
  press,
  type,
  copy,
  reveal,
  arrange,
  choose,
  check,
  click,
  expand,
  named,
];

export type Parsed = { kind: 'actions'; actions: Action[] } | { kind: 'unknown'; clause: string; hint?: string };

/** Characters outside quotes. */
const LONGEST = 4_000;

/** Parses an instruction: a pure function of its words, independent of the page. */
export function parseInstruction(instruction: string): Parsed {
  const { text: given, spans } = protectQuotes(withoutSelectors(instruction));
  // The rules read many spaces as one, in a time that grows with a power of their number.
  const text = given.replace(/[^\S\n]+/g, ' ');
  if (text.length > LONGEST)
    return { kind: 'unknown', clause: instruction, hint: 'It is too long for plain steps; give it as several.' };
  const back = TAKES_BACK.exec(text)?.[0];
  if (back !== undefined)
    return { kind: 'unknown', clause: back, hint: 'It takes back what was asked for; say only what is to be done.' };
  const clauses = clausesOf(text, spans).flatMap((each) => runOn(each, spans));
  const actions: Action[] = [];
  let previous: Description | undefined;
  /** The place and the condition with which the sentence began. */
  let leading: { parts: ClauseParts; action: Action | undefined } | undefined;
  let about = '';
  let name: string | undefined;
  for (const { text, isJoined, isWhy } of clauses) {
    const clause = name === undefined ? text : ofNamed(text, name);
    name = nameIn(text) ?? name;
    const said = restore(clause, spans);
    const parsed = parseClause(clause, spans) ?? asWords(clause);
    const isPlain = parsed !== undefined && parsed.intent.kind !== 'words';
    if (!isPlain && clauses.length > 1 && (isReason(clause) || (isWhy === true && saysWhy(clause)))) {
      about = `${about} ${said}`.trim();
      continue;
    }
    if (parsed === undefined) return { kind: 'unknown', clause: said, ...hintFor(clause) };
    const { parts, awaited, condition } = parsed;
    let { intent } = parsed;
    if (!isJoined || parts.place || parts.condition) leading = undefined;
    else if (leading?.parts.place) intent = inSamePlace(intent, leading.parts.place, spans);
    const subject = condition?.kind === 'element' ? condition.subject : awaited?.subject;
    previous = subject ?? previous;
    for (const target of targetsOf(intent)) {
      if (!refersBack(target)) continue;
      if (previous !== undefined) referTo(target, previous);
      else if (about !== '') Object.assign(target, { said: restore(about, spans), readings: [] });
      else if (!/^(?:it|that|this|them|there)$/i.test(target.said) && !READS.has(intent.kind))
        intent = { kind: 'words' };
      else return { kind: 'unknown', clause: said, hint: `Nothing before it says what “${target.said}” is.` };
    }
    previous = targetsOf(intent)[0] ?? previous;
    if (awaited) actions.push({ said, intent: awaited.intent });
    const action: Action = {
      said,
      core: restore(parts.core, spans),
      ...(parts.place && { place: restore(`${parts.place.preposition} ${parts.place.words}`, spans) }),
      ...(about !== '' && { about }),
      intent,
      ...(condition && { condition }),
      ...(parsed.until && { until: parsed.until }),
      ...(parts.most === undefined ? {} : { most: parts.most }),
    };
    if (leading?.action) action.conditionOf = leading.action;
    const before = soughtBefore(action, parts);
    if (before) actions.push({ ...action, intent: before });
    const sought = FIND.exec(parts.core)?.[1];
    if (sought !== undefined)
      leading = { parts: { ...parts, place: { preposition: 'in', words: sought, rest: '' } }, action: undefined };
    if (parts.place || parts.condition?.isLeading) leading = { parts, action: condition && action };
    for (let count = 0; count < parts.times; count += 1) actions.push(action);
  }
  // "go through the tree. find X" is one search.
  const isAgain = ({ intent }: Action, at: number): boolean =>
    intent.kind === 'reveal' && actions[at + 1]?.intent.kind === 'reveal';
  const ordered = actions.filter((action, at) => !isAgain(action, at));
  const aimless = ordered.find((action, at) => action.intent.kind === 'reveal' && !aimAt(action, ordered[at + 1]));
  if (aimless) return { kind: 'unknown', clause: aimless.said, hint: 'It does not say what is to be found there.' };
  if (ordered.length === 0) return { kind: 'unknown', clause: instruction.trim() };
  return { kind: 'actions', actions: answersBeforeClicks(ordered) };
}

const clausesOf = (text: string, spans: Spans): Clause[] =>
  splitClauses(paraphraseSentences(text), {
    starts: startsAction,
    leads: (piece) => isPlaceAlone(piece) || isConditionAlone(piece),
    trails: isConditionAlone,
    continues: (previous, piece, isNext) =>
      continuation(coreOf(previous), piece, isNext, spans, (clause) => isForm(clause, spans)),
  });

/** The clauses of an instruction, as they are said. */
export function clausesIn(instruction: string): string[] {
  const { text, spans } = protectQuotes(withoutSelectors(instruction));
  if (text.length > LONGEST) return [];
  return clausesOf(text.replace(/[^\S\n]+/g, ' '), spans).map((clause) => restore(clause.text, spans));
}

/** What is to be found may have to be opened first: what is collapsed, another page, the More menu of its place. */
function soughtBefore({ intent }: Action, { core }: ClauseParts): Reveal | undefined {
  if (intent.kind === 'scroll' && FIND.test(core)) return { kind: 'reveal', through: 'anything' };
  const place = intent.kind === 'click' && intent.target.every === undefined ? intent.target.place : undefined;
  return place && place.isSoft !== true ? { kind: 'reveal', through: 'more', place } : undefined;
}

/** Takes apart two actions without "and" between them: "scroll the list to the end hit submit". */
function runOn(clause: Clause, spans: Spans): Clause[] {
  const [why, asked] = askedBehind(clause.text) ?? [];
  if (why !== undefined && asked !== undefined)
    return [
      { ...clause, text: why },
      { text: asked, isJoined: true },
    ];
  const isWhole = parseClause(clause.text, spans);
  if (CONDITION.test(clause.text) || (isWhole !== undefined && isWhole.intent.kind !== 'words')) return [clause];
  for (const { index } of [...clause.text.matchAll(/\s+(?=(?:click|hit|press|tap)\s)/gi)].toReversed()) {
    const [first, second] = [clause.text.slice(0, index), clause.text.slice(index).trim()];
    if (isForm(first, spans) && isForm(second, spans))
      return [
        { ...clause, text: first },
        { text: second, isJoined: true },
      ];
  }
  return [clause];
}

/** A clause without its place and its condition. */
const coreOf = (clause: string): string => takeApart(paraphrase(clause), startsVerb)?.core ?? clause;

const isForm = (clause: string, spans: Spans): boolean =>
  ![undefined, 'words'].includes(parseClause(clause, spans)?.intent.kind);

/** What tabs or sections are gone through for is the target of the action after it. */
function aimAt(action: Action, following: Action | undefined): boolean {
  const subject = following && targetsOf(following.intent)[0];
  if (subject === undefined) return false;
  action.until = { kind: 'element', subject };
  return true;
}

/** “page her”, “preview it”: a deed, whatever its verb. */
const DOES_IT =
  /^(?!(?:for|to|with|of|about|at|by|in|on|from|if|so|as|and|or|not|like|than|before|after|i|we|you|they|he|she|it|that|which|who)\s)[a-z]+\s+(?:it|him|her|them)(?:\s+over\s+to\s+\S.*)?$/i;

function startsAction(piece: string): boolean {
  return startsVerb(piece) || DOES_IT.test(piece) || leadingPlace(paraphrase(piece), startsVerb) !== undefined;
}

const startsVerb = (piece: string): boolean => {
  const text = paraphrase(piece);
  return GROUPS.some((group) => group.starts.test(text)) || isVerb(/^([a-z]+)\s+\S/.exec(text)?.[1] ?? '');
};

interface ParsedClause {
  intent: Intent;
  parts: ClauseParts;
  condition?: Condition;
  until?: Condition;
  awaited?: { intent: Intent; subject: Description | undefined };
}

function parseClause(clause: string, spans: Spans): ParsedClause | undefined {
  const parts = takeApart(paraphrase(clause), startsVerb);
  if (parts === undefined) return undefined;
  const core = parseCore(parts.core, spans) ?? byWords(parts.core);
  const intent = core && parts.place ? inPlace(core, parts.place, spans) : core;
  if (intent === undefined) return undefined;
  const condition = parts.condition && conditionOf(parts.condition, spans);
  const until = parts.until === undefined ? undefined : parseEnd(parts.until, spans);
  const awaited = parts.awaited === undefined ? undefined : awaitedOf(parts.awaited, spans);
  if ((parts.condition && !condition) || (parts.until && !until) || (parts.awaited && !awaited)) return undefined;
  if ((until || intent.kind.startsWith('expect')) && parts.times > 1) return undefined;
  return { intent, parts, ...(condition && { condition }), ...(until && { until }), ...(awaited && { awaited }) };
}

/** What only reads the page: of what, has to be said. */
const READS: ReadonlySet<string> = new Set(['save', 'expect-element', 'scroll', 'scroll-until']);

/** A clause of no form, as a whole: the page decides what it means. */
function asWords(clause: string): ParsedClause | undefined {
  const core = paraphrase(clause);
  const intent = /\s(?:if|unless|until|when|while)\s/i.test(core) ? undefined : byWords(core);
  return intent && { intent, parts: { core, times: 1 } };
}

function conditionOf({ words, isNegated }: { words: string; isNegated: boolean }, spans: Spans): Condition | undefined {
  const condition = parseCondition(words, spans);
  if (condition === undefined || !isNegated) return condition;
  if (condition.kind === 'page' || condition.state !== undefined) return undefined;
  const { absent, ...rest } = condition;
  return absent ? rest : { ...rest, absent: true };
}

/** "when X appears": the wait for it. */
function awaitedOf(words: string, spans: Spans): ParsedClause['awaited'] | undefined {
  const condition = parseCondition(words, spans);
  const subject = condition?.kind === 'element' ? condition.subject : undefined;
  const intent = wait.parse(`wait until ${words}`, spans);
  return condition === undefined || intent === undefined ? undefined : { intent, subject };
}

function parseCore(core: string, spans: Spans): Intent | undefined {
  const text = paraphrase(core);
  if (CONDITION.test(text)) return undefined;
  for (const group of GROUPS) {
    const intent = group.starts.test(text) || group === expectation ? group.parse(text, spans) : undefined;
    if (intent && isUsable(intent)) return intent;
  }
  return undefined;
}

/** Whether every target can be parsed; for the alternatives of "choose M in Size" one suffices. */
function isUsable(intent: Intent): boolean {
  if (intent.kind === 'either') return intent.intents.some(isUsable);
  const readable = targetsOf(intent).map((target) => target.readings.length > 0);
  if (intent.kind === 'choose') return readable.includes(true);
  if (intent.kind === 'check' && intent.parts) return readable.includes(true);
  return !readable.includes(false);
}
