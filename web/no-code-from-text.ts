import { config } from 'zod/v4/core';

// The policy of the page forbids code that is made from text. zod would try whether it may make some as soon as a schema is
// defined, so this module comes before all others.
config({ jitless: true });
