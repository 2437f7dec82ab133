import { geminiAnswers } from './gemini';
import type { Heard, Play } from './server';

interface Part {
  text?: string;
  functionCall?: { name: string; args: { label: string } };
  functionResponse?: { name: string; response: { output?: string; error?: string } };
}

/**
 * A model that has the two tools of press-tool.js: it presses for both labels in one reply, and whatever it learns to be
 * unknown it asks the server about before it presses again. It knows nothing but the conversation that it is sent.
 */
export const presses: Play = (response, heard) => {
  const { shop, labels, last } = read(heard);
  const wanted = labels.flatMap((label) => {
    const args = { shop, label };
    const reported = last(label);
    if (reported === undefined) return [{ functionCall: { name: 'press', args } }];
    if (/\bpressed |\b1 presses/.test(reported)) return [];
    return [{ functionCall: { name: /\b0 presses/.test(reported) ? 'press' : 'presses', args } }];
  });
  return geminiAnswers(wanted.length === 0 ? { text: 'Each is pressed once.' } : { parts: wanted })(response, heard);
};

export const pressTask = (shop: string, labels: readonly [string, string]): string =>
  `Press at ${shop} once for each of ${labels.join(' and ')}.`;

function read({ body }: Heard): { shop: string; labels: string[]; last: (label: string) => string | undefined } {
  const parts = (body['contents'] as { parts: Part[] }[]).flatMap((content) => content.parts);
  const task = parts
    .map(({ text = '' }) => /Press at (\S+) once for each of (\S+) and (\S+)\./.exec(text))
    .find(Boolean);
  const [, shop, ...labels] = task!;
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  const ends = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  const last = (label: string): string | undefined => {
    const index = calls.findLastIndex(({ args }) => args.label === label);
    const { output, error } = ends[index]?.response ?? {};
    return output ?? error;
  };
  return { shop: shop!, labels, last };
}
