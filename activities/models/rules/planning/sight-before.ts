import { createHash } from 'node:crypto';
import type { AIGeneratedCommand } from '../../../../contracts/commands/commands';
import { refIn } from '../../../page-text/durable-target';
import type { PastIteration } from '../../port';
import { isField, type Item, type Page } from '../matching/page-index';

/** The page before some commands: what their own fields hold does not count as an effect of the click after them. */
interface Sight {
  digest: string;
  /** Indexes of the elements that the commands fill in. */
  filled: number[];
  /** Digest of what is drawn around the control that is clicked. */
  drawing?: string | undefined;
}

/** The page as it is before a click at the end of some commands; undefined for other commands. */
export function sightBefore(page: Page, commands: readonly AIGeneratedCommand[]): Sight | undefined {
  if (commands.at(-1)?.action !== 'CLICK_ELEMENT') return undefined;
  const refs = commands.slice(0, -1).map(({ parameters }) => refIn(parameters.selector ?? ''));
  const filled = page.items.filter(({ node }) => node?.ref !== undefined && refs.includes(node.ref));
  const indexes = filled.map(({ index }) => index);
  const clicked = refIn(commands.at(-1)!.parameters.selector ?? '');
  const drawing = page.items.find(({ node }) => clicked !== undefined && node?.ref === clicked)?.node?.drawing;
  return { digest: digestOf(page, indexes), filled: indexes, drawing };
}

/** Whether the page reads as before, but for the fields that were filled in before the click. */
export function readsAsBefore(page: Page, last: PastIteration): boolean {
  const sight = sightIn(last);
  return sight !== undefined && digestOf(page, sight.filled) === sight.digest;
}

/** Whether pictures around the clicked control are others than before the click, or elsewhere. */
export function isRedrawn({ node }: Item, last: PastIteration): boolean {
  return sightIn(last) !== undefined && sightIn(last)!.drawing !== node?.drawing;
}

function sightIn({ context }: PastIteration): Sight | undefined {
  const sight = context?.['sight'] as Partial<Sight> | undefined;
  return typeof sight?.digest === 'string' && Array.isArray(sight.filled) ? (sight as Sight) : undefined;
}

/** What a reader sees of the page. The focus counts only in fields, because every click moves it. */
function digestOf({ url, title, items }: Page, filled: readonly number[]): string {
  const shown = items.map((item) => {
    if (filled.includes(item.index)) return item.role;
    const { name, text, checked, selected, expanded, pressed, disabled, active, ariaHidden, value, invalid } =
      item.node ?? {};
    const own = item.node === undefined ? item.text : text;
    return [
      item.role,
      name,
      own,
      checked,
      selected,
      expanded,
      pressed,
      disabled,
      ariaHidden,
      value,
      invalid,
      isField(item) && active,
    ];
  });
  return createHash('sha256')
    .update(JSON.stringify([url, title, shown]))
    .digest('base64')
    .slice(0, 22);
}
