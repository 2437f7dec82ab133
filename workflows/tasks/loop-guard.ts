const NAVIGATIONS_KEPT = 5;
const MAX_SAME_URL = 3;
const ACTIONS_KEPT = 20;
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
