import { DEFAULT_AI_CONNECTION, type SessionConfig } from './config';
import type { ProfileInput, SignInPlan } from './profile';
import type { Step } from './step-input';
import { toSteps } from './to-steps';

/** How a session whose profile says it signs in; undefined where it does not say it. */
export function signInPlan(input: ProfileInput, config: SessionConfig): SignInPlan | undefined {
  if (typeof input === 'string' || input.signedIn === undefined) return undefined;
  const { signedIn, login = [] } = input;
  const [check] = toSteps([`Open ${signedIn.url}, then expect "${signedIn.text}"`], config);
  return { ...signedIn, check: ofRules(check!), login: toSteps(login, config).map(judged) };
}

/** The first step of such a session. */
export function signInStep(name: string, config: SessionConfig): Step {
  const [step] = toSteps([`Sign in with the profile ${name}`], config);
  const { options, instruction } = step!;
  return { instruction, options: { ...options, retryOnFailure: false }, signIn: true };
}

/** Opens the page again on which a step has begun. */
export function reopeningStep(url: string, check: Step): Step {
  return { ...check, instruction: `Open ${url}` };
}

/** No model is paid for what is written in words of the rules. */
function ofRules(step: Step): Step {
  const { options } = step;
  const aiConfig = { ...options.aiConfig, model: 'rules', connectionId: DEFAULT_AI_CONNECTION };
  return judged({ ...step, options: { ...options, maxIterations: 2, aiConfig } });
}

/** A sign-in that only seems done is found out by the page, whatever the session wants for its own steps. */
function judged({ once: _once, ...step }: Step): Step {
  return { ...step, options: { ...step.options, reflectionEnabled: true, retryOnFailure: false } };
}
