import * as v from 'valibot';
import { diagramOfCalls } from '../../design/diagram/calls.ts';
import { diagramOf } from '../../design/diagram/compare.ts';
import { mermaidOf } from '../../design/diagram/mermaid.ts';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import type { InputProblem } from '../../operation/define.ts';
import { Bytes } from '../../operation/result.ts';
import type { Stores } from '../../store/stores.ts';
import { numberOf, type VersionChoice, versionChoice } from '../conversations/schema.ts';
import { loadDesign } from '../designs/stored-design.ts';
import type { DesignOwner } from '../record/design-owner.ts';
import { DrawnRun, drawnCalls, runProblems } from '../scenarios/drawn.ts';
import { readPlayable } from './compiled-version.ts';

const contentTypes = { svg: 'image/svg+xml', png: 'image/png' } as const;

/** What a drawing takes besides the version. */
export const drawingInputs = {
  format: v.optional(
    v.pipe(
      v.picklist(['mermaid', 'svg', 'png']),
      v.description('mermaid: text; png: to look at; svg: for files.'),
    ),
    'mermaid',
  ),
  against: v.exactOptional(versionChoice('Older version to compare with.')),
  run: v.exactOptional(DrawnRun),
};

export const Drawing = v.strictObject({ mermaid: v.string() });

interface DrawingInput {
  readonly version?: VersionChoice | undefined;
  readonly format: 'mermaid' | 'svg' | 'png';
  readonly against?: VersionChoice | undefined;
  readonly run?: v.InferOutput<typeof DrawnRun> | undefined;
}

/** Problems of a drawing's inputs that their schemas cannot express. */
export function drawingProblems(
  { against, run }: Pick<DrawingInput, 'against' | 'run'>,
  of: 'conversation' | 'flow',
): InputProblem[] {
  return [
    ...(against !== undefined && run !== undefined
      ? [{ path: ['against'] as const, message: 'Cannot be combined with run.' }]
      : []),
    ...(run === undefined ? [] : runProblems(run)),
    ...(of === 'flow' && run?.scenarios !== undefined
      ? [{ path: ['run', 'scenarios'] as const, message: 'A flow has no scenarios.' }]
      : []),
  ];
}

/** Draws a version of a conversation or flow, a comparison of two, or the way of calls through it. */
export async function drawnDesign(
  context: ToolContext,
  owner: DesignOwner,
  { version, format, against, run }: DrawingInput,
): Promise<v.InferOutput<typeof Drawing> | Bytes> {
  const { caller, stores, services, signal } = context;
  const design = await load(stores, owner, version);
  const other = against === undefined ? undefined : await load(stores, owner, against);
  const calls = run && (await drawnCalls(context, owner, design, run));
  await services.turn(caller);
  const diagram = calls ? diagramOfCalls(design, calls) : diagramOf(design, other);
  if (format === 'mermaid') return { mermaid: mermaidOf(diagram) };
  const picture = await services.renderDiagram(caller.projectId, diagram, format, signal);
  return new Bytes(contentTypes[format], inOnePart(picture));
}

async function load(stores: Stores, owner: DesignOwner, version?: VersionChoice): Promise<Design> {
  if ('flowId' in owner) return (await readPlayable(stores, owner.flowId, version)).design;
  const { conversationId } = owner;
  return loadDesign(stores, conversationId, await numberOf(stores, conversationId, version));
}

async function* inOnePart(bytes: Uint8Array) {
  yield bytes;
}
