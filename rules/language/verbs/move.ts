import type { VerbGroup } from '../verb-group';
import { open } from './open';
import { parseDescription, ordinalOf } from '../description';
import { unquote, QUOTE } from '../protected-text';

const BACK =
  /^(?:(?:go|navigate|step|move)\s+)?back(?:\s+(?:one page|once|to the (?:previous|last) page))?$|^(?:go|return|navigate) to the previous page$/i;

/** Parses "go back". */
export const back: VerbGroup = {
  starts: BACK,
  parse: (text) => (BACK.test(text) ? { kind: 'back' } : undefined),
};

const FORWARD = /^(?:go|navigate|step|move)\s+forwards?(?:\s+(?:one page|once))?$/i;

/** Parses "go forward". */
export const forward: VerbGroup = {
  starts: FORWARD,
  parse: (text) => (FORWARD.test(text) ? { kind: 'forward' } : undefined),
};

const CLOSE_TAB =
  /^close\s+(?:(?:the|this)\s+)?(?:(current|last|first|new|other|\d{1,3})\s+)?(?:browser\s+)?(?:tab|window)(?:\s+(\d{1,3}))?$/i;
const OPEN_TAB = /^open\s+(?:(\S+)\s+in\s+)?an?\s+new\s+(?:browser\s+)?tab(?:\s+(?:with|at)\s+(\S+))?$/i;

/** Parses "close the tab" and "open a new tab". */
export const tabs: VerbGroup = {
  starts:
    /^(?:close\s+(?:\S+\s+){0,3}(?:tab|window)(?:\s+\d{1,3})?|open\s+(?:\S+\s+in\s+)?an?\s+new\s+(?:browser\s+)?tab.*)$/i,
  parse(text, spans) {
    const closed = CLOSE_TAB.exec(text);
    if (closed) {
      const word = (closed[1] ?? closed[2] ?? 'current').toLowerCase();
      return { kind: 'close-tab', ...(word !== 'current' && { tab: PLACES[word] ?? word }) };
    }
    const opened = OPEN_TAB.exec(text);
    if (!opened) return undefined;
    const address = opened[1] ?? opened[2];
    const page = address === undefined ? undefined : open.parse(`open ${address}`, spans);
    if (address === undefined) return { kind: 'open-tab' };
    return page?.kind === 'open' && !page.url.startsWith('/') ? { kind: 'open-tab', url: page.url } : undefined;
  },
};

const SCROLL_BY = /^scroll\s+(?:the page\s+)?(up|down)(?:\s+(?:a bit|a little|the page|one page|once))?$/i;
const SCROLL_END =
  /^scroll\s+(?:the page\s+)?(?:all the way\s+)?(?:(?:up|down)\s+)?to\s+(?:the\s+)?(?:very\s+)?(top|bottom|start|end)(?:\s+of\s+(?:the\s+)?page)?$/i;
/** "scroll the list to the bottom": within an element. */
const SCROLL_WITHIN =
  /^scroll\s+(?!to\b|up\b|down\b|the page\b)(.+?)\s+(?:(?:all the way\s+)?(?:(?:up|down)\s+)?to\s+(?:the|its)\s+(?:very\s+)?(top|bottom|start|end)(?:\s+of\s+(?:the|its)\s+(?:text|list|content|page))?|(up|down))$/i;
const SCROLL_IN =
  /^scroll\s+(?:(up|down)|(?:(?:up|down)\s+)?to\s+the\s+(top|bottom|start|end))\s+(?:in|within|inside|of)\s+(.+)$/i;
/** "find X in the list" */
export const FIND =
  /^(?:find|locate|look for)\s+(.+?)(?:\s+(?:in|on|from)\s+the\s+(?:\w+\s+)?(?:list|table|page|book|directory|inbox|feed|timeline|catalog|catalogue|collection|results|menu|tree))?$/i;
/** What is to be found takes a comparison, or something is to be done with it that no verb stands for: a free task. */
const ASKS_FOR_MORE =
  /\s+and\s+|\b(?:cheapest|dearest|best|worst|most|least|lowest|highest|largest|biggest|smallest|newest|oldest)\b/i;
const SCROLL_TO = /^scroll\s+(?:(?:up|down)\s+)?(?:to|until you see|until)\s+(.+)$|^scroll\s+(.+)\s+into view$/i;

