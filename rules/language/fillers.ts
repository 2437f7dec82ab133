import { isVerb } from './words';

/** Words of courtesy and of tests at the beginning of a clause: a closed list, without a meaning of their own. */
const COURTESY =
  'please to(?=\\s+[a-z])|please|kindly|now|then|and|but|next(?=,)|first(?=,)|finally|lastly|firstly|secondly|thirdly|afterwards|right after that|after that|also|just|simply|quickly|right|well|(?:ok|okay)(?!\\s+(?:the|this|that|it)\\b)|so|h+m+|oh|ah|you know(?=,)|you see(?=,)|listen(?=,)|look(?=,)|honestly(?=,)|by the way|btw|no no(?=,)|hey|hi|hello|' +
  'wait(?=,)|no wait(?=,)|let me see|good news|bad news|anyway|on second thought|go ahead and|' +
  '(?:can|could|would|will) you (?:please |kindly |possibly |maybe )*(?:be so (?:kind|good)(?: as)? (?:to|and) |mind )?|be so (?:kind|good)(?: as)? (?:and|to)|' +
  "you (?:should|must|can|may|need to|have to|could)|i (?:want|need|would like|['’]d like)(?: you)? to|i['’]d like(?: you)? to|i want|i['’]d like|i would be grateful if you(?: could)?|" +
  "try to|be sure to|make sure to|make sure you|don['’]t forget to|remember to|let us|let['’]s|begin to|start to|(?:start|begin)(?=\\s+[a-z]+ing\\b)|(?:we|i)(?!\\s+(?:have|had|can|can['’]t|could|will|never|always|just|only|really|think|thought|know|knew|mean|meant|forgot|forget|believe|guess|was|were|am|are|did|do|got|saw|heard|said|spoke|hear|see\\s+that)\\b)|(?:the user|user|you)(?=\\s+should\\s+see)|" +
  'if you would|kindly';
const THANKS =
  '(?:many |kind )?(?:thanks|thank you|thx|cheers)(?: (?:so |very )?much| a lot)?(?: in advance| for (?:your|the) help)?|much appreciated|that would be (?:great|lovely|nice|kind)(?: of you)?';
