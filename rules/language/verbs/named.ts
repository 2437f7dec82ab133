import type { Intent } from '../intent';
import type { VerbGroup } from '../verb-group';
import { parseDescription, withoutArticle, type Description, type Reading } from '../description';
import { restore, type Spans } from '../protected-text';
import { roleWord } from '../role-words';

/** Verbs that are the names of buttons. What follows is their object: the row, the card, the section that has the button. */
const VERBS =
  'log in|login|log out|logout|sign in|sign out|sign up|register|submit|send|save|continue|proceed|cancel|confirm|accept|allow|' +
  'agree|decline|reject|deny|refuse|dismiss|close|hide|show|view|read more|learn more|delete|remove|edit|add|buy|purchase|order|pay|book|' +
  'reserve|reply|like|unlike|share|post|publish|download|import|print|subscribe|unsubscribe|apply|reset|undo|redo|start|stop|' +
  'play|pause|mute|next|previous|rename|duplicate|archive|star|pin|join|leave|increase|decrease|increment|decrement|load more|' +
  'zoom in|zoom out|show more|get started|create|clear completed|upgrade|export|finish|skip|approve|retry|try again|block|unfollow|vote|rate|forward';
const NAMED = new RegExp(`^(${VERBS})(?:\\s+(.+))?$`, 'i');
/** Words that add nothing to the verb. */
const EVERYTHING =
  /^(?:(?:the|my|all|these|this|your|our)\s+)*(?:form|changes?|cookies?|it|all|everything|settings|preferences|entry|data|details|(?:to\s+)?(?:the\s+)?next(?:\s+(?:page|step))?)$/i;
const TOWARDS =
  /\s+((?:to|from|into|in|out of)\s+(?:(?:the|my|your)\s+)?(?:shopping\s+)?(?:cart|basket|bag|trolley|wish ?list|favorites|list|watch ?list))$/i;
/** What asks for a judgement, or for any of several things. */
const VAGUE =
  /^(?:an?|any|some)\s|\b(?:cheapest|best|worst|shortest|longest|fastest|nearest|closest|most|least|highest|lowest|smallest|largest|biggest|suitable|appropriate|random)\b/i;
const LEADING = /^(?:to|for|on|of|about|in|from|at|with)\s+/i;
const EXPAND = /^(expand|collapse|unfold|fold|open up)\s+(.+)$/i;
const CLOSING = new RegExp(`^(?:close|dismiss|hide|get rid of)\\s+(.+)$`, 'i');
const CONTAINER =
  /\b(?:dialog|dialog box|popup|pop-up|popup window|modal|window|overlay|banner|message|alert|notice|notification|toast|panel|drawer|sidebar|tooltip|warning|error)$/i;

const CLOSE_NAMES = ['close', 'x', 'dismiss', 'hide'];

/** Parses "log in", "delete Invoice 7" and "add the Trail Shoe to the cart": a click on the button of that name. */
export const named: VerbGroup = {
  starts: new RegExp(`^(?:${VERBS})(?:$|\\s+(?!out$)\\S)`, 'i'),
  parse(text, spans) {
    const container = CLOSING.exec(text)?.[1];
    if (container !== undefined && CONTAINER.test(container)) return closing(text, container, spans);
    const [, verb, object] = NAMED.exec(text) ?? [];
    if (verb === undefined) return undefined;
    const readings = object === undefined ? [{ name: verb }] : withObject(verb, object, spans);
    return readings && clicking(text, readings, spans);
  },
};

