import type { Locator, Page } from 'playwright';
import { withinMs } from '../../../runtime/time-limit';

/** A busy page answers late, and one that is gone does not. */
const ANSWER_LIMIT_MS = 5000;

export interface FilledField {
  commandId: string;
  /** For people. */
  name: string;
  page: Page;
  element: Locator;
  /** How often the page had been loaded anew when it was filled in. */
  loads: number;
  /** When that began. */
  at: Date;
}

/** What was filled in since the last command that may have sent it. A page that loads itself anew loses it. */
export class FilledFields {
  private fields: (FilledField & { address: string; held: string })[] = [];

  /**
   * `text` is what was typed; where the page is loaded anew just then, it may show something else already. `held` is what
   * was read back, where it was.
   */
  async note(
    field: FilledField,
    { text, held: readBack }: { text: string | undefined; held: string | undefined },
    loadsNow: () => number,
  ): Promise<void> {
    const shown = readBack ?? (await heldBy(field.element));
    const held = text !== undefined && loadsNow() !== field.loads ? text : (shown ?? text);
    this.fields = this.fields.filter(({ element }) => String(element) !== String(field.element));
    if (held !== undefined) this.fields.push({ ...field, address: addressOf(field.page), held });
  }

  /** The fields that the page shows anew, and without what was filled in. What is no longer there went on. */
  async lostOn(page: Page, loads: number): Promise<FilledField[]> {
    const shownAnew = this.fields.filter(
      (field) => field.page === page && field.loads !== loads && field.address === addressOf(page),
    );
    const now = await Promise.all(shownAnew.map(({ element }) => heldBy(element)));
    return shownAnew.filter(({ held }, index) => now[index] !== undefined && now[index] !== held);
  }

  get isEmpty(): boolean {
    return this.fields.length === 0;
  }

  clear(): void {
    this.fields = [];
  }
}

function addressOf(page: Page): string {
  return page.url().split('#')[0]!;
}

/** Undefined where the page has no such field, for which nothing waits, or does not answer. */
async function heldBy(element: Locator): Promise<string | undefined> {
  return await withinMs(ANSWER_LIMIT_MS, element.evaluateAll(readHeld)).catch(() => undefined);
}

/** Runs in the page. */
function readHeld([node]: Element[]): string | undefined {
  if (node === undefined) return undefined;
  const { checked, value } = node as HTMLInputElement;
  const isBox = node.matches('input[type=checkbox], input[type=radio]');
  return isBox ? String(checked) : typeof value === 'string' ? value : ((node as HTMLElement).innerText ?? '');
}
