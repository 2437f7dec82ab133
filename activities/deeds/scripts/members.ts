import { arrayOf, NUMBER, TEXT, TRUTH, UNKNOWN, type Kind, type ValueType } from './value-types';

type Members = Record<string, ValueType>;

function named(type: ValueType, names: string): [string, ValueType][] {
  return names.split(' ').map((name) => [name, type]);
}

const ELEMENT: ValueType = { is: 'element' };
const ELEMENTS: ValueType = { is: 'elements' };
const LENGTH: Members = { length: NUMBER };
const ADDRESS_PARTS = 'href origin protocol host hostname port pathname search hash';

/** What every node and element of a page says of itself, without being changed by it. The value of a field is not here. */
const ELEMENT_MEMBERS: Members = Object.fromEntries([
  ...named(
    TEXT,
    `textContent innerText innerHTML outerHTML nodeName nodeValue tagName localName id className title lang dir role slot name type placeholder label alt src currentSrc srcset ${ADDRESS_PARTS} rel target download action method enctype min max step pattern autocomplete content media dateTime cite accept ariaLabel ariaCurrent ariaExpanded ariaChecked ariaSelected ariaPressed ariaDisabled baseURI validationMessage`,
  ),
  ...named(
    NUMBER,
    'nodeType childElementCount clientWidth clientHeight clientTop clientLeft offsetWidth offsetHeight offsetTop offsetLeft scrollWidth scrollHeight scrollTop scrollLeft naturalWidth naturalHeight width height rowIndex sectionRowIndex cellIndex colSpan rowSpan selectedIndex tabIndex maxLength minLength size duration currentTime length',
  ),
  ...named(
    TRUTH,
    'checked selected disabled hidden required readOnly multiple open isConnected isContentEditable draggable indeterminate complete paused ended muted defaultChecked defaultSelected inert',
  ),
  ...named(
    ELEMENT,
    'parentElement parentNode firstElementChild lastElementChild nextElementSibling previousElementSibling firstChild lastChild nextSibling previousSibling offsetParent form control caption tHead tFoot shadowRoot assignedSlot',
  ),
  ...named(ELEMENTS, 'children childNodes rows cells tBodies options selectedOptions labels elements'),
  ['ownerDocument', { is: 'document' }],
  ['contentDocument', { is: 'document' }],
  ['classList', { is: 'tokens' }],
  ['attributes', { is: 'attributes' }],
  ['dataset', { is: 'texts' }],
  ['style', { is: 'style' }],
]);

/** The members that a script may read of each kind of value; what is not here is not known to be without effect. */
const MEMBERS: Partial<Record<Kind, Members>> = {
  element: ELEMENT_MEMBERS,
  elements: LENGTH,
  array: LENGTH,
  string: LENGTH,
  attributes: LENGTH,
  tokens: { length: NUMBER, value: TEXT },
  attribute: Object.fromEntries(named(TEXT, 'name localName value')),
  rectangle: Object.fromEntries(named(NUMBER, 'x y width height top right bottom left')),
  location: Object.fromEntries(named(TEXT, ADDRESS_PARTS)),
  navigator: Object.fromEntries([...named(TEXT, 'userAgent language platform'), ...named(TRUTH, 'onLine')]),
  document: Object.fromEntries([
    ...named(
      TEXT,
      'title URL documentURI baseURI readyState contentType characterSet referrer visibilityState lang dir',
    ),
    ...named(TRUTH, 'hidden'),
    ...named(ELEMENT, 'body head documentElement activeElement scrollingElement fullscreenElement firstElementChild'),
    ...named(ELEMENTS, 'forms links images children'),
    ['location', { is: 'location' }],
  ]),
  window: Object.fromEntries([
    ...named(
      NUMBER,
      'innerWidth innerHeight outerWidth outerHeight scrollX scrollY pageXOffset pageYOffset devicePixelRatio',
    ),
    ['document', { is: 'document' }],
    ['location', { is: 'location' }],
    ['navigator', { is: 'navigator' }],
  ]),
};

/** The properties of a computed style. Their methods are no members. */
const STYLE = new Set(
  (
    'display visibility opacity color backgroundColor backgroundImage content position top right bottom left width height ' +
    'minWidth minHeight maxWidth maxHeight margin marginTop marginRight marginBottom marginLeft padding paddingTop ' +
    'paddingRight paddingBottom paddingLeft border borderColor borderWidth borderRadius outline boxShadow font fontSize ' +
    'fontWeight fontFamily fontStyle lineHeight letterSpacing textAlign textDecoration textTransform textOverflow ' +
    'whiteSpace overflow overflowX overflowY zIndex cursor pointerEvents userSelect float clear flex flexDirection ' +
    'flexWrap alignItems justifyContent gap gridTemplateColumns gridTemplateRows transform transition animation ' +
    'animationName clip clipPath filter objectFit verticalAlign listStyleType'
  ).split(' '),
);

/** What a member of a value is; undefined where reading it is not known to be without effect. */
export function memberOf(object: ValueType, name: string): ValueType | undefined {
  // Every object inherits these: functions that lead to all others.
  if (name in Object.prototype) return undefined;
  if (object.is === 'texts') return TEXT;
  if (object.is === 'object') return UNKNOWN;
  if (object.is === 'style') return STYLE.has(name) ? TEXT : undefined;
  const members = MEMBERS[object.is] ?? {};
  return Object.hasOwn(members, name) ? members[name] : valueMember(object, name);
}

/** Fields of these kinds hold no password; one that is not known to be one of them may. */
const OPEN_FIELD =
  /^(?:textarea|select|option|output|progress|meter|li|data|input\[type=["']?(?:text|search|number|range|email|tel|url|date|time|month|week|datetime-local|color|checkbox|radio|button|submit)["']?\])$/;

/** The value of a field, where its selector says that it is no password. */
function valueMember(object: ValueType, name: string): ValueType | undefined {
  if (object.is !== 'element' || (name !== 'value' && name !== 'valueAsNumber')) return undefined;
  return object.tag !== undefined && OPEN_FIELD.test(object.tag) ? TEXT : undefined;
}

/** The only element that a selector can match; undefined where it names more than one, or attributes of other kinds. */
export function tagIn(selector: unknown): string | undefined {
  if (typeof selector !== 'string') return undefined;
  const [, tag, type = ''] = /^\s*([a-z]+)((?:\[type=[^\]\s,]+\])?)(?:[#.][\w-]+)*\s*$/.exec(selector) ?? [];
  return tag === undefined ? undefined : tag + type;
}

/** They lead to everything that a page has, so only their members are values. */
export function isGlobalObject({ is }: ValueType): boolean {
  return ['document', 'window', 'location', 'navigator'].includes(is);
}

export const TEXT_LIST = arrayOf(TEXT);
