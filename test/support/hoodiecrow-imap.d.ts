declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net';

  interface HoodiecrowServer {
    server: Server;
    listen(port: number, host: string, listening: () => void): void;
    appendMessage(mailbox: string, flags: string[], internaldate: Date, raw: string): void;
    close(closed?: () => void): void;
  }
  export default function hoodiecrow(options: {
    plugins: string[];
    users: Record<string, { password: string }>;
    storage: Record<string, { messages: unknown[] }>;
  }): HoodiecrowServer;
}
