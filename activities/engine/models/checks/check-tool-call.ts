import { z } from 'zod';
import type { FunctionTool } from '../../../../contracts/model-port/language-model';
import type { ModelCheck } from '../../../../contracts/models/model-check';
import { jsonValuesIn } from '../replies/json-in-text';
import { writtenCalls } from '../replies/written-calls';
import { request, short, type Trial } from './trial';

const ADD: FunctionTool = {
  name: 'add_to_cart',
  description: 'Adds articles to the cart.',
  parameters: {
    type: 'object',
    properties: { article: { type: 'string' }, count: { type: 'integer' } },
    required: ['article', 'count'],
    additionalProperties: false,
  },
};
const AddSchema = z.object({ article: z.string(), count: z.coerce.number() });

/** Asks for the call of a tool, as tasks do. */
export async function checkToolCall({ language, model }: Trial): Promise<ModelCheck> {
  const { text, functionCalls } = await language.generate(
    request('Do what the user asks by calling a tool.', 'Add 2 of the article A7 to the cart.', {
      answer: { kind: 'tools', tools: [ADD] },
    }),
  );
  const [call] = functionCalls;
  if (call !== undefined && call.name === ADD.name && isAdd(call.args))
    return { name: 'Tool call', health: 'good', message: `${model} called a tool with the right arguments` };
  const written = writtenCalls(text, [ADD]);
  if (call === undefined && written !== undefined)
    return {
      name: 'Tool call',
      health: 'poor',
      message:
        `${model} wrote its call as text, which is read, but costs tokens and can be missed: let the server read the calls of the ` +
        "model's template (llama.cpp --jinja, vLLM --enable-auto-tool-choice with its --tool-call-parser).",
    };
  const came = call === undefined ? `“${short(text)}”` : `${call.name} with ${short(call.args)}`;
  return {
    name: 'Tool call',
    health: 'poor',
    message: `${model} called no tool as it was asked, it gave ${came}: use it for steps, and another model for tasks.`,
  };
}

function isAdd(args: string): boolean {
  const [found] = jsonValuesIn(args);
  const { data } = AddSchema.safeParse(found?.value);
  return data !== undefined && data.article.includes('A7') && data.count === 2;
}