const LEADING = new RegExp(`^(?:(?:${COURTESY})(?:[,:]\\s*|\\s+|(?<=\\s)))+`, 'i');
const TRAILING = new RegExp(
  `(?:(?<![\\s.,;:!?…])[\\s.,;:!?…]+|,?\\s+(?:please|pls|plz|${THANKS}|asap|if you would|if possible|right away|immediately|accordingly)|,?\\s+for (?:me|us|him|her|them|that|this|good|now|the moment)|,?\\s+(?:and|but|so|then|also)|,?\\s+(?:once|when) (?:you are\\s+|it\\s+)?(?:done|finished|ready|(?:asked|asks|prompted)(?:\\s+for\\s+confirmation)?))$`,
  'i',
);
const ONLY_THANKS = new RegExp(`^(?:${THANKS})$`, 'i');
const ONLY_POLITE =
  /^(?:please|wait|be so (?:kind|good)|(?:leave|keep)\s+(?:it\s+at\s+that|everything\s+else|the\s+rest|the\s+others?|(?:it|(?:the|this|that)\s+\w+)\s+(?:open|as\s+it\s+is|unchanged))(?:\s+for\s+(?:now|the\s+moment))?|(?:leave|keep)\s+(?:the\s+|his\s+|her\s+|my\s+|our\s+|all\s+)?[\p{L} '’-]{1,40}\s+(?:alone|untouched|unchanged|as\s+(?:it\s+is|it\s+was|they\s+are|is))|let me see|(?:right )?after that|afterwards|very (?:sad|good|nice)|now|then|so|and|but|also|go ahead|right|well|ok|okay|good news|hmm|anyway|(?:can|could|would) you(?: please| kindly)?)$/iu;

/** Removes polite and linking words before a clause, and punctuation after it. */
export function trim(clause: string): string {
  let trimmed = clause.trim().replace(LEADING, '').replace(/\s+/g, ' ').trim();
  const [, counting, after = ''] = /^(?:(first|next)\s+)?([a-z]+)/i.exec(trimmed) ?? [];
  if (counting !== undefined && isVerb(after.toLowerCase())) trimmed = trimmed.slice(counting.length).trim();
  const base = /^([a-z]{2,})ing\b/i.exec(trimmed)?.[1]?.toLowerCase() ?? '';
  const verb = [base, `${base}e`, base.replace(/(.)\1$/, '$1')].find((form) => form !== '' && isVerb(form));
  if (verb !== undefined) trimmed = verb + trimmed.slice(base.length + 3);
  for (let before = ''; before !== trimmed;) {
    before = trimmed;
    trimmed = trimmed.replace(TRAILING, '');
  }
  return ONLY_POLITE.test(trimmed) || ONLY_THANKS.test(trimmed) ? '' : trimmed;
}

const SAYS_WHY =
  /^(?:because|since|as|so that|before (?:we|i|you|they)|am|was|were|had|thought|first thought|changed my)\s|^(?:which|what|who|how)\s.*|^(?:i|we|he|she|they|it|you|that|this|there|my|our|his|her|their|the|a|an|some|somebody|someone|everybody|nobody|who|which|after|before|until|when)\b.*?(?:\b(?:is|are|was|were|has|have|had|will|would|can|could|do|does|did|need|needs|want|wants|go|goes|got|gets?|think|thought|lost|keep|kept|drives?|wrote|turned|means?|works?|agreed|changed|took|take|sent|said|left|\p{L}{3,}ed)\b|['’](?:s|m|re|ve|ll|d)\b|n['’]t\b)/iu;
/** "Ann has left us" */
const OF_SOMEBODY =
  /^(?:(?:little|old|poor|young|good)\s+)?\p{Lu}[\p{L}.'’-]*(?:\s+(?:\p{Lu}\S*|\d+))*\s+(?:just\s+|already\s+|finally\s+)?(?:is|are|was|were|has|have|had|will|would|can|could|wants|needs|wrote|said|got|left|called|rang|phoned|asked|came|went|turned\s+up|moved|\p{L}{3,}ed\s+(?:today|yesterday|us|me|on|at|that|the|a))\b/u;
/** What asks for something after all: a value, a name, an exception, a duty. */
const ASKS =
  /[\uE000-\uF8FF@]|\b(?:should|must|ha(?:s|ve)\s+to\s+be|needs?\s+to\s+be|(?:is|are)\s+to\s+be|wants?\s+(?!to\b)|wants?\s+to\s+be|(?:called|named)(?=\s+\S)|not only|except|instead|either|shows?|visible|displayed|listed|enabled|disabled|appears?|(?<!\bto\s)says?)\b/i;

/** Whether a piece before “so” says nothing but why: it asks for nothing, and names nothing that is quoted. */
export function saysWhy(piece: string): boolean {
  const first = /^[\p{L}]+/u.exec(piece)?.[0] ?? '';
  return !isVerb(first.toLowerCase()) && !/[\uE000-\uF8FF@]|\b(?:should|must|except|instead)\b/i.test(piece);
}

/** A verb behind a colon, or without what it needs at the end: “Ann got 78, enter”. */
function asksAfterAll(piece: string): boolean {
  const [, behind = ''] = /:\s+([a-z]+)\s/i.exec(piece) ?? [];
  return (
    isVerb(behind.toLowerCase()) ||
    /,\s*(?:enter|type|write|put|fill|note|record|set|add|change|update)\s*$/i.test(piece)
  );
}

/** Whether a piece only says why, so that what it names helps to know what is meant, and nothing has to be done for it. */
export function isReason(piece: string): boolean {
  const first = /^[\p{L}]+/u.exec(piece)?.[0] ?? '';
  if (/^(?:nobody|no\s+one|nothing)\s+(?:needs?|has|have)\s+to\b/i.test(piece)) return true;
  return (
    !isVerb(first.toLowerCase()) &&
    !asksAfterAll(piece) &&
    // A page may have a field for it.
    !/^(?:the\s+)?reasons?\b/i.test(piece) &&
    !/^(?:in|on|at|under|for|with|to|from)$/i.test(first) &&
    (SAYS_WHY.test(piece) || OF_SOMEBODY.test(piece)) &&
    !ASKS.test(piece)
  );
}

const ASKED =
  '(?:make|set|put|give|add|remove|delete|change|tick|untick|check|uncheck|select|choose|press|click|tap|save|send|open|close|mark|move|assign|cancel|take|pick|approve|archive|book|enter|type|write)\\s+(?:it|them|him|the|his|her|its|their|this|that|an?|my|our|\\d|[\\uE000-\\uEFFF]|\\p{Lu})';
/** What asks for something behind a reason: “since we are at it make it three”, “nobody is there: please cancel it”. */
const ASKS_BEHIND = new RegExp(
  `(?<=\\s(?:it|that|this|them|there|here|now|already|anyway|again))\\s+(?=${ASKED})|:\\s+(?=(?:please\\s+|kindly\\s+|so\\s+|just\\s+)*${ASKED})`,
  'u',
);

/** “since it is a long trip give them 5 nights” */
const ASKS_BEHIND_WHY = new RegExp(
  `(?<=^(?:since|as|because|while|now\\s+that)\\s+\\S+\\s+\\S+.*\\s(?!(?:to|will|would|can|could|should|must|may|might|not|they|we|i|you|and|or|who|that|which|did|do|does|[a-z]+n['’]t|let|please)\\s)\\S+)\\s+(?=${ASKED})`,
  'iu',
);

/** A reason, and what is asked for behind it without a pause. */
export function askedBehind(clause: string): [why: string, asked: string] | undefined {
  const [why = '', asked] = ASKS_BEHIND.test(clause) ? clause.split(ASKS_BEHIND) : clause.split(ASKS_BEHIND_WHY);
  return asked !== undefined && isReason(why) ? [why, trim(asked)] : undefined;
}
