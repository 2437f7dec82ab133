import { UsageError } from '../chaos/options';
import type { Harness } from '../harness/harness';
import { fetchStagehand } from './fetch-stagehand';
import { plainTemporal } from './plain-temporal';
import { supervised } from './supervised';
import { byModel, recipe, rules } from './surefoot';
import type { System } from './system';

/** What one call of the model that leads takes. */
export const MODEL_MS = 2000;
const MODEL = 'ai:openai-compatible/forgetful';

interface Parts {
  harness: Harness;
  scratch: string;
  countTokens: (text: string) => number;
}

/** By name; the first is what the others are compared with. One that can't be fetched is left out. */
const SYSTEMS: Record<string, (parts: Parts) => System | undefined | Promise<System>> = {
  playwright: ({ harness, scratch }) =>
    supervised(harness, { name: 'playwright', script: 'playwright-main.js', scratch }),
  'temporal + playwright': ({ harness }) => plainTemporal(harness),
  'playwright-mcp': ({ harness, scratch, countTokens }) =>
    supervised(harness, { name: 'playwright-mcp', script: 'mcp-main.js', scratch }, countTokens),
  'stagehand, model of 2 s': ({ harness, scratch, countTokens }) => {
    const folder = fetchStagehand(scratch);
    const program = { name: 'stagehand, model of 2 s', script: 'stagehand-main.js', scratch };
    return folder === undefined
      ? undefined
      : supervised(harness, { ...program, args: [folder, String(MODEL_MS)] }, countTokens);
  },
  'surefoot, rules': ({ harness }) => rules(harness),
  'surefoot, recipe': ({ harness }) => recipe(harness),
  'surefoot, model of 2 s': ({ harness }) => byModel(harness, MODEL),
};

/** A part of a name chooses all that have it, unless it is the whole name of one. */
export function systemNames(only: readonly string[]): string[] {
  const all = Object.keys(SYSTEMS);
  const found = all.filter((name) => only.some((part) => (all.includes(part) ? name === part : name.includes(part))));
  if (found.length > 0) return found;
  if (only.length === 0) return all;
  throw new UsageError(`--only: expected a part of one of ${all.join('; ')}; got ${only.join('; ')}.`);
}

export async function openSystems(names: readonly string[], parts: Parts): Promise<System[]> {
  const systems: System[] = [];
  for (const name of names) {
    const system = await SYSTEMS[name]!(parts);
    if (system !== undefined) systems.push(system);
  }
  return systems;
}
