import type { ElementHandle, Page } from 'playwright';
import { obstacleOf } from '../pointer/obstacle';

const MOST_CONTROLS = 5;

/**
 * What keeps the controls of this name from being used. Undefined where one of them can be used, and where no control has
 * the name: then the text stands for itself.
 */
export async function obstacleOfNamed(page: Page, name: string): Promise<string | undefined> {
  let obstacle: string | undefined;
  for (const frame of page.frames()) {
    const controls = await frame.evaluateHandle(controlsNamed, name);
    const count = await controls.evaluate((list) => list.length);
    for (let index = 0; index < Math.min(count, MOST_CONTROLS); index += 1) {
      const control = (
        await controls.evaluateHandle((list, at) => list[at]!, index)
      ).asElement() as ElementHandle<Element>;
      let found = await control.evaluate(obstacleOf);
      if (found?.kind === 'covered') {
        // A bar at the edge of the view covers what a click would scroll away from it.
        await control.evaluate((node) => node.scrollIntoView({ block: 'center', behavior: 'instant' }));
        found = await control.evaluate(obstacleOf);
      }
      if (found === null || found.kind === 'outside') return undefined;
      obstacle ??= found.text;
    }
  }
  return obstacle;
}

/** Runs in the page. */
function controlsNamed(name: string): Element[] {
  const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
  const controls =
    'a[href], button, input, select, textarea, summary, [contenteditable=true], [role=button], [role=link], [role=tab], [role=option], [role=menuitem], [role=checkbox], [role=radio], [role=switch], [role=combobox], [role=textbox]';
  const namesOf = (each: Element): string[] => {
    const { labels, placeholder, value, type } = each as Partial<HTMLInputElement>;
    const isButton = /^(?:button|submit|reset)$/.test(type ?? '');
    const own = each.matches('input, select, textarea')
      ? isButton
        ? (value ?? '')
        : ''
      : (each as HTMLElement).innerText;
    return [
      own,
      each.getAttribute('aria-label') ?? '',
      placeholder ?? '',
      each.getAttribute('title') ?? '',
      ...[...(labels ?? [])].map((label) => label.innerText),
    ];
  };
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) roots.push(...[...root.querySelectorAll('*')].flatMap((each) => each.shadowRoot ?? []));
  const all = roots.flatMap((root) => [...root.querySelectorAll(controls)]);
  return all.filter(
    (each) =>
      each.checkVisibility({ visibilityProperty: true }) && namesOf(each).some((text) => plain(text) === plain(name)),
  );
}
