import { QUOTE } from './protected-text';
import { inPlainerWords, type Wording } from './wording';
import { LOOK_AROUND } from './verbs/named';

const CLICKING = 'click|press|tap|hit|push|choose|select|pick|check|tick|open';

/** Wordings within a sentence, and the plain ones that mean the same. They stand before the sentence is split. */
const IN_SENTENCES: readonly Wording[] = [
  // "When I click X Then I should see Y": words of a test, and no condition.
  [
    /\bthen,?\s+(?=(?:the|there|only|exactly|no|it|its|that|both|all|an?|my|\d+|[\uE000-\uEFFF])(?:\s|$)(?:(?!\bThen\b)[^.;,])*?(?:\b(?:is|are|has|have|shows?|appears?|should|must|remains?|stays?|says?|contains?)\b))/gi,
    '. expect that ',
  ],
  [/\bGiven\s+(?:that\s+)?(?:I\s+am\s+(?:on|in|at)\s+)(?=\S)/g, '. open '],
  [/\bGiven\s+(?:that\s+)?I\s+chose\s+/g, '. choose '],
  [
    /\bGiven\s+(?:that\s+)?([^,.]*?[\uE000-\uEFFF][^,.]*?)\s+is\s+(?:shown|open|opened|selected|displayed)(?=[,.\s]|$)/g,
    '. open $1. ',
  ],
  [/\bGiven\s+(?=(?:the\s+)?(?:tab|page|view|section|menu|dialog|album|folder)\b)(?!the page\b)/g, '. open '],
  [/\bGiven\s+the\s+page,?\s+/g, '. '],
  [/(?<=[.,]\s*),?\s*when\s+I\s+/g, '. '],
  // What is answered to a question of the page, wherever it asks.
  [
    /\b(?:when|if|once)\s+(?:it|you|the\s+(?:page|dialog|site))\s+(?:(?:are|get)\s+)?(?:asks?|asked|prompts?|prompted)\b(?:[^,.;]*,\s*|\s+(?:for\s+confirmation\s*,?\s*)?(?=(?:say|answer|press|click|choose|cancel|confirm|keep)\b))/gi,
    '',
  ],
  [
    /(?<=\b(?:say|answer|reply|press|click|choose)\s+(?:with\s+)?(?:yes|ok|okay|no|cancel))\s+(?:(?:when|if|once|as\s+soon\s+as)\s+(?:it|you|they|the\s+\w+)\s|(?:by|at|on|in)\s+(?:the|this|that)\s+(?:question|dialog|prompt|window|box|pop-?up)\b)[^.;,]*/gi,
    '',
  ],
  [/(?:^|(?<=[\s.,;]))(?:Given|When|And|But|Then)\s+(?:I|we|the user|user)\s+(?:have\s+)?(?!should\b)/g, '. '],
  [/(?<=\S)[,.]?\s+Then\s+(?=\S)/g, '. '],
  [
    /^Then\s+(?=[^.;,]*?\s(?:is|are|has|have|shows?|appears?|should|must|remains?|stays?|says?|contains?|reads?)\s)/g,
    'expect that ',
  ],
  // What is given is so, and is not brought about.
  [
    /^Given\s+(?:that\s+)?(?=[^,;]*\s(?:is|are|was|were|has|have|shows?|contains?|reads?|says?|stands?|exists?|does|do|in|on|with|without)\b)(?!(?:I|we|the\s+user|user)\b)/g,
    'expect that ',
  ],
  // What is given without a verb is neither done nor seen to be so.
  [/^Given\s+(?=(?!(?:I|we|the\s+user|user)\b)\S)/g, 'assume '],
  [/^(?:Given|When|Then)\s+/g, ''],
  // “delete it, ok”
  [
    /(?<=\b(?:delete|del|remove|cancel|archive|discard|clear|void|revoke|withdraw)\s[^.;]*),\s+(?=(?:ok|okay|confirm)\s*[.!]*\s*$)/gi,
    '. say ',
  ],
  // “delete it, yes”
  [
    /(?:,|,?\s+and)\s+(yes|yep)(?:,?\s+(?:i['’]m|i\s+am|we\s+are|we['’]re)\s+(?:really\s+|quite\s+)?sure(?:\s+(?:about|of)\s+(?:it|that|this))?)?(?=\s*[.!]*\s*$|,\s+(?:please\s+)?confirm\b)/gi,
    '. $1',
  ],
  // “the date input "Due"”
  [/\b(?:date|time|number|email|password)\s+(?:input|field|box|picker)\s+(?=[\uE000-\uEFFF])/gi, 'field '],
  // “Read the total and save it as sum” saves the total.
  [
    /\b(?:read|look\s+up|find\s+out|get|take|fetch)\s+((?:the|its|his|her|their)\s+[^.;,]+?)(?:,?\s+and|[.,;])\s+(?:then\s+)?(save|store|keep|remember|note|record)\s+(?:it|this|that)\s+(?=(?:as|under|in|into|like)\s)/gi,
    '$2 $1 ',
  ],
  // What it is for. “Sort so that the newest is on top” says how.
  [
    /,?\s+so\s+that\s+(?:it|we|i|they|he|she|you|nobody|everybody|everyone|people)\s+(?![^.;,]*\b(?:first|top|last|order|begins?|starts?|ascending|descending)\b)[^.;,\uE000-\uEFFF]*(?=\s*(?:$|[.;,]))/gi,
    '',
  ],
  // What is hoped, what is not to be done, and what is to be seen by a gesture, ask for nothing more.
  [/,?\s+(?:and\s+)?(?:let['’]?s|i|we)\s+(?:just\s+)?hope\b[^.;\uE000-\uEFFF]*(?=$|[.;])/gi, ''],
  [
    /,?\s+without\s+(?:filling|choosing|selecting|picking|giving|entering|typing|writing|ticking|changing|setting|touching|committing|saving|creating|storing|applying|to\s+(?:save|send|submit|confirm|change)|sending|submitting|publishing|confirming|booking|ordering)\b(?:\s+(?!(?:and|then|but)\b)[\w'’-]+){0,5}(?=\s*(?:$|[.,;?!])|\s+(?:and|then|but)\b)/gi,
    '',
  ],
  [
    /(?<=(?:^|[.;,]\s+|\b(?:and|then)\s+)(?:click|press|tap|hit|hover|tick|untick|check|uncheck|expand|collapse|lock|unlock|type|enter)\s[^.;]*?),?\s+so\s+(?:that\s+)?(?=(?:it|its|we|i|they|he|she|you|nobody|everybody|everyone|people|the|that|this|[a-z]+-[a-z]+)\s)[^.;,]*/gi,
    '',
  ],
  [
    /(?:,?\s+(?:but|and)|[;.,])\s+(?:please\s+)?(?:do\s+not|don['’]?t|never)\s+(?:really\s+)?(?:send|save|submit|post|publish|confirm|book|delete|pay|press|click)\b[^.,;]*?(?=$|[.,;]|\s+(?:and|then)\b)/gi,
    '',
  ],
  [
    /,\s+(?:i|we)\s+(?:just\s+)?(?:want(?:ed)?|would\s+like)\s+to\s+(?:look|read|have\s+a\s+look|check|see)\b[^.;,\uE000-\uEFFF]*(?=\s*(?:$|[.;,]))/gi,
    '',
  ],
  [
    /\b(?:should|must|ought\s+to|ha(?:s|ve)\s+to|needs?\s+to)\s+(?:be\s+(?:rendered|raised|printed|showing)|(?:show|come|pop|turn)\s+up)(?=\s*(?:$|[.;,]))/gi,
    'should be shown',
  ],
  [
    /\b(?:ha(?:s|ve)|needs?)\s+to\s+(?:appear|be\s+(?:shown|visible|displayed|listed))(?=\s*(?:$|[.;,]))/gi,
    'should be shown',
  ],
  [/\bshould\s+not(?=\s*(?:$|[.;,]))/gi, 'should not be shown'],
  [
    /(?<=\b(?:agree|accept|confirm|decline|refuse))\s+(?:when|if|once)\s+(?:it|you|they|the\s+\w+)\s+(?:(?:are|get|is)\s+)?(?:asks?|asked|prompts?|prompted)\b[^.;,?]*/gi,
    '',
  ],
  [/^make\s+(?=(?:an?|some|new)\s)/i, 'create '],
  [
    /\b(add|create|insert|make|need)\s+(?:one\s+more|another(?:\s+one)?|an?\s+(?:additional|extra|further))\s+(?=\S)/gi,
    '$1 ',
  ],
  [
    /,\s+(?:and\s+)?not\s+(?!(?:yet|now|today|really|sure|only)\b)(?:in\s+|on\s+|for\s+)?(?:the|that|his|her|its)\s+[^.;,]{1,40}(?=\s*(?:$|[.;,]))/gi,
    '',
  ],
  // “(not the other)” is met by the one that is named.
  [/\s*\((?:and\s+|but\s+)?(?:no|not|do\s+not|don['’]?t|without)\s+[^()]*\)/gi, ''],
  [/<\/?([a-z]+(?:-[a-z]+)*)>/gi, '$1'],
  // A control by the attribute that names it: “the input whose placeholder is "Street"”.
  [
    new RegExp(
      `\\b(?:icon\\s+|text\\s+|search\\s+|dialog\\s+)?(input|field|textbox|box|textarea|dropdown|select|button|link|icon|checkbox|switch|tab|element)\\s+(?:whose|with|that\\s+has|having)\\s+(?:the\\s+|an?\\s+)?(?:placeholder|label|aria-label|accessible\\s+name|title|id|name|data-testid)(?:\\s+(?:is|reads|says|of|text))*\\s*[=:]?\\s*(${QUOTE})`,
      'gi',
    ),
    '$2 $1',
  ],
  // “sort the table after the amount, the highest must be first”
  [/\b(sort|order)(\s+(?:the\s+)?\p{L}+)?\s+after\s+(?=(?:the\s+)?\p{L})/giu, '$1$2 by '],
  [
    /(\b(?:sort|order)\b[^.;]*?),?\s+(?:and\s+|with\s+)?(?:the\s+)?(\p{L}+est)\s+(?:ones?\s+)?(?:(?:must|should|has\s+to|have\s+to)\s+(?:be|come|stand)|comes?|goes|being)\s+(?:first|on\s+top|at\s+the\s+top)/giu,
    '$1, $2 first',
  ],
  // “the item containing "Van 2"”
  [
    new RegExp(
      `\\b(?:in|inside|within|of|from|on)\\s+the\\s+(?:list\\s*)?(?:item|row|card|entry|line|li|tr|article|element)\\s+(?:(?:that|which)\\s+(?:contains|has|says|reads)|containing|having)(?:\\s+the)?(?:\\s+(?:text|words?|name))?\\s+(?=${QUOTE})`,
      'gi',
    ),
    'in ',
  ],
  [new RegExp(`\\b(?<!with\\s|whose\\s)placeholder\\s+(${QUOTE})`, 'gi'), '$1 field'],
  [/\b(?:table|data)\s+(rows?)\b/gi, '$1'],
  // Not in an address.
  [/(?<![\w/.=&?-])(?:multi-?select|multiple select)(?![\w/.=&#-])/gi, 'list'],
  // “Tap the … of Ann”: the menu of that name, and no end of a sentence.
  [
    /(?<=\b(?:tap|click|press|open|hit|on|the)\s+)["“]?(?:…|\.{3}|⋯)["”]?(?:\s+(?:menu|button))?(?=\s+(?:of|next|at|for|in|on|from|beside|by)\b|\s*,|\s+(?:and|then)\b)/gi,
    'dots',
  ],
  [
    /\b(?:menu|button|icon)\s+with\s+(?:the\s+)?(?:three|3)\s+(?:dots|points)\b|\b(?:three|3)\s+points\s+menu\b/gi,
    'dots',
  ],
  [
    /\b(?:three[-\s]dots?|dots?|kebab)(?:\s+(?:menu|options|button|icon))\b|(?<![\w/.=&?-])three[-\s]dots?(?![\w/.=&#-])/gi,
    'dots',
  ],
  [/\bafter\s+(?=(?:clear|click|press|tap|open|close|select|choose|save|go|type|delete)\b)/gi, 'then '],
  [/\b(?:press|click|tap)\s+and\s+hold\b/gi, 'long-press'],
  // Holding is a part of dragging.
  [
    /\b(?:long[- ]press|hold|grab|pick\s+up|take)\s+([^.;,]+?),?\s+(?:and|then)\s+(?:drag|drop|move|pull)\s+(?:it|them|him|her)\s+(?:back\s+)?(?=(?:to|into|onto|on|over|in|under|above|below|before|after|behind)\b)/gi,
    'drag $1 ',
  ],
  [/(\s(?:on|off)),\s+(?=[^,.;]+\s(?:on|off)(?=\s*(?:$|[,.;])))/gi, '$1. '],
  [/\bdrag\s+and\s+drop\b/gi, 'drag'],
  // “the first two checkboxes”: of what stays where it is. With a deletion the second is another one.
  [
    /\b(tick|untick|check|uncheck|select)\s+(?:the\s+)?first\s+(two|2|three|3)\s+((?:[a-z]+\s+){0,2}[a-z]+?)(es(?<=xes)|s)\b/gi,
    (_whole: string, verb: string, count: string, things: string) =>
      ['first', 'second', 'third']
        .slice(0, /^(?:two|2)$/i.test(count) ? 2 : 3)
        .map((ordinal) => `${verb} the ${ordinal} ${things}`)
        .join(', '),
  ],
  [
    /^from\s+(\d{1,2}[:.]\d{2}|\d{4}-\d{2}-\d{2})\s+(?:to|until|till)\s+(\d{1,2}[:.]\d{2}|\d{4}-\d{2}-\d{2})(?=\s*(?:$|[,;]))/i,
    'set start to $1, set end to $2',
  ],
  [new RegExp(`,?\\s+(?:in order\\s+)?to\\s+find\\s+and\\s+(?=(?:${CLICKING})\\b)`, 'gi'), ' and then '],
  [new RegExp(`\\b(?:find|locate|look for|search for)\\s+and\\s+(?=(?:${CLICKING})\\b)`, 'gi'), `${LOOK_AROUND} and `],
  [
    new RegExp(
      `\\b(log ?in|sign ?in)\\s+(?:with|using)\\s+(?:the\\s+|your\\s+|my\\s+)?((?:[\\w-]+\\s+){1,3}${QUOTE})(?:\\s*(?:,|,?\\s+and|&)\\s+(?:the\\s+|your\\s+|my\\s+)?((?:[\\w-]+\\s+){1,3}${QUOTE}))`,
      'gi',
    ),
    'enter the $2, enter the $3, then $1',
  ],
];

/** A sentence in plainer words. */
export function paraphraseSentences(text: string): string {
  return IN_SENTENCES.reduce(inPlainerWords, text);
}
