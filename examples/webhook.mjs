// What a webhook posts, verified and taken once. After `npm install` of the client (docs/build/clients.md):
//     SECRET=whsec_... node examples/webhook.mjs
import { createServer } from "node:http";
import { verify } from "trey-client";

const had = new Set();
createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    const event = await verify(process.env.SECRET, request.headers, Buffer.concat(parts));
    if (!had.has(request.headers["webhook-id"])) console.log(event.type, event.data.text);
    had.add(request.headers["webhook-id"]);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(5000);
