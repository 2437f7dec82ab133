/** So that a session continues as new between its steps: with a budget of steps, none is done in a row with another. */
export function stepByStep<Request extends { config?: object | undefined }>(request: Request): Request {
  return { ...request, config: { ...request.config, budget: { maxSteps: 1000 } } };
}
