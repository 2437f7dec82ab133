/** What a page says of itself, last and ever: the judge of a scenario, independent of the engine. */
export type Truth = Record<string, unknown>;

/** Plain-English steps on one page, and how its own state shows that they were carried out. */
export interface Scenario {
  name: string;
  /** Below the address of the suite, with its query. */
  path: string;
  /** Without the step that opens the page. */
  steps: readonly string[];
  isTrue(truth: Truth): boolean;
  /** For a page that works against its user: right is also a session that did not complete and changed nothing else. */
  isHarmless?(truth: Truth): boolean;
}

/** Where pages are served, and what they say of themselves. */
export interface Site {
  /** The address of a suite's page for one run; each run has pages of its own. */
  address(run: string, suite: string, path: string): string;
  /** The last words of the pages of a run; empty before the first. */
  truthOf(run: string): Truth;
  close(): Promise<void>;
}

/** Pages of one kind. */
export interface Suite {
  name: string;
  /** Answers requests below the address of the suite; undefined for what it does not have. */
  serve(path: string, run: string): Answer | undefined | Promise<Answer | undefined>;
  /** `truth` opens a page and resolves to what it says of itself, for suites whose pages write the instruction. */
  scenarios(options: ScenarioOptions): Promise<Scenario[]> | Scenario[];
  /** Pages whose controls are compared with the snapshot. */
  paths(): readonly string[];
  /** For pages that have a server of their own, which knows the truth. */
  site?: Site;
}

export interface ScenarioOptions {
  seeds: number;
  truth(path: string): Promise<Truth>;
  isWanted(name: string): boolean;
}

export interface Answer {
  type: string;
  body: string | Buffer;
}

export function html(body: string): Answer {
  return { type: 'text/html; charset=utf-8', body: `<!doctype html><meta charset="utf-8">${body}` };
}
