import type { Row } from '../row.ts';
import { chatJson, chatJsonPortkey, chatStream, chatStreamPortkey } from './chat.ts';
import { chatFirstByte } from './chat-first-byte.ts';
import { chatTurn } from './chat-turn.ts';
import { createFlow } from './create-flow.ts';
import { editLargeDesign, editSmallDesign } from './edit-design.ts';
import { activateFlowVersion, createFlowVersion } from './flow-versions.ts';
import { getFlowLatency, getFlowThroughput } from './get-flow.ts';
import { mcpCreateFlow } from './mcp-create-flow.ts';
import { mcpGetFlow } from './mcp-get-flow.ts';
import { mintKey } from './mint-key.ts';
import { replaceAgentProfile } from './replace-agent-profile.ts';
import { speech } from './speech.ts';
import { stdio, stdioSources } from './stdio.ts';
import { transcription } from './transcription.ts';
import { writeDesign } from './write-design.ts';

/** The rows of operations that write. */
const writes: readonly Row[] = [
  ...createFlow,
  ...createFlowVersion,
  ...activateFlowVersion,
  ...replaceAgentProfile,
  ...mintKey,
  editSmallDesign,
  editLargeDesign,
  writeDesign,
  mcpCreateFlow,
];

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [
  getFlowThroughput,
  getFlowLatency,
  mcpGetFlow,
  ...writes,
  chatJson,
  chatJsonPortkey,
  chatStream,
  chatStreamPortkey,
  chatFirstByte,
  chatTurn,
  speech,
  transcription,
  stdio,
  stdioSources,
];

/** Names for `--only` that stand for several rows. */
export const groups: Readonly<Record<string, readonly string[]>> = { writes: writes.map(({ name }) => name) };
