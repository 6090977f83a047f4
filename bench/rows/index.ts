import type { Row } from '../row.ts';
import { chatJson, chatJsonPortkey, chatStream, chatStreamPortkey } from './chat.ts';
import { chatFirstByte } from './chat-first-byte.ts';
import { createFlow } from './create-flow.ts';
import { getFlowLatency, getFlowThroughput } from './get-flow.ts';
import { mcpGetFlow } from './mcp-get-flow.ts';
import { speech } from './speech.ts';
import { stdio } from './stdio.ts';
import { transcription } from './transcription.ts';
import { writeDesign } from './write-design.ts';

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [
  getFlowThroughput,
  getFlowLatency,
  createFlow,
  mcpGetFlow,
  writeDesign,
  chatJson,
  chatJsonPortkey,
  chatStream,
  chatStreamPortkey,
  chatFirstByte,
  speech,
  transcription,
  stdio,
];
