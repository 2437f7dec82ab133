import { geminiAnswers } from './gemini';
import type { Heard, Play } from './server';

/**
 * A model that removes a tent, and knows of a page only what its prompts say: it can't distinguish the equal buttons, so
 * it asks for an investigation, judges the phases from what they found, and clicks what was found.
 */
export const investigates: Play = (response, heard) =>
  geminiAnswers({ text: JSON.stringify(answer(heard)) })(response, heard);

function answer({ body }: Heard): object {
  const { contents } = body as { contents: { parts: { text?: string }[] }[] };
  const text = contents[0]!.parts[0]!.text!;
  const within = (what: string) => new RegExp(`<${what} (\\w+)>\\n([\\s\\S]*?)\\n</${what} \\1>`).exec(text)?.[2] ?? '';
  const instruction = /^# Step \d+\n(.*)$/m.exec(text)![1]!;
  if (text.includes('# Findings\n')) return judgement(text, within('page'), within('proposed'));
  return decision(instruction, text.includes('# Past attempts'), within('page'), within('found'));
}

function decision(instruction: string, hasTried: boolean, page: string, found: string): object {
  if (instruction.startsWith('Open ')) {
    if (hasTried) return reply('PROCEED', 'The page is open.', 0.95, []);
    const url = instruction.slice(5);
    return reply('PROCEED', 'Open the page.', 0.95, [{ action: 'OPEN_PAGE', parameters: { url } }]);
  }
  if (page.includes('Deleted Red tent')) return reply('PROCEED', 'The red tent is gone.', 0.95, []);
  const selector = /selector (\S.*?) \(confidence [\d.]+, matches once and is usable\)/.exec(found)?.[1];
  if (selector !== undefined)
    return reply('RETRY', 'Click what was found.', 0.9, [{ action: 'CLICK_ELEMENT', parameters: { selector } }]);
  const context = { investigate: 'the button that deletes the red tent' };
  return { ...reply('RETRY', 'Three buttons are named alike.', 0.6, [{ action: 'GET_DOM', parameters: {} }]), context };
}

function judgement(text: string, page: string, proposed: string): object {
  const ref = /Red tent[\s\S]*?button "Delete" \[ref=(\w+)\]/.exec(page)?.[1];
  const known = { summary: 'A list of tents, each with a Delete button.', focus: ['Red tent'] };
  if (text.includes('Phase 1:')) return { ...known, elements: [], confidence: 0.5 };
  const confidence = proposed === '' ? 0.6 : 0.95;
  const elements = ref === undefined ? [] : [{ selector: `ref=${ref}`, elementType: 'button', confidence }];
  return { ...known, elements, confidence, insight: 'The button stands behind the name of its tent.' };
}

function reply(action: string, message: string, confidence: number, commands: object[]): object {
  return {
    reasoning: { analysis: message, rationale: 'It is what the step asks for.', expectedOutcome: message, confidence },
    decision: { action, message },
    commands,
  };
}
