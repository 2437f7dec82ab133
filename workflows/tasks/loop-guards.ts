const NAVIGATIONS_SEEN = 5;
const MAX_SAME_URL = 3;
const ACTIONS_SEEN = 20;
/** Said at these counts only: a model that is nagged at every call learns to ignore it. */
const NUDGED_AT: readonly number[] = [3, 5, 8];

/** What a task has done lately, as far as the guards against going in circles look at it. */
export interface Trail {
  /** Where the last navigations went. */
  navigations: string[];
  /** Digests of the last actions, each made of the action and the page it was done on. */
  actions: string[];
}

/** Whether this navigation is one too many to the same page: it must not be carried out. */
export function isStuck({ navigations }: Trail, url: string): boolean {
  const lately = [...navigations, url].slice(-NAVIGATIONS_SEEN);
  return lately.filter((each) => each === url).length >= MAX_SAME_URL;
}

export function stuckMessage(url: string): string {
  return (
    `The task was stopped because it is stuck in a loop: ${url} would have been opened for the third time within ` +
    `${NAVIGATIONS_SEEN} navigations. Say what is to be done there, or what to do when the page does not work.`
  );
}

export function noteNavigation(trail: Trail, url: string): void {
  trail.navigations = [...trail.navigations, url].slice(-NAVIGATIONS_SEEN);
}

/** Notes an action, and says what the model should hear when it has done the same on the same page too often. */
export function noteAction(trail: Trail, digest: string, name: string): string | undefined {
  trail.actions = [...trail.actions, digest].slice(-ACTIONS_SEEN);
  const count = trail.actions.filter((each) => each === digest).length;
  if (!NUDGED_AT.includes(count)) return undefined;
  return (
    `You have called ${name} in the same way ${count} times while the page stayed as it is. It will not help to do it ` +
    'again: look at the page, try another way, or say what stands in the way.'
  );
}
