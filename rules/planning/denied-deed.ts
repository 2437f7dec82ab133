import { walkNodes, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { wordsOf } from '../language/words';
import { plainText } from '../page-text/changes';
import { isNew } from './failure-messages';

const LONGEST = 300;
/** “was not delivered”, “could not yet be saved”, “nothing was sent”: the last word is what was not done. */
const NOT_DONE =
  /(?:\b(?:was|were|is|are|be|been|could|can|has|have|had)\s*(?:not|n['’]t)|\bcannot|\bnothing(?:\s+new)?)\s+(?:(?:yet|be|been|was|were|is|has)\s+){0,3}(\p{L}{3,})/giu;
const IRREGULAR: Record<string, string> = { send: 'sent', pay: 'paid', make: 'made', buy: 'bought', find: 'found' };
const NO_MESSAGE = /^(?:textbox|searchbox|combobox|option|button|link|row|heading)$/;

/** “saved”, “delivered”, “applied”, “submitted”, “shown” */
const participlesOf = (verb: string): string[] => [
  ...['ed', 'd', 'n', `${verb.at(-1)}ed`].map((ending) => verb + ending),
  verb.replace(/y$/, 'ied'),
  ...(Object.hasOwn(IRREGULAR, verb) ? [IRREGULAR[verb]!] : []),
];

/**
 * A text that has come with the commands and says that the very deed of the step was not done: “The job was not delivered”
 * after “Deliver the job”, whatever it looks like.
 */
export function deniedDeed(snapshot: PageSnapshot, deeds: readonly string[]): string | undefined {
  const verbs = deeds.flatMap((deed) => {
    const [first] = wordsOf(deed);
    return first === undefined ? [] : [first.stem, ...(first.verb ?? [])].filter((name) => /^\p{L}{3,}$/u.test(name));
  });
  const isOfDeed = (done: string): boolean => verbs.some((verb) => participlesOf(verb).includes(done));
  for (const { node, ancestors } of walkNodes(snapshot.nodes)) {
    const text = plainText(node).trim();
    if (text.length > LONGEST || !isNew(node, ancestors) || NO_MESSAGE.test(node.role)) continue;
    if ([...text.matchAll(NOT_DONE)].some(([, done]) => isOfDeed(done!.toLowerCase()))) return text;
  }
  return undefined;
}
