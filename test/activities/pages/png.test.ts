import type { CDPSession } from 'playwright';
import { capturePng } from '../../../activities/browser/pages/screenshots/png';

/** A Chrome that gives these answers, one for each request. */
function chromeThat(...answers: (() => Promise<{ data: string }>)[]): { session: CDPSession; asked: unknown[] } {
  const asked: unknown[] = [];
  const send = async (method: string, options: unknown) => {
    asked.push([method, options]);
    return await answers[asked.length - 1]!();
  };
  return { session: { send } as unknown as CDPSession, asked };
}

const never = () => new Promise<never>(() => {});

test('a screenshot that Chrome never answers because of a navigation is requested again', async () => {
  const { session, asked } = chromeThat(never, () => Promise.resolve({ data: 'picture' }));
  expect(await capturePng(session, { optimizeForSpeed: true })).toBe('picture');
  expect(asked).toEqual([0, 1].map(() => ['Page.captureScreenshot', { format: 'png', optimizeForSpeed: true }]));
});

test('a screenshot is requested once, and a refusal of Chrome is reported', async () => {
  const { session, asked } = chromeThat(() => Promise.resolve({ data: 'picture' }));
  expect(await capturePng(session)).toBe('picture');
  expect(asked).toHaveLength(1);
  const refuse = () => Promise.reject(new Error('Target closed'));
  const refusing = chromeThat(...Array.from({ length: 9 }, () => refuse));
  await expect(capturePng(refusing.session)).rejects.toThrow('Target closed');
});

test('a screenshot that Chrome refuses during a navigation is requested again', async () => {
  const refuse = () => Promise.reject(new Error('Not attached to an active page'));
  const { session, asked } = chromeThat(refuse, refuse, () => Promise.resolve({ data: 'picture' }));
  expect(await capturePng(session)).toBe('picture');
  expect(asked).toHaveLength(3);
});
