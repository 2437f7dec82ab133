import type { Page } from 'playwright';
import type { PersonAct } from '../../../contracts/browsers/takeover';

/** Longer texts are inserted at once: a page that listens to keys takes them one by one. */
const MOST_KEYS = 100;

/** Does what a person does, with the events that a person's own mouse and keyboard would make. */
export async function performAct({ mouse, keyboard }: Page, act: PersonAct): Promise<void> {
  switch (act.kind) {
    case 'click':
      await mouse.move(act.x, act.y);
      return await mouse.click(act.x, act.y, { button: act.button, clickCount: act.clicks });
    case 'hover':
      return await mouse.move(act.x, act.y);
    case 'wheel':
      await mouse.move(act.x, act.y);
      return await mouse.wheel(act.byX, act.byY);
    case 'key':
      return await keyboard.press(act.key);
    case 'text':
      // What no key has is inserted, as by an input method.
      return await (act.text.length > MOST_KEYS ? keyboard.insertText(act.text) : keyboard.type(act.text));
  }
}
