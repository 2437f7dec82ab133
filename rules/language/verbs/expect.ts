import type { VerbGroup } from '../verb-group';
import { parseDescription, textMeant, withoutArticle } from '../description';
import type { ElementState } from '../../../contracts/commands/definitions/waiting';
import type { Intent } from '../intent';
import { EXPECTED_KINDS, ROLE_WORD, THING } from '../role-words';
import { elementState } from './element-states';
import { countExpected } from './expect-count';
import { QUOTE, isQuoted, unquote, restore, type Spans } from '../protected-text';

const VERB =
  /^(?:(?:expect|verify|assert|ensure|make sure|validate|confirm|see|should see|check)\b)(\s+to see)?(\s+(?:that|whether|if)\b)?\s*:?\s+(.+)$/i;
const THAT_ONLY = /^(?:check|confirm|make sure|ensure)\b/i;
/** "check X" concerns a checkbox, unless X is a statement: "check the Total shows 42". */
const BOX_VERB = /^check\b/i;
const STATEMENT = /\b(?:url|address|title|shows|contains|says|displays|equals|includes|visible|shown|displayed)\b/i;
const CHECK_FOR = /^check\s+for\s+(.+)$/i;
const NOT_SEEN =
  /^(?:(?:(?:not to|to not)\s+see)|(?:(?:you|i|we)\s+)?(?:(?:do not|don['’]t|cannot|can['’]t|no longer|should not|shouldn['’]t)\s+see)|there\s+(?:is|are|['’]s)\s+no|no)\s+(?:longer\s+)?(.+)$/i;
/** Continues an expectation of the page: "… and does not contain X". */
const NOT_SHOWN = /^(?:does not|doesn['’]t|not)\s+(?:show|contain|display|have|include|say)\s+(.+)$/i;
/** "the page should say X": an expectation without its verb. */
const SHOULD =
  /^(?!(?:click|tap|press|type|enter|write|fill|choose|select|pick|check|tick|open|go|save|wait|search|scroll|set)\b)(.+?)\s+(?:should|must|ought to)\s+(not\s+)?(.+)$/i;
const MESSAGE =
  /^(?:an?\s+|the\s+)?(?:(?:error|status|success|warning|info|confirmation|validation|flash)\s+)*(?:message|alert|notice|error|notification|toast|warning)\b/i;
const SEEN = /^(?:there\s+(?:is|are)|(?:(?:you|i|we)\s+)?(?:can\s+|should\s+)?see|to see)\s+(.+)$/i;
const OPERATOR =
  '(?:contains?|includes?|has|have|is|equals?|be|ends? with|starts? with|shows?|matches|match|says?|reads?|displays?)';
const NEGATION =
  "(?:(?:does not|doesn['’]t|should not|shouldn['’]t|must not|not to|to not|is not|isn['’]t|no longer)\\s+)";
const RELATED = `\\s+(?:(${NEGATION}(?:longer\\s+)?)|to\\s+|should\\s+|must\\s+|now\\s+)?`;
const URL = new RegExp(
  `^(?:the\\s+)?(?:page['’]?s?\\s+|current\\s+)*(?:url|address|location)(?:\\s+of the page)?(?:\\s+bar)?${RELATED}(?:${OPERATOR}\\s+)?(.+)$`,
  'i',
);
const TITLE = new RegExp(
  `^(?:the\\s+)?(?:(?:page|tab|window|document)['’]?s?\\s+)?title(?:\\s+of the page)?${RELATED}(?:${OPERATOR}\\s+)?(.+)$`,
  'i',
);
const ON_PAGE = /^(?:to be|i am|we are|you are|being)\s+(?:on|at)\s+(?:the\s+)?(?:page\s+|url\s+|address\s+)?(\S+)$/i;
const PAGE = new RegExp(
  `^(?:the\\s+)?(?:page|screen|site|window|it)${RELATED}(?:shows?|contains?|displays?|has|have|says?|reads?|includes?)\\s+(.+)$`,
  'i',
);
const THERE = 'visible|shown|displayed|listed|present|in the (?:list|table)|there|on the page|on screen|on the screen';
const VISIBLE = new RegExp(
  `^(.+?)\\s+(?:(?:is|are|to be|should be|must be|be)\\s+(?:now\\s+)?(?:${THERE})|appears?|(?:to )?exists?|shows up|to appear)$`,
  'i',
);
const HIDDEN = new RegExp(
  `^(.+?)\\s+(?:(?:is|are|should|must|does|do|to)?\\s*(?:not|n['’]t|no longer)\\s+(?:to\\s+)?(?:be\\s+)?(?:${THERE}|appear|exist)|(?:isn|aren)['’]t\\s+(?:${THERE})|(?:is|are|to be|should be)\\s+(?:gone|hidden|absent|missing)|disappears?|disappeared)$`,
  'i',
);
const ELEMENT = new RegExp(
  `^(.+?)${RELATED}(shows?|contains?|includes?|displays?|says?|reads?|equals?|becomes?|(?:comes?|amounts?|adds?\\s+up)\\s+to|is|are|be|(?:has|have)\\s+(?:the\\s+)?(?:text|value))\\s+(.+)$`,
  'i',
);
/** States of a control, which are no words of the page. */
const CONTROL_STATE =
  /^(?:now\s+)?(?:checked|unchecked|ticked|unticked|enabled|disabled|selected|focused|required|read-?only)$/i;
/** Words of the page, unless a kind of control is empty: "Your cart is empty". */
const STATE_OF_PAGE = new RegExp(
  `^(?!.*\\b(?:${ROLE_WORD})\\s+(?:${QUOTE}\\s+)?(?:is|are|be|should)\\b).+\\s(?:empty|on|off|valid|invalid)$`,
  'i',
);
/** States after the kind of a control ("the menu is open"), otherwise words of the page ("Your cart is empty"). */
const STATE = /^(?:now\s+)?(?:empty|on|off|correct|right|ok)$/i;
/** What opens and closes on a page. */
export const OPENED =
  /\b(?:menu|dialog|popup|pop-up|modal|window|dropdown|list|panel|section|accordion|drawer|sidebar|banner|overlay|chat|cart|basket)$/i;
const SEEN_STATE = /^(?:now\s+)?(?:active|open|closed)$/i;
const STATED = new RegExp(`\\s(?:is|are|be)\\s+(?:not\\s+)?${CONTROL_STATE.source.slice(1)}`, 'i');
const CONTROL = new RegExp(`^(?:the\\s+)?(?:${ROLE_WORD})\\b|\\b(?:${ROLE_WORD})$`, 'i');

/** Parses "expect X", "see X", "check that X" and "make sure X". */
export const expectation: VerbGroup = {
  starts:
    /^(?:expect|verify|assert|ensure|make sure|validate|see|should see)\s+\S|^(?:check|confirm)\s+(?:that|whether|if|for)\s+\S|^(?!(?:click|tap|press|type|enter|write|fill|choose|select|pick|check|tick|open|go|save|wait|search|scroll|set)\b).+?\s+(?:should|must|ought to)\s+(?:not\s+)?(?:be|say|show|contain|have|see|read|display|equal|appear|include|disappear)\b/i,
  parse(text, spans) {
    const [, who, not, does] = SHOULD.exec(text) ?? [];
    if (who !== undefined && does !== undefined && !VERB.test(text)) {
      if (/^(?:you|we|i|the user)$/i.test(who)) return expectationIn(`${not ? 'not to ' : 'to '}${does}`, spans);
      const said = does.replace(/^be\b/i, not === undefined ? 'is' : 'is not');
      const body = /^there$/i.test(who)
        ? `there ${does.replace(/^be\b/i, not === undefined ? 'is' : 'is no')}`
        : said === does && not !== undefined
          ? `${who} should not ${does}`
          : said === does
            ? `${who} should ${does}`
            : `${who} ${said}`;
      return expectationIn(body, spans);
    }
    if (COMPARED.test(text)) return undefined;
    const sought = CHECK_FOR.exec(text)?.[1];
    if (sought !== undefined) return textExpected(sought, spans);
    const [, toSee, that, body] = VERB.exec(text) ?? [];
    if (body === undefined || (BOX_VERB.test(text) && that === undefined && !STATEMENT.test(body))) return undefined;
    const structured = toSee === undefined ? expectationIn(body, spans) : undefined;
    if (structured !== undefined) return structured;
    // "check X" alone concerns a checkbox; "make sure that things went well" names no text.
    if (STATED.test(body) || /^(?:we|i|you)\s+(?:are|am)\b/i.test(body)) return undefined;
    if (that !== undefined && (IS_SAID_OF.test(body) || IS_OPEN.test(body))) return { kind: 'claim' };
    const mayBeText = new RegExp(QUOTE).test(body) || (that === undefined && !THAT_ONLY.test(text));
    return mayBeText ? textExpected(body, spans) : undefined;
  },
};

/** “batch 306 Oak Stout lies in tank B1”, “the key mobile-app belongs to Dev” */
const IS_SAID_OF = /^(?=.*(?:\s\p{Lu}|\d|\p{L}-\p{L}))\S.*\s(?:\p{Ll}+s|are|have)\s/u;
const IS_OPEN = /\s(?:is|are)\s+(?:now\s+|already\s+)?open(?:ed)?$/i;

/** "the user X has the role Y": its role is Y. */
const HAS = new RegExp(
  `^(.+?)\\s+(?:has|have|should have|to have)\\s+(?:the\\s+)?([a-z]+(?:\\s[a-z]+)?)\\s+(${QUOTE}|\\S+)$`,
  'i',
);
/** "X appears in the table", "the sum shown below": where something is seen. */
const SEEN_WHERE =
  /^((.+?)\s(?:(?:does\s+not\s+|doesn['’]t\s+)?appears?|(?:is|are)(?:\s+(?:not|no\s+longer)|n['’]t)?\s+(?:shown|visible|displayed|listed)))\s+(in|on|at|for|below|above|under|beside)\s+(.+)$/i;
/** "“Shipped” in the row of Order 7". */
const QUOTED_WHERE = new RegExp(`^(?:the\\s+(?:text|words?)\\s+)?(${QUOTE})\\s+(in|on|for|beside)\\s+(.+)$`, 'i');
/** A place that is one of several, so that what is seen elsewhere does not count. */
const ONE_PLACE = new RegExp(
  `\\b(?:row|entry|card|line|item|record|section|group|column|cell|dialog|panel|heading)\\b|${QUOTE}|\\d`,
  'i',
);
const NAMES_PLACE = /(?:^|\s)\p{Lu}[\p{L}\p{N}]|[\uE000-\uEFFF]|\d/u;
const OF_ENTRY = /^((?:the\s+)?(?:row|entry|card|line|item|record))\s+(?:of|for|with|named|called)\s+/i;
/** What a text can't say of a number. */
const COMPARED =
  /\s(?:is|are|be|costs?)\s+(?:not\s+)?(?:below|above|under|over|(?:less|more|fewer|greater|lower|higher|smaller|larger)\s+than|at\s+(?:least|most)|between|up\s+to)\s+\S*\d|\b(?:that|there\s+(?:is|are)|to\s+see)\s+(?:at\s+(?:least|most)|(?:more|fewer|less)\s+than|up\s+to)\s+\d/i;
/** What follows says something of what is before it: “no order is pending” is no text that is missing. */
const SAYS = /\s(?:is|are|was|were|has|have|costs?|shows?|says?|contains?)\s/i;
const OF_NONE = /^(?:there\s+(?:is|are|['’]s)\s+)?no\b(?!\s+longer)/i;
const PARTICIPLE =
  /\s+(?:shown|displayed|listed)\s+(?:in|on|at|below|above|under|beside)\s+(?:the\s+)?\S+(?=\s+(?:is|should|shows?)\b)/i;

/** Parses an expectation of the address, the title, an element, or absence. */
export function expectationIn(said: string, spans: Spans): Intent | undefined {
  const [, seenThere, seenThing, by, place = ''] = SEEN_WHERE.exec(said) ?? [];
  const [, quoted, , ofQuoted = ''] = QUOTED_WHERE.exec(said) ?? [];
  const [thing, onePlace] = quoted === undefined ? [seenThing, place] : [quoted, ofQuoted];
  const isIn = !/^(?:at|below|above|under)$/i.test(by ?? '') && ONE_PLACE.test(onePlace) && !SAYS.test(onePlace);
  if (thing !== undefined && isIn) {
    const shows = /\b(?:not|no longer)\b|n['’]t\b/i.test(seenThere?.slice(thing.length) ?? '')
      ? 'does not show'
      : 'shows';
    return elementExpected(`${onePlace.replace(OF_ENTRY, '$1 ')} ${shows} ${withoutArticle(thing)}`, spans, true);
  }
  // “Ann is listed in the category Adult” is more than that Ann is listed.
  if (thing !== undefined && NAMES_PLACE.test(onePlace) && !SAYS.test(onePlace)) return { kind: 'claim' };
  const counted = countExpected(said, spans);
  if (counted !== undefined) {
    const { owner, text, ...count } = counted;
    const ofOwner = owner === undefined ? undefined : elementExpected(`${owner} shows ${text}`, spans, true);
    return { kind: 'expect-count', ...count, otherwise: ofOwner ?? { kind: 'expect', text } };
  }
  const where = seenThere ?? said.replace(/\b(is|are)\s+still\b/i, '$1');
  const [, owner, what, value] = HAS.exec(where) ?? [];
  const body =
    owner === undefined || /^(?:text|value)$/i.test(what!)
      ? where.replace(PARTICIPLE, '')
      : `the ${what} of ${owner.replace(/^(?:the|a|an)\s+/i, '')} is ${value}`;
  const address = addressExpected(body, spans);
  if (address) return address;
  const stated = elementState(body);
  if (stated !== undefined && (!STATE_OF_PAGE.test(body) || /^it\b/i.test(stated.who)))
    return stateExpected(stated, spans);
  const unseen = NOT_SEEN.exec(body)?.[1] ?? HIDDEN.exec(body)?.[1] ?? NOT_SHOWN.exec(body)?.[1];
  if (unseen !== undefined) {
    const absentText = unseen.replace(VISIBLE, '$1');
    return OF_NONE.test(body) && SAYS.test(absentText) ? undefined : textExpected(absentText, spans, true);
  }
  const page = pageShows(body, spans);
  if (page !== undefined) return page;
  const seen = VISIBLE.exec(body)?.[1] ?? SEEN.exec(body)?.[1];
  if (seen !== undefined) return textExpected(seen, spans);
  return elementExpected(body, spans);
}

/** Parses "the page shows X". */
export function pageShows(body: string, spans: Spans): (Intent & { kind: 'expect' }) | undefined {
  const page = PAGE.exec(body);
  const shown = page?.[2] === undefined ? undefined : textExpected(page[2], spans, page[1] !== undefined);
  return shown?.kind === 'expect' ? shown : undefined;
}

function stateExpected({ who, state }: { who: string; state: ElementState }, spans: Spans): Intent | undefined {
  const target = parseDescription(who, spans);
  return target.readings.length === 0 ? undefined : { kind: 'expect-element', target, state };
}

/** Parses an expectation of the address or the title. */
export function addressExpected(body: string, spans: Spans): Intent | undefined {
  const on = ON_PAGE.exec(body)?.[1];
  if (on !== undefined && (isQuoted(on) || /[/.:]/.test(on))) return { kind: 'expect', url: unquote(on, spans) };
  const url = URL.exec(body);
  if (url?.[2] !== undefined) return { kind: 'expect', url: unquote(url[2], spans), ...absent(url[1]) };
  const title = TITLE.exec(body);
  if (title?.[2] !== undefined) return { kind: 'expect', title: unquote(title[2], spans), ...absent(title[1]) };
  return undefined;
}

function elementExpected(body: string, spans: Spans, isPlace = false): Intent | undefined {
  const [, who, negated, operator = '', said] = ELEMENT.exec(body) ?? [];
  if (who === undefined || said === undefined || /^(?:we|i|you)$/i.test(who)) return undefined;
  const isOpen = !isQuoted(said) && /^(?:is|are|be)$/i.test(operator);
  const [not] = (isOpen && /^not\s+/i.exec(said)) || [undefined];
  const what = said.slice(not?.length ?? 0);
  const negation = negated ?? not;
  if (not !== undefined && /^(?:shown|visible|displayed|listed|present|in|on)\b/i.test(what)) return undefined;
  const words = restore(withoutArticle(body), spans);
  if (isOpen && CONTROL_STATE.test(what)) return undefined;
  if (isOpen && SEEN_STATE.test(what) && OPENED.test(who)) return undefined;
  if (isOpen && STATE.test(what))
    return CONTROL.test(who) ? undefined : { kind: 'expect', text: words, ...absent(negation) };
  const described = parseDescription(who, spans);
  // “the state of the order with reference “Lena””: its words say which.
  const isWords = described.readings.length === 0 && isQuoted(what);
  const target = isWords ? { ...described, readings: [{ name: described.said }] } : described;
  if (target.readings.length === 0) return undefined;
  const text = unquote(what, spans);
  // A message needs no role, and its words are on the page.
  const orText =
    negation !== undefined
      ? {}
      : MESSAGE.test(who)
        ? { orText: text, isMessage: true as const }
        : isOpen
          ? { orText: words }
          : {};
  const ofEntry = isOpen || isPlace ? { ofEntry: true as const } : {};
  return text === '' ? undefined : { kind: 'expect-element', target, text, ...absent(negation), ...orText, ...ofEntry };
}

/** Expects text of the page, or an element where the words describe its location. A button is more than its words. */
function textExpected(part: string, spans: Spans, isAbsent = false): Intent | undefined {
  const isAway = isAbsent ? { absent: true as const } : {};
  const [, exactly] = EXACTLY.exec(part) ?? [];
  const matchCase = exactly === undefined ? {} : { matchCase: true as const };
  const words = (exactly ?? part).replace(PLACE_OF_ALL, '');
  const owned = OF_QUOTED.exec(words);
  if (owned?.[1] !== undefined && !isAbsent)
    return {
      kind: 'expect-element',
      target: {
        said: restore(words, spans),
        isQuoted: true,
        readings: [
          {
            name: unquote(owned[1], spans),
            role: { word: 'entry', roles: ['article', 'listitem', 'row', 'treeitem'] },
          },
        ],
      },
    };
  const text = textMeant(words, spans);
  if (text !== undefined) return { kind: 'expect', text, ...isAway, ...matchCase, ...rolesMeant(words, spans) };
  const target = parseDescription(words, spans);
  const isKnown = target.readings.length > 0 && target.readings.every((reading) => !reading.isPrevious);
  return isKnown ? { kind: 'expect-element', target, ...isAway } : undefined;
}

/** "the post of “Ann”": an entry, and not her name wherever it stands. */
const OF_QUOTED = new RegExp(
  `^(?:the\\s+)?(?:${THING}|row|entry|card|item|message)\\s+(?:of|by|from)\\s+(${QUOTE})$`,
  'i',
);
const EXACTLY = /^(?:exactly\s+|the exact\s+(?:text|words)\s+)(.+)$/i;
const PLACE_OF_ALL = /\s+(?:on|in)\s+(?:the|this)\s+(?:page|screen|site)$/i;

function rolesMeant(part: string, spans: Spans): { roles?: string[] } {
  const { role } = parseDescription(part, spans).readings.find((reading) => !reading.isExact && !reading.isGuess) ?? {};
  if (role === undefined || !EXPECTED_KINDS.has(role.word)) return {};
  return { roles: [...role.roles, ...(role.otherwise ?? [])] };
}

function absent(negation: string | undefined): { absent?: true } {
  return negation === undefined ? {} : { absent: true };
}
