import { z } from 'zod';
import { accountOf, VENDOR_NAMES, type VendorName } from '../../contracts/models/vendors';

/** A model that can be called with an environment. */
export interface ReachableModel {
  /** As SUREFOOT_MODEL names it. */
  model: string;
  /** Where it was found: a server, or the vendor whose key is set. */
  from: string;
  /** What is to be set, beside the environment that was looked at. */
  env: Record<string, string>;
}

/** The usual addresses of servers on this machine. */
export const USUAL_SERVERS: Readonly<Record<string, string>> = {
  Ollama: 'http://127.0.0.1:11434/v1',
  'LM Studio': 'http://127.0.0.1:1234/v1',
  'llama.cpp': 'http://127.0.0.1:8080/v1',
  vLLM: 'http://127.0.0.1:8000/v1',
};

/** A model of each vendor to begin with; a server of one's own says which it has. */
const FIRST_MODELS: Record<Exclude<VendorName, 'ai:openai-compatible'>, string> = {
  genai: 'gemini-2.5-flash',
  vertexai: 'gemini-2.5-flash',
  'ai:openai': 'gpt-4.1',
  'ai:anthropic': 'claude-sonnet-4-5',
};

const ANSWERS_WITHIN_MS = 1500;
const ModelListSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/** Finds vendors by their keys, then the server that is set and those at `servers`. A server that does not answer has none. */
export async function reachableModels(
  env: Readonly<Record<string, string | undefined>>,
  servers: Readonly<Record<string, string>> = USUAL_SERVERS,
): Promise<ReachableModel[]> {
  const withKeys = VENDOR_NAMES.flatMap((vendor): ReachableModel[] => {
    if (vendor === 'ai:openai-compatible') return [];
    const { account, missing } = accountOf(vendor, env);
    return missing === undefined ? [{ model: `${vendor}/${FIRST_MODELS[vendor]}`, from: account.name, env: {} }] : [];
  });
  const { values, missing } = accountOf('ai:openai-compatible', env);
  const own = missing === undefined ? values['baseURL'] : undefined;
  const others = Object.entries(servers).filter(([, url]) => url !== own);
  const served = await Promise.all([
    ...(own === undefined ? [] : [modelsAt('OPENAI_COMPATIBLE_BASE_URL', own, {}, values['apiKey'])]),
    ...others.map(([name, url]) => modelsAt(name, url, { OPENAI_COMPATIBLE_BASE_URL: url })),
  ]);
  return [...withKeys, ...served.flat()];
}

/** What chooses the first of the models that can be reached. */
const AUTO = 'auto';

/** The settings by which a stack uses a model: the one that is named, or of `auto` the first that is found, if any. */
export async function modelSettings(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  servers?: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  if (name !== AUTO) return { SUREFOOT_MODEL: name };
  const [first] = await reachableModels(env, servers);
  return first === undefined ? {} : { ...first.env, SUREFOOT_MODEL: first.model };
}

/** The models that a server lists; none where it does not answer as OpenAI's does. */
async function modelsAt(
  name: string,
  url: string,
  env: Record<string, string>,
  key?: string,
): Promise<ReachableModel[]> {
  try {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url.replace(/\/$/, '')}/models`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    const list = ModelListSchema.safeParse(await answer.json());
    const models = list.data?.data ?? [];
    return models.map(({ id }) => ({ model: `ai:openai-compatible/${id}`, from: `${name} at ${url}`, env }));
  } catch {
    return [];
  }
}