function withObject(verb: string, object: string, spans: Spans): Reading[] | undefined {
  const towards = TOWARDS.exec(object)?.[1];
  const things = (towards === undefined ? object : object.slice(0, -towards.length)).replace(LEADING, '').trim();
  const whole: Reading = { name: restore(`${verb} ${withoutArticle(object)}`, spans) };
  if (EVERYTHING.test(object)) {
    const everything = /\b(?:all|everything)\b/i.test(object) ? [{ name: `${verb} all` }] : [];
    return [whole, ...everything, { name: /\bnext\b/i.test(object) ? 'next' : verb }];
  }
  if (VAGUE.test(object) || (/^save$/i.test(verb) && /\s(?:as|in|into|to)\s/i.test(object))) return undefined;
  if (/\s(?:with|as|by|saying)\s+[\uE000-\uEFFF]|\sby\s+\w+ing\b/i.test(object)) return undefined;
  // "log in with …" and "subscribe with …" say more than a button can do.
  if (/^(?:with|using|as|by|saying)\b/i.test(object) && !/^with\s+[\p{Lu}\w ]+$/u.test(object)) return undefined;
  const near = {
    isInside: true,
    landmark: parseDescription(things, spans).readings.filter((reading) => !reading.isPrevious),
  };
  if (near.landmark.length === 0) return [{ name: verb }];
  const inCart =
    towards === undefined
      ? []
      : [{ name: restore(`${verb} ${towards.replace(/\b(?:the|my|your)\s+/gi, '')}`, spans), near }];
  const shown = /^(?:show|view)$/i.test(verb)
    ? near.landmark.map((reading) => ({ ...reading, isGuess: true as const }))
    : [];
  return [whole, ...inCart, { name: verb, near }, ...shown];
}

function clicking(text: string, readings: Reading[], spans: Spans): Intent {
  const button = roleWord('button')!;
  return {
    kind: 'click',
    target: {
      said: restore(text, spans),
      isQuoted: false,
      // As a button or a link: the same words may be a heading.
      readings: readings.map((reading) => ({ ...reading, role: button })),
    },
  };
}

/** Closes a dialog, a banner or a message of the page by its own button. */
function closing(text: string, container: string, spans: Spans): Intent {
  const near = { isInside: true, landmark: parseDescription(container, spans).readings };
  const button = roleWord('button')!;
  const loose = CLOSE_NAMES.map((name): Reading => ({ name, role: button, near }));
  const exact = loose.map((reading): Reading => ({ ...reading, isExact: true }));
  const target: Description = {
    said: restore(text, spans),
    isQuoted: false,
    readings: [...exact, ...loose],
  };
  return { kind: 'click', target };
}

const REVEAL =
  /^(?:switch|go|look|click|browse|navigate)\s+(?:between|through)\s+(?:the|all|each of the)\s+(?:\w+\s+)?(tabs|sections|panels)(?:\s+below)?$|^(?:expand|open)\s+(?:the|all|each of the)\s+(?:\w+\s+)?(sections|panels|accordions)(?:\s+below)?$/i;
/** Paraphrases put these words before "find and click X". */
export const LOOK_AROUND = 'look around';
const REVEAL_ANYTHING = new RegExp(
  `^${LOOK_AROUND}$|^(?:go|look|browse|navigate|search|click)\\s+through\\s+(?:the|all|all the)\\s+(?:\\w+\\s+)?(?:trees?|menus?|pages|folders|lists?|results|sub-?menus)(?:\\s+below)?$`,
  'i',
);

/** Parses "go through the tabs", before an action on what is in one of them. */
export const reveal: VerbGroup = {
  starts: new RegExp(`${REVEAL.source}|${REVEAL_ANYTHING.source}`, 'i'),
  parse(text) {
    if (REVEAL_ANYTHING.test(text)) return { kind: 'reveal', through: 'anything' };
    const [, through, expanded] = REVEAL.exec(text) ?? [];
    const kind = (through ?? expanded)?.toLowerCase();
    return kind === undefined ? undefined : { kind: 'reveal', through: kind === 'tabs' ? 'tabs' : 'sections' };
  },
};

const SECTION_ONLY =
  /^(?:the\s+)?(?:\w+\s+(?=menu))?(?:sections?|panels?|accordions?|details|tree|menu|list|node|item|block)(?:\s+(?:below|above))?$/;

/** Parses "expand X" and "collapse X". */
export const expand: VerbGroup = {
  starts: /^(?:expand|collapse|unfold|fold)\s+\S/i,
  parse(text, spans) {
    const [, verb, what] = EXPAND.exec(text) ?? [];
    if (verb === undefined || what === undefined) return undefined;
    const target = SECTION_ONLY.test(what)
      ? { said: what, isQuoted: false, readings: [{}] }
      : parseDescription(what.replace(/\s+(?:section|panel|node|branch|folder)$/i, ''), spans);
    return { kind: 'expand', target, expanded: /^(?:expand|unfold|open up)$/i.test(verb) };
  },
};
