import { bytesOf } from '../json';
import { oneLine } from '../text';

/** Temporal refuses a summary over 400 bytes and details over 20,000, counted as JSON. */
const SUMMARY_BYTES = 360;
const DETAILS_BYTES = 18_000;
const SHOWN_IN_SUMMARY = 3;

/** One line for Temporal's list of workflows: the name of the session where it has one, and its first steps. */
export function workflowSummary(name: string | undefined, steps: readonly string[]): string {
  const shown = steps
    .slice(0, SHOWN_IN_SUMMARY)
    .map((step) => oneLine(step))
    .join(' → ');
  const rest = steps.length - SHOWN_IN_SUMMARY;
  const summary = rest > 0 ? `${shown} → ${rest} more` : shown;
  return cut(name === undefined ? summary : `${oneLine(name)}: ${summary}`, SUMMARY_BYTES);
}

/** All steps as a markdown list. */
export function stepList(steps: readonly string[]): string {
  return cut(steps.map((step, index) => `${index + 1}. ${oneLine(step)}`).join('\n'), DETAILS_BYTES);
}

/** By characters, so that no character is cut in two. */
function cut(text: string, maxBytes: number): string {
  if (bytesOf(text) <= maxBytes) return text;
  let kept = '';
  let bytes = bytesOf('…');
  for (const character of text) {
    bytes += bytesOf(character) - 2;
    if (bytes > maxBytes) break;
    kept += character;
  }
  return `${kept}…`;
}
