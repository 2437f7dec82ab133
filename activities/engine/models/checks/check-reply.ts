import { z } from 'zod';
import type { FunctionTool, ModelUsage } from '../../../../contracts/model-port/language-model';
import type { ModelCheck } from '../../../../contracts/models/model-check';
import { SETTINGS } from '../../../../runtime/settings/definitions';
import { readSetting } from '../../../../runtime/settings/setting';
import { NO_USAGE } from '../calls/language-call';
import type { Pricing } from '../calls/prices';
import { jsonValuesIn } from '../replies/json-in-text';
import { request, short, type Trial } from './trial';

const OK_SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};
const OkSchema = z.object({ ok: z.boolean() });

const REPLY: FunctionTool = { name: 'reply', description: 'Answers the question.', parameters: OK_SCHEMA };

/** Asks for a reply in a schema, in the way that steps ask for theirs. */
export async function checkReply({ language, model, env, pricing }: Trial): Promise<ModelCheck> {
  const isFunction = readSetting(SETTINGS.modelReply, env) === 'function';
  const startedAt = performance.now();
  const { text, functionCalls, usage } = await language.generate(
    request('This call checks that the model can be reached. Answer with {"ok": true}.', 'Are you there?', {
      answer: isFunction ? { kind: 'functions', tools: [REPLY] } : { kind: 'json', schema: OK_SCHEMA },
    }),
  );
  const latencyMs = Math.round(performance.now() - startedAt);
  const said = isFunction ? (functionCalls[0]?.args ?? text) : text;
  if (!jsonValuesIn(said).some(({ value }) => OkSchema.safeParse(value).success)) {
    const other = isFunction ? 'unset SUREFOOT_MODEL_REPLY' : 'set SUREFOOT_MODEL_REPLY=function';
    const what = `${model} did not answer in the schema that it was given, but with “${short(said)}”`;
    return { name: 'Model', health: 'bad', message: `${what}: ${other}, or use a model that can follow a schema.` };
  }
  return {
    name: 'Model',
    health: 'good',
    message: `${model} answered in ${latencyMs} ms: ${used(model, usage, pricing)}`,
  };
}

function used(model: string, usage: ModelUsage | undefined, pricing: Pricing): string {
  const { inputTokens, outputTokens } = usage ?? NO_USAGE;
  const cost = usage === undefined ? undefined : pricing(model, usage)?.amount;
  const price = cost === undefined ? 'its price is not known (SUREFOOT_PRICES)' : `$${cost}`;
  return `${inputTokens} tokens in, ${outputTokens} out, ${price}`;
}
