import { declarationOf, type ContractLine } from './contract-ids';

/** One test as it ended, whichever file of results it stands in. */
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

/** `failing`: a test that carries the id has failed, whatever else passed. */
export interface ReportLine extends ContractLine {
  state: 'proven' | 'failing' | 'missing';
  proofs: Proof[];
}

export interface Report {
  lines: ReportLine[];
  /** Ids in titles that the contracts do not have. */
  unknown: (Proof & { id: string })[];
  tests: number;
  files: number;
}

const CARRIED = /\[((?:S\d|X)\.[^\]]+)\]/g;
/** A declaration is proved by comparing our type with a literal of the contract's: only these files do that. */
const DECLARATION_PROOFS = 'test/conformance/';

/** The ids that a title carries: `[S1.R14]`, `[S1.R9, S1.A7]`. */
export function idsIn(title: string): string[] {
  return [...title.matchAll(CARRIED)].flatMap(([, list]) => list!.split(',').map((id) => id.trim()));
}

/** What is proven by the tests that have passed. A test of a declaration proves its members as well. */
export function reportOf(lines: readonly ContractLine[], outcomes: readonly TestOutcome[]): Report {
  const known = new Set(lines.map((line) => line.id));
  const carried = outcomes.flatMap((outcome) => idsIn(outcome.title).map((id) => ({ ...outcome, id })));
  const byId = Map.groupBy(carried, ({ id }) => id);
  return {
    lines: lines.map((line) => ({ ...line, ...stateOf(line, byId) })),
    unknown: carried.filter(({ id }) => !known.has(id)).map(({ id, file, title }) => ({ id, file, title })),
    tests: outcomes.length,
    files: new Set(outcomes.map(({ file }) => file)).size,
  };
}

function stateOf(
  { id, kind }: ContractLine,
  byId: ReadonlyMap<string, readonly TestOutcome[]>,
): Pick<ReportLine, 'state' | 'proofs'> {
  const isDeclared = kind === 'declaration' || kind === 'member';
  const own = byId.get(id) ?? [];
  const ofDeclaration = kind === 'member' ? (byId.get(declarationOf(id)) ?? []) : [];
  const tests = [...own, ...ofDeclaration].filter(({ file }) => !isDeclared || file.startsWith(DECLARATION_PROOFS));
  const failed = tests.filter(({ status }) => status === 'failed');
  const passed = tests.filter(({ status }) => status === 'passed');
  if (failed.length > 0) return { state: 'failing', proofs: failed.map(toProof) };
  return { state: passed.length > 0 ? 'proven' : 'missing', proofs: passed.map(toProof) };
}

function toProof({ file, title }: TestOutcome): Proof {
  return { file, title };
}
