// cspell:disable
import { deedsNamed } from './names/name-deed';
import { deed, HARMLESS, type Judgement } from './judgement';

/** Verbs that act by being opened, as no page to read is called. */
const ACTING =
  /^(?:delete[sd]?|remove|destroy|erase|purge|wipe|cancel|unsubscribe|deactivate|terminate|revoke|approve|do-?pay|place-?order)$/;
/** They end a login: of an address that is opened, not of a link that says so. */
const LEAVING = /^(?:log-?o(?:ut|ff)|sign-?o(?:ut|ff))$/;
/** Those that act with what their query says; without it they are pages with a form. */
const ACTING_WITH_QUERY =
  /^(?:pay|send|transfer|withdraw|donate|confirm|publish|purchase|charge|refund|vote|accept|reset|execute)$/;
/** Parameters that name what is to be done. */
const COMMANDS = /^(?:action|act|do|op|operation|cmd|command|task|event|_?method)$/;
/** Words of addresses that requests of a deed are sent to. */
const TARGETS =
  /^(?:orders?|payments?|pay|checkouts?|purchases?|buy|charges?|billing|donat(?:e|ions?)|transfers?|wires?|withdraw(?:als?)?|payouts?|refunds?|delet(?:e|ion)|remove|destroy|erase|purge|cancel(?:l?ations?)?|terminate|deactivate|close-?account|unsubscribe|subscri(?:be|ptions?)|newsletters?|send|submit|publish|confirm(?:ations?)?|approv(?:e|als?)|bids?|messages?|mails?|emails?|comments?|tweets?|invites?|invitations?|applications?|sign(?:atures?)?|votes?)$/;

function wordsOf(text: string): string[] {
  return decoded(text)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}-]+/u)
    .flatMap((word) => [word, ...word.split('-')])
    .filter((word) => word !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A segment that is nothing but a word for deleting or cancelling in any language. */
function isForeignVerb(segment: string): boolean {
  const text = decoded(segment);
  return deedsNamed(text).some(
    ({ deed: named, word, locale }) =>
      locale !== 'en' && word.length >= text.length && word.length > 3 && (named === 'delete' || named === 'cancel'),
  );
}

/** What opening an address does, as a link does and a form that sends by GET; `isTyped`: without either. */
export function judgeOpening(address: string, isTyped = false): Judgement {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return HARMLESS;
  const where = `${url.origin}${url.pathname}${url.search}`.slice(0, 200);
  const segments = url.pathname.split('/').filter((each) => each !== '');
  const query = [...url.searchParams];
  const routed = url.hash.startsWith('#/') ? url.hash.slice(2).split('/') : [];
  const acting = [...segments, ...routed].find((segment) => {
    const word = decoded(segment)
      .toLowerCase()
      .replace(/\.\w{2,4}$/, '')
      .replaceAll(/[_.]/g, '-');
    return (
      (isTyped && isVerb(word, LEAVING)) ||
      isVerb(word, ACTING) ||
      (query.length > 0 && isVerb(word, ACTING_WITH_QUERY)) ||
      isForeignVerb(segment)
    );
  });
  if (acting !== undefined) return deed(`Opening ${where} may act by itself: its address says “${decoded(acting)}”.`);
  const command = query.find(
    ([name, value]) =>
      (COMMANDS.test(name.toLowerCase()) && wordsOf(value).some((word) => ACTING.test(word) || TARGETS.test(word))) ||
      ACTING.test(name.toLowerCase()),
  );
  return command === undefined
    ? HARMLESS
    : deed(`Opening ${where} may act by itself: its address says “${command.join('=')}”.`);
}

function isVerb(word: string, verbs: RegExp): boolean {
  return verbs.test(word) || verbs.test(word.split('-')[0]!);
}

/** The word of an address that says what is done there with what is sent; undefined where none does. */
export function deedInAddress(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null) return undefined;
  const words = [...wordsOf(url.pathname), ...[...url.searchParams].flatMap((pair) => pair.flatMap(wordsOf))];
  const foreign = url.pathname.split('/').find((segment) => segment !== '' && isForeignVerb(segment));
  return words.find((word) => TARGETS.test(word) || ACTING.test(word)) ?? (foreign && decoded(foreign));
}
