/** The call is not run; the message is its result for the model. */
export class Refusal extends Error {}
