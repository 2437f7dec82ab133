const NAVIGATIONS_KEPT = 5;
const MAX_SAME_URL = 3;
/** A round of so many calls that repeats is a circle. */
const LONGEST_ROUND = 3;
/** The task ends when such a round would begin once more, whatever reminders the model has had. */
const MAX_ROUNDS = 10;
const ACTIONS_KEPT = LONGEST_ROUND * MAX_ROUNDS + 1;
/** The model gets a reminder at these counts only: a model that gets it at every call learns to ignore it. */
const REMINDED_AT: readonly number[] = [3, 5, 8];

/** What a task has done lately. */
export interface Trail {
  /** Where the last navigations went. */
  navigations: string[];
  /** Digests of the last actions, each of the action and of the page it was done on. */
  actions: string[];
}

/** Keeps a task from going in circles. */
export class LoopGuard {
  private navigations: string[];
  private actions: string[];

  constructor({ navigations, actions }: Trail) {
    this.navigations = navigations;
    this.actions = actions;
  }

  get trail(): Trail {
    return { navigations: this.navigations, actions: this.actions };
  }

  /** Whether this navigation is one too many to the same page: it must not be carried out. */
  isStuck(url: string): boolean {
    const lately = [...this.navigations, url].slice(-NAVIGATIONS_KEPT);
    return lately.filter((each) => each === url).length >= MAX_SAME_URL;
  }

  /**
   * How many calls go round and round, if this action were done as well on a page that stays as it is; 0 where none do.
   * Waiting for a page in such a round is a reason for it.
   */
  circleWith(digest: string): number {
    const actions = [...this.actions, digest];
    for (let round = 1; round <= LONGEST_ROUND; round += 1) {
      // The first call of the next round is the one that is not carried out.
      const lately = actions.slice(-(round * MAX_ROUNDS + 1));
      const isCircle = lately.length > round * MAX_ROUNDS && lately.every((each, at) => each === lately[at % round]);
      if (isCircle && !lately.some(isWait)) return round;
    }
    return 0;
  }

  noteNavigation(url: string): void {
    this.navigations = [...this.navigations, url].slice(-NAVIGATIONS_KEPT);
  }

  /** Notes an action. Returns a reminder for a model that has done the same on the same page too often. */
  noteAction(digest: string, name: string): string | undefined {
    this.actions = [...this.actions, digest].slice(-ACTIONS_KEPT);
    const count = this.actions.filter((each) => each === digest).length;
    if (!REMINDED_AT.includes(count)) return undefined;
    return (
      `You have called ${name} in the same way ${count} times while the page stayed as it is. It will not help to do it ` +
      'again: look at the page, try another way, or say what stands in the way.'
    );
  }
}

export function stuckMessage(url: string): string {
  return (
    `The task was stopped because it is stuck in a loop: ${url} would have been opened for the third time within ` +
    `${NAVIGATIONS_KEPT} navigations. Say what is to be done there, or what to do when the page does not work.`
  );
}

const WAIT = 'wait:';

/** Marks the digest of a call that waits. */
export function waitDigest(digest: string): string {
  return `${WAIT}${digest}`;
}

const isWait = (digest: string): boolean => digest.startsWith(WAIT);

export function circleMessage(round: number, name: string): string {
  const calls = round === 1 ? `the same call of ${name}` : `the same ${round} calls, of them one of ${name},`;
  return (
    `The task was stopped because it goes in circles: ${calls} came ${MAX_ROUNDS} times in turn while the page stayed ` +
    'as it is. Say what is to be done there, or what to do when the page does not work.'
  );
}
