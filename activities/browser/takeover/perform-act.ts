import type { PersonAct } from '../../../contracts/browsers/takeover';
import { EngineError } from '../../activity/failures';
import type { ActContext } from './act-context';
import { alreadyAnswered } from './answer-dialog';
import { chooseShown } from './drawn-lists';
import { giveFiles } from './file-choosers';
import { askedBy, type PlannedAct } from './plan-act';

/** Longer texts are inserted at once: a page that listens to keys takes them one by one. */
const MOST_KEYS = 100;

/** Does what a person does, with the events that a person's own mouse and keyboard would make. */
export async function performAct(
  context: ActContext,
  { parameters: { selector, option } }: PlannedAct,
  act: PersonAct,
): Promise<void> {
  const { attachment, values, asks } = context;
  const { page } = attachment;
  const { mouse, keyboard } = page;
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
    case 'choose':
      if (askedBy(asks, act) === undefined || selector === undefined)
        throw new EngineError('EX002', 'The page does not ask this any more. Open the list again, then choose.');
      if (option === undefined)
        throw new EngineError('EX002', `The list has no option ${act.option}; the first one is 0. Look at it again.`);
      return await chooseShown(page, { selector, option }, act.option, values);
    case 'files':
      return await giveFiles(context, act.ask, act.files);
    case 'dialog':
      if (act.ask !== undefined) throw alreadyAnswered();
      return attachment.watch.dialogAnswers.give({ accept: act.accept, promptText: act.text });
    case 'tab': {
      const tab = attachment.tabs[act.tab - 1];
      if (tab === undefined)
        throw new EngineError(
          'EX002',
          `There is no tab ${act.tab}: the browser has ${attachment.tabs.length}. Choose one that the live view shows.`,
        );
      return await attachment.bringToFront(tab);
    }
  }
}
