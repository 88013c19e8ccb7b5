// A server on the TypeScript SDK, over Streamable HTTP in both eras at
// http://127.0.0.1:$PORT/mcp: with sessions up to 2025-11-25, without them since
// 2026-07-28.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport, localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { makeServer } from './ts-tools.mjs';

const modern = toNodeHandler(createMcpHandler(() => makeServer('modern'), { legacy: 'reject' }));

const sessions = new Map();
async function legacy(req, res) {
  const id = req.headers['mcp-session-id'];
  if (id !== undefined) {
    const transport = sessions.get(id);
    return transport ? transport.handleRequest(req, res) : res.writeHead(404).end('no such session\n');
  }
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await makeServer().connect(transport);
  return transport.handleRequest(req, res);
}

const hostAllowed = localhostHostValidation();
const originAllowed = localhostOriginValidation();
createServer((req, res) => {
  if (!hostAllowed(req, res) || !originAllowed(req, res)) return;
  const isModern = req.headers['mcp-protocol-version'] >= '2026-07-28' && req.headers['mcp-session-id'] === undefined;
  (isModern ? modern : legacy)(req, res).catch((err) => {
    process.stderr.write(`${err.stack}\n`);
    res.destroy();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
