import type { ObservedRequest } from '../../contracts/commands/evidence';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { walkNodes, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { judgeOpening } from './addresses';
import { judgeForm } from './forms';
import { deed, HARMLESS, pressedLabel, unknown, worstOf, type Judgement, type PressedPlace } from './judgement';
import { judgeKey, judgeTyped } from './keys';
import { deedsNamed, whyNamed } from './names/name-deed';
import { judgePress, judgeScripts, type PressFacts } from './presses';
import { effectOfScript } from './scripts/read-only-script';

/** What a command is judged on: the page, and its elements in it. */
export interface JudgedPage extends PressFacts {
  snapshot: PageSnapshot;
  /** The element of the command, and the one of `toSelector`. */
  place?: PressedPlace | undefined;
  toPlace?: PressedPlace | undefined;
  /** The request whose answer the page is, where sending it again may change something. */
  requestOfPage?: ObservedRequest | undefined;
}

type JudgedCommand = Pick<PlannedCommand, 'action' | 'parameters'>;

/**
 * Says whether a command deletes, pays, orders or sends something: by what the control does that it reaches, by the
 * pointer or by keys, and by what that is called.
 */
export function judgeCommand(page: JudgedPage, { action, parameters }: JudgedCommand): Judgement {
  const { place, toPlace, snapshot, requestOfPage } = page;
  const pressed = (): Judgement => (place === undefined ? HARMLESS : judgePress(place, page));
  const places = (): PressedPlace[] => [...walkNodes(snapshot.nodes)];
  const focused = (): PressedPlace | undefined => places().findLast(({ node }) => node.active === true);
  switch (action) {
    case 'CLICK_ELEMENT':
    case 'DOUBLE_CLICK':
    case 'RIGHT_CLICK':
    case 'PRESS_AND_HOLD':
    case 'DOWNLOAD_FILE':
      return pressed();
    case 'CLICK_POINT':
      return judgePoint(page, places());
    case 'DRAG':
      return worstOf([judgePoint(page, places()), ...places().map((each) => judgeDrop(each))]);
    case 'DRAG_ELEMENT':
      return worstOf([
        pressed(),
        toPlace === undefined ? anyBin(places()) : worstOf([judgeDrop(toPlace), judgeDropName(toPlace, page)]),
      ]);
    case 'PRESS_KEY':
      return judgeKey(parameters.key ?? '', place ?? focused(), page, places());
    case 'TYPE_TEXT':
      return judgeTyped(parameters.text ?? '', focused(), page, places());
    case 'INPUT_TEXT':
      return place === undefined ? HARMLESS : judgeChange(place, page, '');
    case 'SELECT_OPTION': {
      const chosen = parameters.options ?? [parameters.option ?? ''];
      return place === undefined ? HARMLESS : worstOf(chosen.map((option) => judgeChange(place, page, option)));
    }
    case 'SET_CHECKED':
      return place === undefined ? HARMLESS : judgeTick(place, page);
    case 'CHOOSE_MENU_ITEM':
      return worstOf([pressed(), ...(parameters.path ?? []).map((name) => judgeItem(name, page, places()))]);
    case 'OPEN_PAGE':
    case 'OPEN_TAB':
      return judgeOpening(parameters.url ?? '', true);
    case 'RUN_SCRIPT': {
      const effect = effectOfScript(parameters.script ?? '');
      return effect === undefined ? HARMLESS : deed(`It may do more than read: ${effect}.`);
    }
    case 'HANDLE_DIALOG':
      return parameters.accept === true ? deed('It says yes to whatever the page asks.') : HARMLESS;
    case 'RELOAD_PAGE':
      return requestOfPage === undefined
        ? HARMLESS
        : deed(
            `The page is the answer to ${requestOfPage.method} ${requestOfPage.url.slice(0, 200)}, which is sent again.`,
          );
    // They move between pages, bring a file that the caller has given, read, wait, or set up the browser.
    case 'GO_BACK':
    case 'GO_FORWARD':
    case 'SWITCH_TAB':
    case 'CLOSE_TAB':
    case 'LIST_TABS':
    case 'UPLOAD_FILE':
    case 'DROP_FILES':
    case 'HOVER':
    case 'FOCUS_ELEMENT':
    case 'SCROLL':
    case 'SCROLL_UNTIL':
    case 'EXPECT':
    case 'EXTRACT':
    case 'FIND_ELEMENTS':
    case 'GET_DOM':
    case 'READ_PAGE':
    case 'READ_TEXT':
    case 'SAVE_VARIABLE':
    case 'SAVE_PDF':
    case 'TAKE_SCREENSHOT':
    case 'WAIT_FOR':
    case 'SET_GEOLOCATION':
    case 'SET_HTTP_CREDENTIALS':
    case 'SET_PERMISSIONS':
    case 'SET_VIEWPORT':
      return HARMLESS;
  }
}

/** A point may hit any control of the page, and what is drawn on a canvas. */
function judgePoint(page: JudgedPage, places: readonly PressedPlace[]): Judgement {
  const { hasCanvas } = page.snapshot;
  if (hasCanvas === true) return unknown('The page has a canvas, and nothing says what is drawn at the point.');
  for (const place of places) {
    const { role, cursor } = place.node;
    if (!/^(?:button|link|menuitem)$/.test(role) && cursor !== 'pointer') continue;
    const judged = judgePress(place, page);
    if (judged.kind === 'deed')
      return deed(`The point may hit the ${role} “${pressedLabel(place.node)}”. ${judged.why}`);
  }
  return HARMLESS;
}

function judgeDropName(place: PressedPlace, page: JudgedPage): Judgement {
  const named = whyNamed(pressedLabel(place.node), []);
  return named === undefined ? judgePress(place, page) : deed(`What is dropped onto it: ${named}`);
}

/** What dropping something onto an element does. */
function judgeDrop({ node, ancestors }: PressedPlace): Judgement {
  const target = [node, ...ancestors.toReversed()].find(
    ({ acts, states = [] }) => acts?.handles?.includes('drop') === true || states.includes('drop area'),
  );
  if (target === undefined) return HARMLESS;
  const named = whyNamed(pressedLabel(target) || (target === node ? '' : pressedLabel(node)), []);
  if (named !== undefined) return deed(`What is dropped there is taken: ${named}`);
  return judgeScripts(target.acts?.scripts ?? [], pressedLabel(target));
}

/** Moving something by pixels may end on any bin of the page. */
function anyBin(places: readonly PressedPlace[]): Judgement {
  const bin = places.find(({ node }) => deedsNamed(pressedLabel(node)).some(({ deed: named }) => named === 'bin'));
  return worstOf([
    ...places.map(judgeDrop),
    bin === undefined ? HARMLESS : unknown(`It may be dropped onto “${pressedLabel(bin.node)}”.`),
  ]);
}

/** What changing the value of a control does, beside the value: a handler of the change may send it. */
function judgeChange({ node }: PressedPlace, page: JudgedPage, option: string): Judgement {
  const { native, handles = [], scripts = [], form } = node.acts ?? {};
  const isNative = native !== undefined && native !== 'editable';
  const isHandled = handles.includes('change');
  const all = [...scripts, ...(form?.scripts ?? [])];
  // What a browser's own list has is only sent with its form.
  const isIdle = isNative && !isHandled;
  if (option !== '' && !isIdle) {
    const named = whyNamed(option);
    if (named !== undefined) return deed(`Choosing “${option}” may act at once. ${named}`);
  }
  if (!isHandled || all.length === 0) return HARMLESS;
  const sends =
    all.includes('sends') && form !== undefined ? judgeForm(form, page.pageUrl, pressedLabel(node)) : HARMLESS;
  return worstOf([
    sends,
    judgeScripts(
      all.filter((each) => form === undefined || each !== 'sends'),
      pressedLabel(node),
    ),
  ]);
}

/** Ticking a box of the browser sends nothing, unless a script waits for it; a switch acts at once. */
function judgeTick(place: PressedPlace, page: JudgedPage): Judgement {
  const { node } = place;
  const { native, handles = [] } = node.acts ?? {};
  const isIdle = (native === 'checkbox' || native === 'radio') && handles.length === 0;
  if (isIdle && node.role !== 'switch') return HARMLESS;
  // A box that is ticked says “I accept”, and is sent by its form.
  const named = whyNamed(pressedLabel(node), node.role === 'switch' ? ['bin'] : ['bin', 'confirm', 'send', 'sign']);
  return worstOf([named === undefined ? HARMLESS : deed(named), judgeChange(place, page, '')]);
}

/** An item of a menu, by its name and by what the page has of that name. */
function judgeItem(name: string, page: JudgedPage, places: readonly PressedPlace[]): Judgement {
  const named = whyNamed(name);
  if (named !== undefined) return deed(`“${name}” is on the way. ${named}`);
  const items = places.filter(
    ({ node }) => pressedLabel(node) === name && /^(?:menuitem|button|link|option)/.test(node.role),
  );
  return worstOf(items.map((item) => judgePress(item, page)));
}
