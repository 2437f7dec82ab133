import { shortened } from '../../contracts/text';
import { median, ms } from '../harness/statistics';
import type { Comparison, Fault } from './oracle/compare';
import type { ScenarioResult } from './run-scenario';

export interface SuiteResult {
  suite: string;
  scenarios: ScenarioResult[];
  /** By the path of the page. */
  pages: Map<string, Comparison>;
}

/** The model lists what it understands at the end of each refusal. */
const MOST_REASON = 200;

const HEADS = [
  'suite',
  'scenarios',
  'first try',
  'false COMPLETED',
  'pages',
  'controls visible',
  'missing',
  'unnamed',
  'untargetable',
  'median time',
];

export function toTable(results: readonly SuiteResult[]): string {
  const whole: SuiteResult = {
    suite: 'all',
    scenarios: results.flatMap(({ scenarios }) => scenarios),
    pages: new Map(results.flatMap(({ suite, pages }) => [...pages].map(([path, page]) => [`${suite}/${path}`, page]))),
  };
  const lines = [HEADS, HEADS.map(() => '---'), ...[...results, whole].map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf({ suite, scenarios, pages }: SuiteResult): string[] {
  const count = (fault: Fault): number =>
    [...pages.values()].flatMap(({ lacks }) => lacks).filter((lack) => lack.fault === fault).length;
  const right = scenarios.filter(({ isRight }) => isRight).length;
  const share = scenarios.length === 0 ? '' : ` (${Math.floor((100 * right) / scenarios.length)} %)`;
  return [
    suite,
    `${scenarios.length}`,
    `${right}${share}`,
    `${scenarios.filter(({ isFalse }) => isFalse).length}`,
    `${pages.size}`,
    `${[...pages.values()].reduce((sum, { visible }) => sum + visible, 0)}`,
    ...(['missing', 'unnamed', 'untargetable'] as const).map((fault) => `${count(fault)}`),
    scenarios.length === 0 ? '' : ms(median(scenarios.map(({ tookMs }) => tookMs))),
  ];
}

/** Lists what failed: scenarios by what their session said, controls by what the snapshot lacks of them. */
export function toFailureList(results: readonly SuiteResult[]): string {
  return results
    .flatMap(({ suite, scenarios, pages }) => [
      `## ${suite}`,
      ...section(
        'COMPLETED, but the page says otherwise',
        scenarios.filter(({ isFalse }) => isFalse),
      ),
      ...section(
        'not completed, or another control was used',
        scenarios.filter(({ isRight, isFalse }) => !isRight && !isFalse),
      ),
      ...(['missing', 'untargetable', 'unnamed'] as const).flatMap((fault) => controlsWith(fault, pages)),
    ])
    .join('\n');
}

function section(title: string, scenarios: readonly ScenarioResult[]): string[] {
  if (scenarios.length === 0) return [];
  const lines = scenarios.map(({ name, steps, status, reason, truth }) => {
    const { utterance: _utterance, ...said } = truth;
    return `- ${name} (${status}): ${steps.join(' / ')}\n  - session: ${shortened(reason, MOST_REASON) || 'nothing'}\n  - page: ${JSON.stringify(said)}`;
  });
  return [`### ${title}: ${scenarios.length}`, ...lines];
}

function controlsWith(fault: Fault, pages: SuiteResult['pages']): string[] {
  const lines = [...pages].flatMap(([path, { lacks }]) =>
    lacks.filter((lack) => lack.fault === fault).map(({ what, reason }) => `- ${path}: ${what}: ${reason}`),
  );
  return lines.length === 0 ? [] : [`### controls ${fault}: ${lines.length}`, ...lines];
}
