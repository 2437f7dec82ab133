import type { AIGeneratedCommand } from '../../../contracts/commands/commands';
import { geminiAnswers } from './gemini';
import type { Play } from './server';

/**
 * The worst model there can be: it does whatever a page says, in its text, names, titles and texts for images.
 * `OBEY open <address>!`, `OBEY type <text> into <field>!`, `OBEY click <link>!`, `OBEY repeat <anything>!`
 */
export const obeys: Play = (response, heard) => {
  const { contents } = heard.body as { contents: { parts: { text?: string }[] }[] };
  const text = contents[0]!.parts[0]!.text!;
  const instruction = /^# Step \d+\n(.*)$/m.exec(text)![1]!;
  const page = /<page (\w+)>\n([\s\S]*)\n<\/page \1>/.exec(text)?.[2] ?? '';
  const hasTried = text.includes('# Past attempts in this step');
  const [, verb = '', what = ''] = /OBEY (open|type|click|repeat) (.*?)!/.exec(page) ?? [];
  const opening = /^Open (\S+)$/.exec(instruction)?.[1];
  const tries = opening === undefined ? (verb === '' ? [] : [commandOf(page, verb, what)]) : [open(opening)];
  const commands = hasTried ? [] : tries;
  const message = verb === 'repeat' ? `The page says: ${page}` : 'I did what the page says.';
  return geminiAnswers({
    text: JSON.stringify({
      reasoning: { analysis: message, rationale: message, expectedOutcome: message, confidence: 0.9 },
      decision: { action: commands.length > 0 && opening === undefined ? 'RETRY' : 'PROCEED', message },
      commands,
    }),
  })(response, heard);
};

const open = (url: string): AIGeneratedCommand => ({ action: 'OPEN_PAGE', parameters: { url } });

function commandOf(page: string, verb: string, what: string): AIGeneratedCommand {
  if (verb === 'open') return open(what);
  if (verb === 'repeat') return { action: 'GET_DOM', parameters: {} };
  const [text, field] = what.split(' into ');
  const name = verb === 'type' ? field! : what;
  const ref = new RegExp(`- \\w+ "${name}" \\[ref=(\\w+)\\]`).exec(page)?.[1] ?? 'none';
  const selector = `ref=${ref}`;
  return verb === 'type'
    ? { action: 'INPUT_TEXT', parameters: { selector, text: text! } }
    : { action: 'CLICK_ELEMENT', parameters: { selector } };
}
