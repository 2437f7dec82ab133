import type { DiscoveredElement } from '../../../contracts/steps/investigation';
import type { MemoryEntry } from '../../../contracts/steps/working-memory';
import type { DecisionRequest } from '../port';

/** Earlier steps and what was learnt, within so many characters: outcomes and reasons, never a page. */
export function backgroundText({ earlierSteps: earlier = [], memory = [] }: DecisionRequest, limit: number): string {
  const steps = earlier.map(
    ({ stepIndex, instruction, status, reasoning }) =>
      `step ${stepIndex + 1} (${short(instruction, 200)}): ${status}${reasoning === '' ? '' : `, ${short(reasoning, 200)}`}`,
  );
  return within([...steps, ...memory.map(entryText)], limit);
}

/** What an investigation came to. */
export function investigatedText({ investigation }: DecisionRequest, limit: number): string {
  if (investigation === undefined) return '';
  const { summaries, elements } = investigation;
  return within([...summaries.map((summary) => short(summary, 1000)), ...elements.map(elementText)], limit);
}

export function elementText(element: DiscoveredElement): string {
  const { selector, elementType, name, confidence, isReliable } = element;
  const trust = isReliable ? 'it is there once and can be used' : 'not proved';
  return `- ${elementType} “${short(name, 100)}”: selector ${selector} (confidence ${confidence}, ${trust})`;
}

function entryText(entry: MemoryEntry): string {
  switch (entry.kind) {
    case 'element_discovery':
      return `this page has: ${entry.elementType} “${short(entry.name, 100)}”, selector ${entry.selector}${entry.isReliable ? '' : ' (not proved)'}`;
    case 'page_insight':
      return `of this page: ${entry.text}`;
    case 'variable_extraction':
      return `saved: \${${entry.name}} (in step ${entry.stepIndex + 1})`;
    case 'pattern_learning':
      return `seen ${entry.occurrences} times: ${entry.text}`;
    case 'investigation_preference':
      return `on this page ${entry.tool} told most`;
  }
}

export function short(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

/** Whole lines, as many as fit. */
function within(lines: readonly string[], limit: number): string {
  let room = limit;
  return lines.filter((line) => (room -= line.length + 1) >= 0).join('\n');
}
