// The limit of the model rows: node:http that forwards a request and pipes the response back, without any checks.
import http from 'node:http';

const agent = new http.Agent({ keepAlive: true });
const upstream = process.env['OPENAI_BASE_URL'] ?? '';

http
  .createServer((request, response) => {
    const { 'content-type': contentType, 'content-length': contentLength } = request.headers;
    const outgoing = http.request(
      upstream + (request.url ?? '').replace('/v1', ''),
      {
        agent,
        method: 'POST',
        headers: {
          authorization: 'Bearer key',
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(contentLength !== undefined && { 'content-length': contentLength }),
        },
      },
      (incoming) => {
        const { 'content-type': type = '', 'content-length': length } = incoming.headers;
        response.writeHead(incoming.statusCode ?? 502, {
          'content-type': type,
          ...(length !== undefined && { 'content-length': length }),
        });
        incoming.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  })
  .listen(Number(process.env['PORT']), '127.0.0.1');
