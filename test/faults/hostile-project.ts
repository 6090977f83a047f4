import { setTimeout as pause } from 'node:timers/promises';
import type { Tenant } from '../helpers/world.ts';

/** The final state of a source. */
export interface Outcome {
  readonly status: string;
  readonly error?: string;
  /** Seconds from the response to its POST until this state. */
  readonly seconds: number;
  /** Seconds from the response to its POST until its first error. */
  readonly firstError?: number;
}

/** A project on a server, with a flow to request and a knowledge base to add sources to. */
export interface Project {
  readonly key: string;
  readonly flowUrl: string;
  /** Adds a source from a form or a JSON body. Returns its id. */
  add(source: FormData | object): Promise<string>;
  /** Waits until the indexing of a source has ended, for at most `patience` milliseconds. */
  settled(id: string, patience: number): Promise<Outcome>;
}

export async function openProject(base: string, { projectId, key }: Tenant): Promise<Project> {
  const authorization = `Bearer ${key}`;
  const post = async (path: string, body: FormData | object): Promise<string> => {
    const isForm = body instanceof FormData;
    const reply = await fetch(base + path, {
      method: 'POST',
      headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    const answer = (await reply.json()) as { id: string };
    if (reply.status !== 201) throw new Error(JSON.stringify(answer));
    return answer.id;
  };
  const flow = await post(`/v1/projects/${projectId}/flows`, { name: 'Ferries', flowSchema: {} });
  const knowledge = await post(`/v1/projects/${projectId}/knowledge-bases`, { name: 'Ferries' });
  const sources = `/v1/knowledge/${knowledge}/sources`;
  return {
    key,
    flowUrl: `${base}/v1/flows/${flow}`,
    add: (source) => post(sources, source),
    async settled(id, patience) {
      const began = performance.now();
      const since = () => (performance.now() - began) / 1000;
      let firstError: number | undefined;
      for (;;) {
        const reply = await fetch(`${base}${sources}/${id}`, { headers: { authorization } });
        const { indexingStatus: status, error } = (await reply.json()) as Record<string, string>;
        if (error !== undefined) firstError ??= since();
        if (status !== 'inProgress' || since() * 1000 > patience)
          return {
            status: `${status}`,
            ...(error !== undefined && { error }),
            ...(firstError !== undefined && { firstError }),
            seconds: since(),
          };
        await pause(100);
      }
    },
  };
}
