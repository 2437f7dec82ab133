/** `bad` keeps sessions from running; `poor` makes them slower or less well told. */
export type Health = 'good' | 'poor' | 'bad';

export interface Finding {
  name: string;
  health: Health;
  /** What was found; where it isn't good, with what to do. */
  message: string;
}

export function finding(health: Health, name: string, message: string): Finding {
  return { name, health, message };
}
