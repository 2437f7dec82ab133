import { median } from '../harness/statistics';
import type { Tally } from './kills';
import type { System } from './system';

/** What one order has cost. */
export interface Cost {
  wallMs: number;
  processorSeconds: number;
  tokens: number | undefined;
}

/** The first system is what the others are compared with. */
export function printCosts(measured: ReadonlyMap<System, readonly Cost[]>): void {
  const rows = [...measured].map(([{ name }, costs]) => ({
    name,
    wallMs: median(costs.map(({ wallMs }) => wallMs)),
    processorSeconds: median(costs.map((cost) => cost.processorSeconds)),
    tokens: median(costs.map(({ tokens }) => tokens ?? 0)),
  }));
  const [raw] = rows;
  console.table(
    rows.map(({ name, wallMs, processorSeconds, tokens }) => ({
      system: name,
      wall: `${Math.round(wallMs)} ms`,
      [`to ${raw!.name}`]: (wallMs / raw!.wallMs).toFixed(1),
      processor: `${processorSeconds.toFixed(1)} s`,
      'of it': (processorSeconds / raw!.processorSeconds).toFixed(1),
      tokens,
    })),
  );
  console.log(
    'Tokens by o200k, of all requests and replies. Those of playwright-mcp are of the conversation that its script stands in for.',
  );
}

export function printKills(tallies: ReadonlyMap<System, Tally>): void {
  console.table(
    [...tallies].map(([{ name }, { endedWell, neverEnded, asked, ...more }]) => ({
      system: name,
      kills: more.kills,
      runs: more.runs,
      'ended well': endedWell,
      failed: more.failed,
      'never ended': neverEnded,
      'orders doubled': more.doubled,
      lost: more.lost,
      'asked a person': asked,
    })),
  );
}
