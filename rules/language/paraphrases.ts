import { QUOTE } from './protected-text';
import { LOOK_AROUND } from './verbs/named';

const TYPING = 'enter|type|write|input|put|insert|fill in';
const CLICKING = 'click|press|tap|hit|push|choose|select|pick|check|tick|open';

type Wording = readonly [RegExp, string | ((...match: string[]) => string)];

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
  // “delete it, yes”
  [
    /(?:,|,?\s+and)\s+(yes|yep)(?:,?\s+(?:i['’]m|i\s+am|we\s+are|we['’]re)\s+(?:really\s+|quite\s+)?sure(?:\s+(?:about|of)\s+(?:it|that|this))?)?(?=\s*[.!]*\s*$|,\s+(?:please\s+)?confirm\b)/gi,
    '. $1',
  ],
  // “Read the total and save it as sum” saves the total.
  [
    /\b(?:read|look\s+up|find\s+out|get|take|fetch)\s+((?:the|its|his|her|their)\s+[^.;,]+?)(?:,?\s+and|[.,;])\s+(?:then\s+)?(save|store|keep|remember|note|record)\s+(?:it|this|that)\s+(?=(?:as|under|in|into|like)\s)/gi,
    '$2 $1 ',
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
    /\b(?:three[-\s]dots?|dots?)(?:\s+(?:menu|options|button|icon))\b|(?<![\w/.=&?-])three[-\s]dots?(?![\w/.=&#-])/gi,
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

/** Wordings of a clause. */
const OF_CLAUSES: readonly Wording[] = [
  [
    /^(?:close|dismiss|leave|cancel|hide)\s+(?:it|that|this|the\s+\w+)\s+(?:with|by|using)\s+(?:the\s+|pressing\s+)*(?:esc|escape)(?:\s+key)?$/i,
    'press Escape',
  ],
  // “take away the tick from X”
  [
    /^(?:take|remove)\s+(?:(?:away|off|out)\s+)?(?:the\s+)?(?:tick|check\s?mark|check)\s+(?:(?:away|off|out)\s+)?(?:from|of|at|in|on|by)\s+(?=\S)/i,
    'untick ',
  ],
  [/^(?:confirm that you (?:really )?mean it|say yes|answer (?:with )?yes)$/i, 'confirm'],
  [new RegExp(`^(?:use|using)\\s+(.+?)\\s+to\\s+((?:${TYPING})\\s+(?:${QUOTE}|\\S+))$`, 'i'), '$2 into $1'],
  [/^(?:use|using)\s+(.+?)\s+to\s+((?:select|choose|pick|set)\s+.+)$/i, '$2 with $1'],
  // What is done that way has no content of its own, so nothing is lost.
  [
    new RegExp(
      `^(close|dismiss|leave|exit)\\s+(?:the\\s+)?([a-z -]{1,30}?)\\s+by\\s+(?:clicking|pressing|tapping|hitting)(?:\\s+on)?\\s+(?=.*(?:${QUOTE}|button|icon|link))`,
      'i',
    ),
    'in the $2, click ',
  ],
  [
    /^(?:close|dismiss|leave|exit|open|submit|confirm|save|finish|continue|proceed|cancel)(?:\s+[a-z]+){0,4}\s+by\s+(?:clicking|tapping|choosing)(?:\s+on)?\s+/i,
    'click ',
  ],
  [
    /^(?:close|dismiss|leave|exit|open|submit|confirm|save|finish|continue|proceed|cancel)(?:\s+[a-z]+){0,4}\s+by\s+(?:pressing|hitting)\s+/i,
    'press ',
  ],
  [/^(?:submit|confirm|continue|proceed|finish)(?:\s+[a-z]+){0,4}\s+by\s+(?:typing|entering|writing)\s+/i, 'type '],
  // By which control it is done: what it is for says where that is.
  [
    new RegExp(
      `^(?:open|show|see|view)\\s+(.+?)(?:\\s+(?:modal|dialog|popup|window|page|menu))?\\s+(?:with|by|via|using|through)\\s+(?:its|the|their)\\s+((?:${QUOTE}|[\\w-]+(?:\\s[\\w-]+)?)\\s+(?:button|link|icon))$`,
      'i',
    ),
    'click the $2 for $1',
  ],
  [
    new RegExp(
      `^[a-z]+\\s+(.+?)\\s+(?:with|by|via|using|through)\\s+(?:its|their)\\s+((?:${QUOTE}|[\\w-]+(?:\\s[\\w-]+)?)\\s+(?:button|link|icon))$`,
      'i',
    ),
    'click the $2 in $1',
  ],
  // Verbs of several words.
  [/^(?:take|strike|cross)\s+(.+?)\s+(?:off|out\s+of|from)\s+((?:the|my|our|your)\s+\S.*)$/i, 'remove $1 from $2'],
  [/^(?:kick|throw)\s+(.+?)\s+(?:out|away)$/i, 'delete $1'],
  [/^get\s+rid\s+of\s+/i, 'remove '],
  [/^take\s+back\s+(?:my|the|our)\s+(like|vote|follow|star|favourite|favorite)\s+(?:on|of|from|for)\s+/i, 'un$1 '],
  [/^(?:navigate|head)\s+(?:over\s+)?to\s+/i, 'go to '],
  [/^come\s+back$/i, 'go back'],
  [/^go\s+in\s+(?=the\s+next\b)/i, 'go to '],
  [/^stop\s+(follow|block|watch)ing\s+/i, 'un$1 '],
  [/^([a-z]+)\s+(?:once|one\s+time)\s+(?=\S)/i, '$1 '],
  [/^(?:click|tap)\s+(?:in|into|inside)\s+/i, 'focus '],
  [/^(?:do not|don['’]t|never)\s+(?:check|tick|select)\s+/i, 'uncheck '],
  [/^leave\s+(.+?)\s+(?:unchecked|unticked|unselected|off)$/i, 'uncheck $1'],
  [
    /^mark\s+(.+?)\s+as\s+(?:not\s+(?:done|complete|completed|finished|checked)|undone|incomplete|open)$/i,
    'uncheck $1',
  ],
  [/^mark\s+(.+?)\s+as\s+(?:done|complete|completed|finished|checked)$/i, 'tick $1'],
  [/^(?:agree|consent)\s+(?:to|with)\s+(?=.*\b(?:terms|conditions|policy|privacy)\b)/i, 'check '],
  [/^accept\s+(?=.*\b(?:terms|conditions|policy|privacy)\b)/i, 'check '],
  [/^(?:delete|remove)\s+(?:all\s+)?(?:the\s+)?(?:text|content|contents|value)\s+(?:of|in|from)\s+/i, 'clear '],
  [/^empty\s+(?=.*\b(?:field|box|input|textbox|textarea)$)/i, 'clear '],
  [
    new RegExp(
      `^(confirm|repeat|retype|re-enter)\\s+(?:the\\s+|your\\s+|my\\s+)?(.+?)\\s+(?:with|as)\\s+(${QUOTE}|\\S+)$`,
      'i',
    ),
    'type $3 into confirm $2',
  ],
  [
    /^replace\s+(?:the\s+)?(?:(?:whole\s+)?(?:text|contents?|value|code)\s+(?:of|in|inside)\s+)?(.+?)\s+(?:with|by)\s+(.+)$/i,
    'set $1 to $2',
  ],
  [/^(?:drag|move|slide|push)\s+(?:the\s+)?(.*\bslider|.*\bhandle)\s+to\s+(-?[\d.]+%?)$/i, 'set $1 to $2'],
  [/^(?:increase|decrease|raise|lower|reduce|adjust)\s+(.+?)\s+to\s+(.+)$/i, 'set $1 to $2'],
  [/^switch\s+(?:over\s+)?to\s+(?!.*\b(?:tab|window|page|frame)\b)/i, 'choose '],
  [/^switch\s+(?!(?:back\s+|over\s+)?to\b)(.+?)\s+to\s+(.+)$/i, 'set $1 to $2'],
  [/^set\s+(?!.*\sto\s)(.+?)\s+(?:for|at)\s+(.+)$/i, 'set $1 to $2'],
  [/^set\s+the\s+value\s+of\s+(.+?)\s+to\s+(.+)$/i, 'set $1 to $2'],
  [/^(?:toggle|flip)\s+(?!.*\s(?:on|off)$)/i, 'click '],
  [/^(?:flick|slide|flip|toggle)\s+(?:the\s+)?(.+?)(?:\s+(?:switch|toggle))?\s+(?:to\s+)?(on|off)$/i, 'turn $2 the $1'],
  [/^fold\s+(?:up|in)\s+/i, 'collapse '],
  [/^(?:click|press|tap|hit)\s+(?:on\s+)?(?:the\s+)?keys?\s+/i, 'press the key '],
  [
    new RegExp(
      `^(?!(?:${TYPING}|set|fill|expect|see|click)\\b)((?:[\\w'’-]+\\s+){0,3}[\\w'’-]+)\\s*:\\s*(${QUOTE})$`,
      'i',
    ),
    'enter $1: $2',
  ],
  [/^((?:drag|move)\s.+?)\s+over\s+to\s+/i, '$1 to '],
  [/^clear\s+everything\s+(?:that\s+is|that['’]?s|which\s+is)\s+/i, 'clear '],
  [/^(tick|untick|uncheck)\s+that\s+(?:it\s+is|it['’]s|they\s+are|there\s+is)\s+/i, '$1 '],
  [/^(remember|save|store|note)\s+(?:me\s+)?(.+?)\s+like\s+([a-z_]\w*)$/i, '$1 $2 as $3'],
  [/^search\s+after\s+/i, 'search for '],
  [/^(sort|order)\s+(\S.*?)\s+after\s+/i, '$1 $2 by '],
  [/^(?:make|put|bring)\s+(?:an?\s+)?order\s+(?:of|in|into)\s+(\S.*?)\s+(?:after|by)\s+/i, 'sort $1 by '],
  [
    /^(?:take\s+away|put\s+off|remove|switch\s+off|turn\s+off)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?filters?(?:\s+(?:which|that|what)\s+(?:are|is)\s+\p{Ll}+)?$/iu,
    'clear filters',
  ],
  [/^(give|send|assign|lend)\s+to\s+(?=\p{Lu})(\S.*?)\s+the\s+(\S.*)$/u, '$1 $2 the $3'],
  [
    /^make\s+(?!(?:the\s+|an?\s+|this\s+|that\s+)?(?:payment|booking|reservation|order|transfer|appointment|request|call)\b)(?:the\s+)?(\S.*?)\s+(?:to\s+)?(\d+(?:[.,]\d+)?)$/i,
    'set $1 to $2',
  ],
  [
    /^(save|remember|store|keep|note)\s+(\S.*?)\s+(?:of|for|from)\s+(?:this|the\s+(?:open|opened|current|selected))\s+\p{Ll}+(?=\s+(?:as|under)\s)/iu,
    '$1 $2',
  ],
  [/^check\s+((?!that\b|whether\b|if\b)(?:the\s+)?[\w' -]{2,40}?)\s+(reads|shows|says)\s+(?=\S)/i, 'check that $1 $2 '],
  [/^((?:save|remember|store|note|keep)\s+.+?)\s+(?:which|that)\s+has\s+the\s+/i, '$1 of '],
  [/^(?:say|answer)\s+(?:with\s+)?(?:cancel|no)$/i, 'cancel the dialog'],
  [/^only\s+show\s+|^show\s+(?=(?!only\b)(?:\S+\s+){1,4}only$)/i, 'show only '],
  [/^(show\s+only\s.+)\s+only$/i, '$1'],
  [
    /^(tick|untick|check|uncheck|click|press)\s+(?:the\s+)?(first|second|third|last|\d+(?:st|nd|rd|th))\s+row\s+(checkbox|button|link)$/i,
    '$1 the $3 in the $2 row',
  ],
  [/^look\s+up\s+/i, 'search for '],
  [/^search\s+(?:in\s+)?([\p{L}' -]{2,30}):\s+(?=\S)(.+)$/iu, 'search $1 for $2'],
];

/** A sentence in plainer words. */
export function paraphraseSentences(text: string): string {
  return IN_SENTENCES.reduce(inPlainerWords, text);
}

/** A clause in plainer words. */
export function paraphrase(clause: string): string {
  return OF_CLAUSES.reduce(inPlainerWords, clause);
}

const inPlainerWords = (plain: string, [wording, meaning]: Wording): string =>
  typeof meaning === 'string' ? plain.replace(wording, meaning) : plain.replace(wording, meaning);
