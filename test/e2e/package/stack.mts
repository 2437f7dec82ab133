// A strict program that starts a stack for tests, says where it is, and ends it when its standard input ends.
import { once } from 'node:events';
import { startTestStack, type TestStack } from 'surefoot/testing';

const stack: TestStack = await startTestStack({ env: { SUREFOOT_API_TOKEN: process.argv[2] } });
console.log(JSON.stringify(stack));
await once(process.stdin.resume(), 'end');
await stack.stop();
