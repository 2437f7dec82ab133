import type {
  DiscoveredElement,
  InvestigationPhase,
  PhaseJudgement,
  ToolFinding,
} from '../../contracts/steps/investigation';
import type { Sql } from '../database/connect';

/** One phase, finished or not. */
export interface PhaseRow {
  phase: InvestigationPhase;
  findings: ToolFinding[];
  /** Null until the model has judged. */
  judgement: StoredJudgement | null;
}

/** The model's judgement of a phase, with selectors that are valid beyond the snapshot it was made from. */
export type StoredJudgement = Omit<PhaseJudgement, 'elements'> & { elements: DiscoveredElement[] };

export interface PhaseKey {
  sessionId: string;
  stepIndex: number;
  turn: number;
  phase: InvestigationPhase;
}

/** Findings and judgements of investigations; the workflow's history holds references only. */
export interface Investigations {
  /** Adds a tool's finding; each tool of a phase has one. */
  addFinding(place: PhaseKey, finding: ToolFinding): Promise<void>;
  /** Resolves to the judgement that counts, which is the first. */
  saveJudgement(place: PhaseKey, judgement: StoredJudgement): Promise<StoredJudgement>;
  /** The phases of the investigation before this call of the step, in the order in which they began. */
  of(place: Omit<PhaseKey, 'phase'>): Promise<PhaseRow[]>;
}

export function createInvestigations(sql: Sql): Investigations {
  const json = (value: unknown) => sql.json(value as never);
  return {
    async addFinding({ sessionId, stepIndex, turn, phase }, finding) {
      await sql`
        insert into investigation_phases as p (session_id, step_index, turn, phase, findings)
        values (${sessionId}, ${stepIndex}, ${turn}, ${phase}, ${json([finding])})
        on conflict (session_id, step_index, turn, phase) do update set findings = p.findings || excluded.findings
          where not p.findings @> ${json([{ tool: finding.tool }])}`;
    },
    async saveJudgement({ sessionId, stepIndex, turn, phase }, judgement) {
      const [row] = await sql<{ judgement: StoredJudgement }[]>`
        insert into investigation_phases as p (session_id, step_index, turn, phase, judgement)
        values (${sessionId}, ${stepIndex}, ${turn}, ${phase}, ${json(judgement)})
        on conflict (session_id, step_index, turn, phase)
          do update set judgement = coalesce(p.judgement, excluded.judgement)
        returning judgement`;
      return row!.judgement;
    },
    async of({ sessionId, stepIndex, turn }) {
      const rows = await sql<PhaseRow[]>`
        select phase, findings, judgement from investigation_phases
        where session_id = ${sessionId} and step_index = ${stepIndex} and turn = ${turn} order by at`;
      return [...rows];
    },
  };
}
