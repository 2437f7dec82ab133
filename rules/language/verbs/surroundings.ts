import { webOriginOf } from '../../../contracts/browsers/origins';
import type { SitePermission } from '../../../contracts/commands/definitions/environment';
import type { VerbGroup } from '../verb-group';
import { unquote } from '../protected-text';

const SET = '(?:set|change|resize|make|switch|turn|put)';
const VIEWPORT = new RegExp(
  `^${SET}\\s+(?:the\\s+)?(?:size\\s+of\\s+the\\s+)?(?:browser(?:['’]s)?\\s+)?(?:viewport|view|window|screen)(?:\\s+size)?\\s+(?:to\\s+|be\\s+)?(\\d{3,4})\\s*(?:px\\s*)?(?:x|×|by|\\*)\\s*(\\d{3,4})\\s*(?:px|pixels?)?(?:\\s+(?:wide|large|big))?$`,
  'i',
);
const NUMBER = '(-?\\d{1,3}(?:\\.\\d+)?)';
const GEOLOCATION = new RegExp(
  `^(?:set|change|put|move)\\s+(?:the\\s+|my\\s+)?(?:geo-?location|location|position|coordinates)\\s+(?:to|at)\\s+(?:the\\s+)?(?:coordinates\\s+)?(?:latitude\\s+)?${NUMBER}°?\\s*(?:,|and|\\s)\\s*(?:longitude\\s+)?${NUMBER}°?$`,
  'i',
);
const PERMISSIONS =
  /^(?:(?:grant|give|allow)\s+(?:the\s+(?:site|page)\s+)?(?:the\s+)?permissions?\s+(?:for|to\s+use|of)?\s*(.+)|(?:grant|give)\s+(?:the\s+(?:site|page)\s+)(?:access\s+to\s+)(.+)|(?:allow|let)\s+the\s+(?:site|page)\s+(?:to\s+)?use\s+(.+)|(?:grant|allow)\s+the\s+(.+?)\s+permissions?)$/i;
const NONE =
  /^(?:(?:take\s+away|revoke|deny|remove|withdraw)\s+(?:all|every|the)\s+permissions?(?:\s+(?:of|from)\s+the\s+(?:site|page))?)$/i;

/** "sign in by HTTP at https://intranet.example as "ada" with the secret ${intranet}" */
const CREDENTIALS =
  /^(?:sign|log)\s+in\s+(?:by|with|over|using)\s+http(?:\s+(?:basic\s+)?(?:authentication|auth))?\s+(?:at|to|on|for)\s+(\S+)\s+as\s+(.+?)\s+with\s+(?:the\s+)?(?:password|secret)\s+(.+)$/i;

const KINDS: readonly [RegExp, SitePermission][] = [
  [/^(?:geo-?location|location|position)$/, 'geolocation'],
  [/^notifications?$/, 'notifications'],
  [/^camera$/, 'camera'],
  [/^microphone$/, 'microphone'],
  [/^clipboard-read$/, 'clipboard-read'],
  [/^clipboard-write$/, 'clipboard-write'],
];

/** Parses the size of the view, the place that pages get, what their site may use, and signing in by HTTP. */
export const surroundings: VerbGroup = {
  starts: new RegExp(
    `^${SET}\\s.*\\b(?:viewport|view|window|screen)\\b.*\\d{3}|^(?:set|change|put|move)\\s.*\\b(?:geo-?location|location|position|coordinates)\\s+(?:to|at)\\s.*\\d|${PERMISSIONS.source}|${NONE.source}|${CREDENTIALS.source}`,
    'i',
  ),
  parse(text, spans) {
    const [, width, height] = VIEWPORT.exec(text) ?? [];
    if (width !== undefined) return { kind: 'viewport', width: Number(width), height: Number(height) };
    const [, latitude, longitude] = GEOLOCATION.exec(text) ?? [];
    if (latitude !== undefined)
      return { kind: 'geolocation', latitude: Number(latitude), longitude: Number(longitude) };
    const [, address, username = '', password = ''] = CREDENTIALS.exec(text) ?? [];
    if (address !== undefined) {
      const origin = webOriginOf(unquote(address, spans));
      return origin === undefined
        ? undefined
        : { kind: 'http-credentials', origin, username: unquote(username, spans), password: unquote(password, spans) };
    }
    if (NONE.test(text)) return { kind: 'permissions', permissions: [] };
    const named = PERMISSIONS.exec(text)
      ?.slice(1)
      .find((part) => part !== undefined);
    if (named === undefined) return undefined;
    const words = named.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).map((word) => unquote(word, spans));
    const kinds = words.flatMap((word) => permissionsIn(word));
    return kinds.length < words.length ? undefined : { kind: 'permissions', permissions: kinds };
  },
};

function permissionsIn(word: string): SitePermission[] {
  const plain = word
    .toLowerCase()
    .replace(/^(?:the|my|your)\s+/, '')
    .trim();
  if (plain === 'clipboard') return ['clipboard-read', 'clipboard-write'];
  return KINDS.flatMap(([form, kind]) => (form.test(plain) ? [kind] : []));
}
