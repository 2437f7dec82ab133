/** Where the API of a client is, and how it is reached. */
export interface ClientOptions {
  /** URL of the API, such as http://127.0.0.1:3000. */
  api: string;
  /** SUREFOOT_API_TOKEN of the API, where it has one. */
  token?: string | undefined;
  fetch?: typeof fetch | undefined;
}
