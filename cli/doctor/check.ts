/** `bad` keeps sessions from running; `poor` makes them slower or harder to follow. */
export type Health = 'good' | 'poor' | 'bad';

export interface Finding {
  name: string;
  health: Health;
  /** What was found and, unless it is good, what to do. */
  message: string;
}

export function finding(health: Health, name: string, message: string): Finding {
  return { name, health, message };
}
