import { declarationOf, type ContractLine } from './contract-ids';
import type { WithoutBehaviour } from './without-behaviour';

/** One test as it ended, whichever file of results it comes from. */
export interface TestOutcome {
  /** From the root of the project. */
  file: string;
  title: string;
  status: 'passed' | 'failed' | 'other';
}

export interface Proof {
  file: string;
  title: string;
}

/** `failing`: a test that carries the id has failed, whatever else passed. `none`: no test carries the id. */
export interface Column {
  state: 'proven' | 'failing' | 'none';
  proofs: Proof[];
}

export interface ReportLine extends ContractLine {
  /** The compiler's comparison of a declaration with a literal of the contract, or a check of the sources. */
  shape: Column;
  /** Tests that fail when the product stops doing it. */
  behaviour: Column;
  /** Why the product has no behaviour for it. */
  withoutBehaviour?: string;
}

export interface Report {
  lines: ReportLine[];
  /** Ids in titles that the contracts do not have. */
  unknown: (Proof & { id: string })[];
  /** What contradicts the list of lines without behaviour. */
  contradictions: string[];
  tests: number;
  files: number;
}

const IDS_IN_BRACKETS = /\[((?:S\d|X)\.[^\]]+)\]/g;
/** These tests compare types, schemas and sources; all others run the product. */
const SHAPE_TESTS = /^test\/(conformance|architecture)\//;

/** The ids that a title carries: `[S1.R14]`, `[S1.R9, S1.A7]`. */
export function idsIn(title: string): string[] {
  return [...title.matchAll(IDS_IN_BRACKETS)].flatMap(([, list]) => list!.split(',').map((id) => id.trim()));
}

/** What the tests prove of each line. A shape test of a declaration proves its members as well. */
export function reportOf(
  lines: readonly ContractLine[],
  outcomes: readonly TestOutcome[],
  without: readonly WithoutBehaviour[] = [],
): Report {
  const known = new Set(lines.map((line) => line.id));
  const claims = outcomes.flatMap((outcome) => idsIn(outcome.title).map((id) => ({ ...outcome, id })));
  const byId = Map.groupBy(claims, ({ id }) => id);
  const reasons = new Map(without.flatMap(({ ids, reason }) => ids.map((id) => [id, reason] as const)));
  const reported = lines.map((line): ReportLine => {
    const own = byId.get(line.id) ?? [];
    const ofDeclaration = line.kind === 'member' ? (byId.get(declarationOf(line.id)) ?? []) : [];
    const reason = reasons.get(line.id);
    return {
      ...line,
      shape: toColumn([...own, ...ofDeclaration].filter(({ file }) => SHAPE_TESTS.test(file))),
      behaviour: toColumn(own.filter(({ file }) => !SHAPE_TESTS.test(file))),
      ...(reason === undefined ? {} : { withoutBehaviour: reason }),
    };
  });
  return {
    lines: reported,
    unknown: claims.filter(({ id }) => !known.has(id)).map(({ id, file, title }) => ({ id, file, title })),
    contradictions: [
      ...[...reasons.keys()]
        .filter((id) => !known.has(id))
        .map((id) => `${id} is listed without behaviour and unknown`),
      ...reported
        .filter(({ behaviour, withoutBehaviour }) => behaviour.state === 'proven' && withoutBehaviour !== undefined)
        .map(({ id, behaviour }) => `${id} is listed without behaviour and proven: ${behaviour.proofs[0]!.title}`),
    ],
    tests: outcomes.length,
    files: new Set(outcomes.map(({ file }) => file)).size,
  };
}

/** Whether nothing proves what the line needs: the shape of a declaration or member, the behaviour of the others. */
export function isMissing({ kind, shape, behaviour, withoutBehaviour }: ReportLine): boolean {
  const isDeclared = kind === 'declaration' || kind === 'member';
  return isDeclared ? shape.state === 'none' : behaviour.state === 'none' && withoutBehaviour === undefined;
}

export function isFailing({ shape, behaviour }: ReportLine): boolean {
  return shape.state === 'failing' || behaviour.state === 'failing';
}

function toColumn(tests: readonly TestOutcome[]): Column {
  const failed = tests.filter(({ status }) => status === 'failed');
  if (failed.length > 0) return { state: 'failing', proofs: failed.map(toProof) };
  const passed = tests.filter(({ status }) => status === 'passed');
  return { state: passed.length > 0 ? 'proven' : 'none', proofs: passed.map(toProof) };
}

function toProof({ file, title }: TestOutcome): Proof {
  return { file, title };
}
