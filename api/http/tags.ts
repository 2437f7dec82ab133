/** The groups of the routes, in the order of the documentation. */
export const API_TAGS = {
  Sessions: 'Start them and look at them',
  Control: 'Messages to a running session; each is answered with yes or no',
  Approvals: 'What people are asked, and their answers',
  Events: 'What happened, in order, live',
  Results: 'What commands and pages left behind',
  Files: 'Files for sessions to upload, and what they have downloaded',
  Recipes: 'What sessions have learned, and which of it is replayed',
  Effects: 'What is to happen once, and who has done it',
  Profiles: 'Signed-in states that sessions begin with',
  Schedules: 'Sessions that Temporal starts by the clock',
  Batches: 'Lists of rows, a session each',
  Browsers: 'Browsers that are somebody else’s, by the relay',
  Service: 'Whether the service and its modules are well',
} as const;

export type ApiTag = keyof typeof API_TAGS;
