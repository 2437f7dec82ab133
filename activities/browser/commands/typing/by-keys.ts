import type { ElementHandle, Page } from 'playwright';
import { EngineError } from '../../../activity/failures';

type Field = ElementHandle<Element>;

/** Replaces what the field holds by keys, as a person types. A line end would be the Enter key, which sends a form. */
export async function typeByKeys(page: Page, field: Field, text: string): Promise<void> {
  await field.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text.replaceAll(/\s*[\r\n]+\s*/g, ' '), { delay: 5 });
}

/** Replaces the content of an editor in one insertion, which no autocompletion or indentation changes. */
export async function replaceContent(page: Page, field: Field, text: string): Promise<void> {
  await field.focus();
  await page.keyboard.press('ControlOrMeta+A');
  if (text === '') {
    await page.keyboard.press('Delete');
    return;
  }
  await page.keyboard.insertText(text);
}

/** The same by the event of a paste, which editors take over with their own lines; none of them adds an indentation. */
export async function pasteContent(page: Page, field: Field, text: string): Promise<void> {
  await field.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await field.evaluate((node, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    node.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** The same, line by line. Shift+Enter begins a line where Enter may send what is written. */
export async function replaceLines(page: Page, field: Field, text: string): Promise<void> {
  await field.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  for (const [number, line] of text.split(/\r?\n/).entries()) {
    if (number > 0) await page.keyboard.press('Shift+Enter');
    if (line !== '') await page.keyboard.insertText(line);
  }
}

/** Types a character into each box of a code, from this box on; resolves to what stands in them. */
export async function typeIntoBoxes(page: Page, field: Field, text: string): Promise<string> {
  const characters = Array.from(text.replaceAll(/\s/g, ''));
  const list = await field.evaluateHandle(boxesFrom, characters.length);
  const count = await list.evaluate((boxes) => boxes.length);
  if (count < characters.length)
    throw new EngineError(
      'SM002',
      `There are ${count} boxes for one character each, and ${characters.length} characters.`,
    );
  for (const [index, character] of characters.entries()) {
    const box = (await list.evaluateHandle((boxes, at) => boxes[at]!, index)).asElement() as Field;
    await box.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(character);
  }
  return await list.evaluate((boxes) => boxes.map((box) => box.value).join(''));
}

/** Runs in the page: the boxes of a code, of which this is the first to be filled. */
function boxesFrom(node: Element, count: number): HTMLInputElement[] {
  const isBox = (each: Element): each is HTMLInputElement => each instanceof HTMLInputElement && each.maxLength === 1;
  let around: Element | null = node;
  let boxes = [node as HTMLInputElement];
  for (
    let levels = 0;
    around !== null && levels < 5 && boxes.length < count;
    levels += 1, around = around.parentElement
  ) {
    const all = [...around.querySelectorAll('input')].filter(isBox);
    if (all.includes(node as HTMLInputElement)) boxes = all.slice(all.indexOf(node as HTMLInputElement));
  }
  return boxes.slice(0, count);
}
