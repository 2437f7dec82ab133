/** What to kill, by the supervisor's names of its children; a browser is a child of the keeper. */
export const TARGETS = {
  engine: /^engine-/,
  worker: /^browser-/,
  keeper: /^keeper$/,
  browser: undefined,
  /** A Chrome is stopped, its worker killed, and the Chrome continued: what it had not read may arrive late. */
  stall: undefined,
  /** The proxies of all Chromes. The keeper starts it, not the supervisor. */
  egress: undefined,
  api: /^api$/,
  temporal: /^temporal$/,
  postgres: /^postgres$/,
} as const;
export type TargetKind = keyof typeof TARGETS;
