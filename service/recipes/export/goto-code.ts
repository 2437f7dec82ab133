import { isHttpUrl } from '../../../contracts/browsers/origins';
import { code, type Code } from './code';
import { NotExportable, type TestWriter } from './test-writer';

/** Opens an address; one that is code for the browser, or a file of the machine, is not taken from a recipe. */
export function gotoCode(writer: TestWriter, url: string): Code {
  const isTaken = url === 'about:blank' || url.startsWith('${') || isHttpUrl(url.replaceAll('${', 'x'));
  if (!isTaken) throw new NotExportable(`it opens ${url}, which is neither an http or https address nor about:blank`);
  return code`await page.goto(${writer.text(url)});`;
}
