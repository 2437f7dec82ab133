import type { SessionPlan } from '../../contracts/sessions/start-request';

/** A plan as it was read, under the name that its row has for it until it changes. */
interface KnownPlan {
  version: string;
  plan: SessionPlan;
}

const MOST_PLANS = 200;

/** The plans that this process has read last: each activity of a session reads its row, and a plan may have thousands of steps. */
export class PlanCache {
  private readonly plans = new Map<string, KnownPlan>();

  versionOf(sessionId: string): string | null {
    return this.plans.get(sessionId)?.version ?? null;
  }

  /** The plan of a row that was read: the known one where the row has left it out. */
  take(sessionId: string, version: string, read: SessionPlan | null): SessionPlan | undefined {
    const known = this.plans.get(sessionId);
    const plan = read ?? (known?.version === version ? known.plan : undefined);
    if (plan === undefined) return undefined;
    this.plans.delete(sessionId);
    this.plans.set(sessionId, { version, plan });
    for (const oldest of this.plans.keys()) {
      if (this.plans.size <= MOST_PLANS) break;
      this.plans.delete(oldest);
    }
    return plan;
  }
}
