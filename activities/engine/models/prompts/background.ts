import type { DiscoveredElement } from '../../../../contracts/steps/investigation';
import type { MemoryEntry } from '../../../../contracts/steps/working-memory';
import type { EarlierStep } from '../../../../contracts/steps/earlier-step';
import type { DecisionRequest } from '../../../../contracts/model-port/port';
import { oneLine } from '../../../../contracts/text';

/**
 * Renders what persons have done, what the model noted in earlier steps, how these ended, and working memory within `limit` characters: no content
 * of pages.
 */
export function backgroundText(
  { doneByPersons = [], notes: noted = [], earlierSteps: earlier = [], memory = [] }: DecisionRequest,
  limit: number,
): string {
  return within(
    [
      ...doneByPersons.map((text) => `a person who took the browser over in this step: ${oneLine(text, 300)}`),
      ...noted.map((text) => `you noted: ${oneLine(text, 500)}`),
      ...earlier.map(stepLine),
      ...memory.map(entryText),
    ],
    limit,
  );
}

function stepLine({ stepIndex, instruction, status, message, url }: EarlierStep): string {
  const said = message === '' ? '' : `, ${oneLine(message, 200)}`;
  return `step ${stepIndex + 1} (${oneLine(instruction, 200)}): ${status}${said}${url === '' ? '' : `; it ended at ${url}`}`;
}

/** Renders the result of an investigation within `limit` characters. */
export function investigatedText({ investigation }: DecisionRequest, limit: number): string {
  if (investigation === undefined) return '';
  const { summaries, elements } = investigation;
  const surestFirst = elements.toSorted(
    (one, other) => Number(other.isReliable) - Number(one.isReliable) || other.confidence - one.confidence,
  );
  // Selectors first: they are what the next command needs.
  return within([...surestFirst.map(elementText), ...summaries.map((summary) => oneLine(summary, 1000))], limit);
}

export function elementText(element: DiscoveredElement): string {
  const { selector, elementType, name, confidence, isReliable } = element;
  const trust = isReliable ? 'matches once and is usable' : 'not verified';
  return `- ${elementType} “${oneLine(name, 100)}”: selector ${selector} (confidence ${confidence}, ${trust})`;
}

function entryText(entry: MemoryEntry): string {
  switch (entry.kind) {
    case 'element_discovery':
      return `on this page: ${entry.elementType} “${oneLine(entry.name, 100)}”, selector ${entry.selector}${entry.isReliable ? '' : ' (not verified)'}`;
    case 'page_insight':
      return `about this page: ${entry.text}`;
    case 'variable_extraction':
      return `saved: \${${entry.name}} (in step ${entry.stepIndex + 1})`;
    case 'pattern_learning':
      return `seen ${entry.occurrences} times: ${entry.text}`;
    case 'investigation_preference':
      return `most useful tool on this page: ${entry.tool}`;
  }
}

/** The lines that fit into `limit` characters. */
function within(lines: readonly string[], limit: number): string {
  let remaining = limit;
  return lines.filter((line) => (remaining -= line.length + 1) >= 0).join('\n');
}
