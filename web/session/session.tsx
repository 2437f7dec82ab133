/** One session. */
export function Session({ id }: { id: string }) {
  return <h1>{id}</h1>;
}
