import { QUOTE } from './protected-text';
import { inPlainerWords, type Wording } from './wording';

const TYPING = 'enter|type|write|input|put|insert|fill in';

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
  // “Enter result is disabled for S-2024”: of that entry.
  [
    /^((?:verify|check|expect|assert|ensure|make\s+sure)\s+that\s+)(\S.*?)\s+((?:is|are)\s+(?:not\s+)?(?:disabled|enabled|checked|unchecked|ticked|unticked|greyed\s+out))\s+(?:for|of|at|in\s+the\s+row\s+of)\s+(?=\S)([^,]+)$/i,
    '$1$2 of $4 $3',
  ],
  // “then four props remain visible”
  [
    /^(?:(?:expect|verify|check)\s+that\s+)?(?:only\s+|all\s+)?(\d+|one|two|three|four|five|six|seven|eight|nine|ten)\s+(\p{Ll}+)\s+(?:(?:remain|stay|are\s+left)(?:\s+(?:visible|shown|listed))?|are\s+(?:shown|listed|visible)\s+again)$/iu,
    'expect that $1 $2 are listed',
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
  [/^(?:filter|search)\s+(\S.*?)\s+(?:after|by|for)\s+(?:the\s+)?(?:words?|text|term)\s+(?=\S)/i, 'search $1 for '],
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

/** A clause in plainer words. */
export function paraphrase(clause: string): string {
  return OF_CLAUSES.reduce(inPlainerWords, clause);
}
