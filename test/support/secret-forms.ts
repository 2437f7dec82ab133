/** How a value may be written in what leaves the engine: each of these must be found nowhere. */
export const formsOf: Record<string, (value: string) => string> = {
  plain: (value) => value,
  component: (value) => encodeURIComponent(value),
  componentSmall: (value) => encodeURIComponent(value).replace(/%../g, (escape) => escape.toLowerCase()),
  twice: (value) => encodeURIComponent(encodeURIComponent(value)),
  address: (value) =>
    new URL(`http://h/?q=${value.replaceAll('#', '%23').replaceAll(/[\t\n\r]/g, encodeURIComponent)}`).search.slice(3),
  form: (value) => new URLSearchParams([['', value]]).toString().slice(1),
  json: (value) => JSON.stringify(value).slice(1, -1),
  jsonInJson: (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  html: (value) =>
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  base64: (value) => Buffer.from(value).toString('base64'),
  hex: (value) => Buffer.from(value).toString('hex'),
};
