import { chromium } from 'playwright';
import { readFileSync, readdirSync } from 'node:fs';
import { createRulesModel } from '../../../../activities/model/rules/model';
import { AIResponseSchema } from '../../../../contracts/ai-response';
import { startShop } from '../../../../examples/shop/serve';
const out = (s: string) => process.stdout.write(s + '\n');
test('live', async () => {
  const shop = await startShop();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const model = createRulesModel();
  const files = readdirSync('/work/main/examples').filter((f) => /\.(json|txt)$/.test(f));
  for (const file of files) {
    const raw = readFileSync('/work/main/examples/' + file, 'utf8');
    const steps: string[] = file.endsWith('.txt') ? raw.split('\n').filter(Boolean) : JSON.parse(raw).steps;
    const vars: Record<string, string> = { shop: shop.url, password: 'lovelace', email: 'grace@example.com' };
    const context = await browser.newContext();
    let page = await context.newPage();
    let dialog: any;
    page.on('dialog', async (d: any) => { out('    dialog ' + d.message()); if (dialog?.accept === false) await d.dismiss(); else await d.accept(dialog?.promptText); dialog = undefined; });
    const fill = (t: string) => t.replace(/\$\{(\w+)\}/g, (_, n) => vars[n] ?? '??');
    out('== ' + file);
    for (const [stepIndex, instruction] of steps.entries()) {
      const rounds: any[] = [];
      let ended = '';
      for (let iteration = 0; iteration < 6 && !ended; iteration++) {
        const nodes: any = await (page as any).ariaSnapshotJSON({ mode: 'ai' });
        const look = { lookId: 'l', url: page.url(), title: await page.title(), tabs: [], nodes };
        const { reply } = await model.decide({ instruction, stepIndex, iteration, maxIterations: 6, mayAct: true, rounds, look, variables: Object.keys(vars) }, { signal: new AbortController().signal });
        const r = AIResponseSchema.parse(reply);
        out(`  [${stepIndex}.${iteration}] ${r.decision.action} ${r.reasoning.confidence} ${r.decision.message}`);
        if (r.decision.action === 'ABORT') { ended = 'ABORT'; break; }
        const outcomes: any[] = [];
        for (const c of r.commands) {
          const p: any = c.parameters;
          out('     ' + c.action + ' ' + JSON.stringify(p));
          if (outcomes.some((o) => o.status !== 'done')) { outcomes.push({ action: c.action, parameters: p, status: 'skipped' }); continue; }
          const l = p.selector && page.locator('aria-ref=' + p.selector.slice(4));
          try {
            const t = { timeout: 4000 };
            if (c.action === 'OPEN_PAGE') await page.goto(fill(p.url));
            else if (c.action === 'CLICK_ELEMENT') { await l.click(t); await page.waitForTimeout(300); }
            else if (c.action === 'INPUT_TEXT') await l.fill(fill(p.text), t);
            else if (c.action === 'SELECT_OPTION') await l.selectOption({ label: p.option }, t);
            else if (c.action === 'SET_CHECKED') await l.setChecked(p.checked, t);
            else if (c.action === 'PRESS_KEY') { if (l) await l.press(p.key, t); else await page.keyboard.press(p.key); await page.waitForTimeout(300); }
            else if (c.action === 'SAVE_VARIABLE') { vars[p.variableName] = await l.evaluate((e: any) => e.value ?? e.textContent); out('     saved ' + vars[p.variableName]); }
            else if (c.action === 'EXPECT' && p.text && !p.absent) await (l ?? page.locator('body')).getByText(fill(p.text)).first().waitFor(t);
            else if (c.action === 'WAIT_FOR' && p.text) await page.getByText(p.text).first().waitFor({ timeout: (p.seconds ?? 5) * 1000 });
            else if (c.action === 'HANDLE_DIALOG') dialog = p;
            else out('     (not run)');
            outcomes.push({ action: c.action, parameters: p, status: 'done' });
          } catch (e: any) {
            out('     FAILED ' + e.message.split('\n')[0]);
            outcomes.push({ action: c.action, parameters: p, status: 'failed', error: { code: c.action === 'EXPECT' ? 'TL004' : 'EX002', message: e.message.split('\n')[0] } });
          }
        }
        rounds.push({ decision: r.decision, reasoning: r.reasoning, commands: r.commands, context: r.context, outcomes });
        if (r.decision.action === 'PROCEED' && (r.commands.length === 0 || (outcomes.every((o) => o.status === 'done') && r.reasoning.confidence >= 0.7))) ended = 'DONE';
      }
      out('  -> ' + (ended || 'ran out') + '  ' + instruction);
      if (ended !== 'DONE') { out(JSON.stringify(await (page as any).ariaSnapshotJSON({ mode: 'ai' })).slice(0, 3000)); }
    }
    await context.close();
  }
  await browser.close();
  await shop.close();
}, 120000);
