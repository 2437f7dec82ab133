import { stemsIn } from '../language/words';
import type { Intent } from '../language/intent';
import { afterLabel, SEPARATOR } from '../page-text/saved-value';
import * as acts from './element-commands';
import { findValue } from './find-value';
import { describeItem } from './item-text';
import { levelOf } from './name-match';
import type { Item, Page } from './page-index';
import { TO_SEE } from './purpose';
import { absent, commandsOn, refused, several, type TargetSearch } from './resolution';

/** From here on a name is not the whole one. */
const LOOSE = 3;

/** What a step asks to save: the text of the part of the page that shows it, without its label. */
export function resolveSave(intent: Intent & { kind: 'save' }, page: Page): TargetSearch {
  const found = findValue(page, intent.target);
  if (found.kind === 'none') return absent(intent.target, TO_SEE);
  if (found.kind === 'several') return several(intent.target, found.items);
  const { role, node, text } = found.item;
  const isEmpty = /^(?:textbox|searchbox|spinbutton)$/.test(role) && (node?.text ?? node?.value ?? '') === '';
  if (isEmpty && (/\sof\s/i.test(intent.target.said) || (levelOf(found.item, intent.target.said) ?? LOOSE) >= LOOSE))
    return refused(`${describeItem(found.item)} is empty, so there is nothing to save of it.`);
  const isNumber = /\b(?:number|total|amount|sum|quantity|balance)\b/i.test(intent.target.said);
  if (!isEmpty && !(isNumber ? /\p{N}/u : /[\p{L}\p{N}\p{Sc}]/u).test(text + (node?.value ?? '')))
    return refused(`${describeItem(found.item)} shows ${isNumber ? 'no number' : 'nothing but a sign'}.`);
  const { variableName, as } = intent;
  const names = intent.target.readings.flatMap(({ name = '' }) => [
    name,
    name.replace(/\s(?:number|address|date)$/i, ''),
  ]);
  const label = [...names, labelSaidIn(text, intent.target.said)].find((name) => afterLabel(text, name) !== undefined);
  if (label === undefined && SEPARATOR.test(text) && /^(?:generic|paragraph|text|listitem|status)$/.test(role))
    return refused(
      `${describeItem(found.item)} says more than that; name the part of the page that has only the value.`,
    );
  if (label === undefined && isEntry(found.item, intent.target.said))
    return refused(`${describeItem(found.item)} is all of the entry; name the part of it that is to be saved.`);
  return commandsOn(found.item, acts.save(found.item, { variableName, ...(label && { label }), ...(as && { as }) }));
}

/** “the persons of Tom Hale”: what says Tom Hale and more is no value of his. */
function isEntry({ role, text }: Item, said: string): boolean {
  const [, owner = ''] = /^\S.*?\s(?:of|from|for)\s+(\S.*)$/i.exec(said) ?? [];
  const names = stemsIn(owner).filter((stem) => /\p{L}{2}/u.test(stem));
  const shown = stemsIn(text);
  return (
    !/^(?:textbox|searchbox|spinbutton|combobox)$/.test(role) &&
    names.length > 0 &&
    names.every((name) => shown.includes(name)) &&
    shown.length > names.length
  );
}

/** The label before a colon, as the page writes it, where the step says its words: “Father’s mobile (Jonas): …”. */
function labelSaidIn(text: string, said: string): string {
  const [, label = ''] = /^([^:：\n]{2,80})[:：]\s+\S/.exec(text) ?? [];
  const names = stemsIn(label.replace(/\(.*?\)/g, ' '));
  const words = stemsIn(said);
  return names.length > 0 && names.every((name) => words.includes(name)) ? label : '';
}