/** "scroll the list until "Item 40" shows" */
const SCROLL_UNTIL = new RegExp(
  `^scroll\\s+(?:down\\s+)?(?:(?:the\\s+)?page\\s+|(?:(?:in|within|inside)\\s+)?(.+?)\\s+)??(?:down\\s+)?until\\s+(?:(?:you|i|we)\\s+(?:can\\s+)?see\\s+)?(?:the\\s+text\\s+)?(${QUOTE})(?:\\s+(?:(?:is|are)\\s+(?:shown|visible|displayed|in view|there|on the page|on screen)|shows?(?:\\s+up)?|appears?))?$`,
  'i',
);

const WAYS: Record<string, 'up' | 'down' | 'top' | 'bottom'> = {
  up: 'up',
  down: 'down',
  top: 'top',
  start: 'top',
  bottom: 'bottom',
  end: 'bottom',
};

/** Parses "scroll down", "scroll to the top", "scroll the list to the bottom", "scroll to X" and "find X". */
export const scroll: VerbGroup = {
  starts: /^(?:scroll|find|locate|look for)\s+\S/i,
  parse(text, spans) {
    const found = FIND.exec(text)?.[1];
    if (found !== undefined && ASKS_FOR_MORE.test(found)) return undefined;
    if (found !== undefined) return { kind: 'scroll', to: 'element', target: parseDescription(found, spans) };
    const [, within, sought] = SCROLL_UNTIL.exec(text) ?? [];
    if (sought !== undefined)
      return {
        kind: 'scroll-until',
        text: unquote(sought, spans),
        ...(within !== undefined && { target: parseDescription(within, spans) }),
      };
    const by = SCROLL_BY.exec(text)?.[1];
    if (by !== undefined) return { kind: 'scroll', to: /^up$/i.test(by) ? 'up' : 'down' };
    const end = SCROLL_END.exec(text)?.[1];
    if (end !== undefined) return { kind: 'scroll', to: /^(?:top|start)$/i.test(end) ? 'top' : 'bottom' };
    const whole = SCROLL_WITHIN.exec(text);
    const inside = SCROLL_IN.exec(text);
    const element = whole?.[1] ?? inside?.[3];
    const way = whole?.[2] ?? whole?.[3] ?? inside?.[1] ?? inside?.[2];
    if (element !== undefined && way !== undefined)
      return { kind: 'scroll', to: WAYS[way.toLowerCase()]!, target: parseDescription(element, spans) };
    const [, to, shown] = SCROLL_TO.exec(text) ?? [];
    const target = to ?? shown;
    return target === undefined
      ? undefined
      : { kind: 'scroll', to: 'element', target: parseDescription(target, spans) };
  },
};

const SWITCH = '(?:switch|change|go|move|return|jump)(?:\\s+(?:back|over))?\\s+to';
const BY_PLACE = new RegExp(
  `^${SWITCH}\\s+(?:the\\s+)?(new|newest|newly opened|latest|original|main|other|next|\\w+)\\s+(?:browser\\s+)?(?:tab|window)$`,
  'i',
);
const BY_NUMBER = new RegExp(`^${SWITCH}\\s+(?:the\\s+)?(?:tab|window)\\s+(?:number\\s+)?(\\d{1,3})$`, 'i');
const BY_TITLE = new RegExp(
  `^${SWITCH}\\s+(?:the\\s+)?(?:(?:browser\\s+)?(?:tab|window)\\s+(?:(?:called|named|titled|with(?: the)? title)\\s+)?(.+)|(.+?)\\s+(?:browser\\s+)?(?:tab|window))$`,
  'i',
);
const PLACES: Record<string, string> = {
  new: 'last',
  newest: 'last',
  'newly opened': 'last',
  latest: 'last',
  last: 'last',
  original: 'first',
  main: 'first',
  first: 'first',
  other: 'next',
  next: 'next',
};

/** Parses "switch to the new tab", "switch to tab 2" and "switch to tab Terms". */
export const tab: VerbGroup = {
  starts: new RegExp(`^${SWITCH}\\s+.*(?:tab|window)(?:\\s|$)|^switch to\\s+${QUOTE}$`, 'i'),
  parse(text, spans) {
    const place = BY_PLACE.exec(text)?.[1]?.toLowerCase() ?? '';
    const known = Object.hasOwn(PLACES, place) ? PLACES[place] : ordinalOf(place)?.toString();
    if (known !== undefined) return { kind: 'tab', tab: known };
    const number = BY_NUMBER.exec(text)?.[1];
    if (number !== undefined && number !== '0') return { kind: 'tab', tab: number };
    const titled = BY_TITLE.exec(text);
    const title = titled?.[1] ?? titled?.[2];
    if (title === undefined || /^previous$/i.test(title)) return undefined;
    return { kind: 'tab', tab: unquote(title, spans), orClick: parseDescription(`${title} tab`, spans) };
  },
};
