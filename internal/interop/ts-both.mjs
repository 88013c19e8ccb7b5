// A server on the TypeScript SDK, over stdio in both eras: the first request
// decides, and one that gets the handshake stays with it.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeServer } from './ts-tools.mjs';

serveStdio(({ era }) => makeServer(era));
