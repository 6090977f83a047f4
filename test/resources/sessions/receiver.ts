import { onTestFinished } from 'vitest';
import { openSessionProject } from '../../helpers/session-project.ts';
import { openSite } from '../../helpers/wall-trial.ts';
import { openWorld, type WorldOptions } from '../../helpers/world.ts';

export const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const shopKey = 'the-key-of-the-shop';

/** A request that arrived. */
export interface Received {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver of requests, and a project with its secrets. `respond` may fail a request, or keep it waiting. */
export async function openReceiver(options: WorldOptions = {}) {
  const received: Received[] = [];
  let respond: (request: Received) => number | Promise<number> = () => 200;
  const site = await openSite((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    const reply = async () => {
      const { url = '', headers } = request;
      const one = { url, headers: headers as Record<string, string>, body };
      received.push(one);
      response.statusCode = await respond(one);
      response.end(JSON.stringify({ state: 'on its way', echo: headers.authorization }));
    };
    request.on('end', () => void reply());
  });
  const world = await openWorld({ models: undefined, outbound: { allow: site.allow }, ...options });
  onTestFinished(() => world.close());
  const project = await openSessionProject(world);
  const setSecret = (name: string, value: string, binding: object = {}) =>
    project.call('PATCH', `/v1/projects/${project.projectId}/secrets/${name}`, { value, ...binding });
  await setSecret('SHOP_KEY', shopKey, { hosts: [new URL(site.url).host] });
  await setSecret('WEBHOOK_SIGNING_SECRET', signingSecret);
  return {
    world,
    project,
    setSecret,
    url: site.url,
    received,
    to: (path: string) => received.filter(({ url }) => url === path),
    responds(to: typeof respond) {
      respond = to;
    },
    session: async (id: string) => (await world.rows('select * from sessions where id = $1', [id]))[0],
  };
}
