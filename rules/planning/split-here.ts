import type { DecisionRequest } from '../../contracts/model-port/port';
import type { Action } from '../language/intent';
import { parseInstruction } from '../language/parse-instruction';
import { ancestors, isField, itemsInside, type Item, type Page } from '../matching/page-index';
import { openedFrom } from '../matching/read-way';
import { byAllWords } from './by-all-words';
import { CHANGES, splitOn, type Split } from './pieces';
import { openedBy } from './progress';

/** The actions that an action is on this page, where it is none as a whole. */
export function splitHere(
  request: DecisionRequest,
  page: Page,
  action: Action,
  index: number,
  isLast: boolean,
): Split | undefined {
  const keys = openedBy(index, request.pastIterations).map(({ key }) => key);
  const used = [...(action.used ?? []), ...openedFrom(keys).used];
  const isDoable = (actions: readonly Action[]): boolean =>
    actions.every((piece, at) => {
      const own = { ...piece, used, ...(action.about !== undefined && { about: action.about }) };
      return byAllWords(request, page, own, -1, actions[at - 1] ?? action).kind === 'commands';
    });
  const pieces = splitOn(action, isDoable, isLast);
  if (pieces !== undefined && sendsForm(request, page, pieces, used, isDoable)) return undefined;
  const isChange = pieces !== undefined && CHANGES.test(pieces[0]!) && /^to\s/i.test(pieces[1] ?? '');
  if (isChange && !opensEditor(request, page, pieces[0]!, used)) return undefined;
  return pieces && isOfSeveral(request, page, pieces, used)
    ? { index, pieces: fieldsFirst(request, page, pieces, used), used }
    : undefined;
}

/** “add a rule with port 514”: the button that is there sends the form, and opens none for what is left. */
function sendsForm(
  request: DecisionRequest,
  page: Page,
  [first = '', ...rest]: readonly string[],
  used: string[],
  isDoable: (actions: readonly Action[]) => boolean,
): boolean {
  const [action] = actionsIn(first);
  if (action === undefined || rest.every((piece) => isDoable(actionsIn(piece)))) return false;
  const read = byAllWords(request, page, { ...action, used }, -1, undefined);
  const button = read.kind === 'commands' && read.opens === undefined ? read.target : undefined;
  if (button?.role !== 'button') return false;
  const form = [...ancestors(button)].find(
    (above) => itemsInside(page, above).filter((item) => isField(item) && !item.isHidden).length > 1,
  );
  // Of a whole page, or of a list, it is the button for something new.
  return form !== undefined && !/^(?:main|document)$/.test(form.role) && isSmallForm(page, form);
}

const MOST_IN_FORM = 25;
const isSmallForm = (page: Page, form: Item): boolean =>
  itemsInside(page, form).length <= MOST_IN_FORM &&
  itemsInside(page, form).every(({ role }) => !/^(?:table|row|listitem|tab)$/.test(role));

/** “change the phone to 5”: what is pressed for the first part of it only opens what the value is for. */
function opensEditor(request: DecisionRequest, page: Page, piece: string, used: string[]): boolean {
  const [action] = actionsIn(piece);
  const read = action && byAllWords(request, page, { ...action, used }, -1, undefined);
  const target = read?.kind === 'commands' ? read.target : undefined;
  return (
    target !== undefined && /^(?:button|link)$/.test(target.role) && !/^(?:update|save|apply)\b/i.test(target.label)
  );
}

/** "create a role with name X": the button that is there already is clicked when its form is filled in. */
function fieldsFirst(request: DecisionRequest, page: Page, pieces: string[], used: string[]): string[] {
  const [first = '', ...rest] = pieces;
  const commandsOf = (piece: string): string[] | undefined => {
    const reads = actionsIn(piece).map((action) => byAllWords(request, page, { ...action, used }, -1, undefined));
    return reads.every((read) => read.kind === 'commands')
      ? reads.flatMap((read) => (read.kind === 'commands' ? read.commands.map(({ action }) => action) : []))
      : undefined;
  };
  const isClick = commandsOf(first)?.every((action) => action === 'CLICK_ELEMENT') === true;
  const areFields = rest.every(
    (piece) => commandsOf(piece)?.every((action) => action === 'INPUT_TEXT' || action === 'SELECT_OPTION') === true,
  );
  return isClick && areFields && !/^(?:open|go|show|view|select|choose|pick|switch)\b/i.test(first)
    ? [...rest, first]
    : pieces;
}

/** Whether no piece is the click of another one. */
function isOfSeveral(request: DecisionRequest, page: Page, pieces: readonly string[], used: string[]): boolean {
  let before: Action | undefined;
  const clicked = pieces.flatMap(actionsIn).flatMap((action) => {
    const read = byAllWords(request, page, { ...action, used }, -1, before);
    before = action;
    return read.kind === 'commands'
      ? read.commands
          .filter((command) => command.action === 'CLICK_ELEMENT')
          .map(({ parameters }) => parameters.selector)
      : [];
  });
  return new Set(clicked).size === clicked.length;
}

function actionsIn(piece: string): Action[] {
  const parsed = parseInstruction(piece);
  return parsed.kind === 'actions' ? parsed.actions : [];
}
