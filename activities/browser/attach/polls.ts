import type { Request } from 'playwright';

/** So many requests with even pauses between them, but for one that may be longer on a busy machine, are a poll. */
const BEATS = 5;
const LONGEST_PAUSE_MS = 3000;
const MAX_ASKED = 200;

/** When the page asked for something, and after which command. */
interface Asked {
  at: number;
  command: number;
}

/** What the pages of a session ask for again and again, by themselves. */
export class Polls {
  /** Those that were not answered in time once. */
  private readonly unanswered = new Set<string>();
  /** The last few times of each. */
  private readonly asked = new Map<string, Asked[]>();
  private commands = 0;
  /** What was asked for in a regular beat before the command that is under way now. */
  private regular = new Set<string>();

  /** Begins a command: what was regular before is no effect of it. */
  beginCommand(): void {
    this.commands += 1;
    this.regular = new Set([...this.asked].flatMap(([poll, times]) => (isRegular(times) ? [poll] : [])));
  }

  note(poll: string): void {
    const times = this.asked.get(poll) ?? [];
    times.push({ at: performance.now(), command: this.commands });
    if (times.length > BEATS) times.shift();
    this.asked.set(poll, times);
    if (this.asked.size > MAX_ASKED) this.asked.delete(this.asked.keys().next().value!);
  }

  /** Notes that a GET was not answered in time; its next ones are not waited for. */
  noteUnanswered(poll: string): void {
    if (poll.startsWith('GET ')) this.unanswered.add(poll);
  }

  /** Whether the page has asked for it twice after one command before: no command need have caused it now. */
  isByItself(poll: string | undefined): boolean {
    const times = (poll === undefined ? undefined : this.asked.get(poll))?.filter(
      ({ command }) => command < this.commands,
    );
    return times?.some(({ command }, index) => command === times[index - 1]?.command) === true;
  }

  has(poll: string | undefined): boolean {
    return poll !== undefined && (this.unanswered.has(poll) || this.regular.has(poll));
  }
}

/**
 * Names what a frame asks for again and again. The parameters of a GET often count or carry the time; with another body
 * the same address is another question.
 */
export function pollOf(request: Request): string | undefined {
  if (request.isNavigationRequest()) return undefined;
  const [method, body] = [request.method(), request.postData() ?? ''];
  return `${method} ${frameAddress(request)} ${request.url().split('?')[0]} ${body.slice(0, 1000)}`;
}

/** A service worker has no frame. */
function frameAddress(request: Request): string {
  return request.serviceWorker() === null ? request.frame().url() : '';
}

/**
 * Whether something was asked for so often, lately, and with so even pauses that a timer of the page asks for it. What was asked
 * for once after each command may be what each of them caused.
 */
function isRegular(times: readonly Asked[]): boolean {
  if (times.length < BEATS) return false;
  const [least, ...longer] = times
    .slice(1)
    .map(({ at }, index) => at - times[index]!.at)
    .toSorted((one, other) => one - other) as [number, ...number[]];
  const [most, longest] = longer.slice(-2) as [number, number];
  const isByItself = times.some(({ command }, index) => command === times[index - 1]?.command);
  const isGoingOn = performance.now() - times.at(-1)!.at <= most * 2 + 100;
  return isByItself && longest <= LONGEST_PAUSE_MS && most <= least * 3 + 100 && isGoingOn;
}
