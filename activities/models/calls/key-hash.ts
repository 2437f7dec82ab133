import { createHash } from 'node:crypto';
import type { ModelProvider } from '../../../contracts/models/model-name';

/** What tells one customer of a vendor from another: where it is asked, and with which key. */
const VERTEX = [
  ['VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT'],
  ['VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION'],
  ['VERTEX_API_ENDPOINT'],
];
const GEMINI = [['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'], ['GEMINI_BASE_URL']];

/**
 * Under which a vendor counts our calls; the key itself goes nowhere. Two ways to one vendor with one key have one, a
 * token that is renewed every hour is no part of it.
 */
export function keyHashOf(provider: ModelProvider, env: NodeJS.ProcessEnv): string {
  const [vendor, variables] = accountOf(provider, env);
  const values = variables.map((names) => names.map((name) => env[name]).find((value) => value) ?? '');
  return createHash('sha256')
    .update(JSON.stringify([vendor, ...values]))
    .digest('hex')
    .slice(0, 32);
}

function accountOf(provider: ModelProvider, env: NodeJS.ProcessEnv): [vendor: string, variables: string[][]] {
  switch (provider) {
    case 'vertexai':
    case 'ai:google-vertex':
      return ['google-vertex', VERTEX];
    case 'genai':
      return env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY'] ? ['gemini', GEMINI] : ['google-vertex', VERTEX];
    case 'ai:google':
      return ['gemini', GEMINI];
    case 'ai:openai':
      return ['openai', [['OPENAI_API_KEY'], ['OPENAI_BASE_URL']]];
    case 'ai:anthropic':
      return ['anthropic', [['ANTHROPIC_API_KEY'], ['ANTHROPIC_BASE_URL']]];
    case 'ai:openai-compatible':
      return ['openai-compatible', [['OPENAI_COMPATIBLE_API_KEY'], ['OPENAI_COMPATIBLE_BASE_URL']]];
  }
}
